// Decides about tool calls: forbidding rules first, then rules that ask, then rules that allow, then the defaults. By default
// looking inside the workspace is free; whatever changes something, leaves the workspace or is not understood is asked about.
// Pure but for the look at links on disk. It knows nothing of models, modes or terminals.
import { absolutePath, existingPath } from "../tools/file-path.ts";
import { LOOKING_TOOLS } from "../tools/looking-tool.ts";
import { escapeControls } from "../tools/result.ts";
import { coversPath, hasOtherNames, isGuarded, matchesPath, pathInside, realPath } from "./path-scope.ts";
import { isAbout, PATH_TOOLS, type Rule, type Verdict } from "./rules.ts";
import {
  commandText,
  isAllowedBy,
  isForbiddenBy,
  isHidden,
  isInterpreter,
  isRunner,
  parseShellCommand,
} from "./shell-command.ts";

/** What the engine goes by. */
export interface PermissionSettings {
  /** Absolute path of the workspace. */
  root: string;
  home: string;
  rules: Rule[];
  /** Allow what no rule forbids or asks about. */
  yolo: boolean;
  /** Folders outside the workspace in which looking is free too. */
  readable?: readonly string[];
}

/** A decision, and why. */
export interface Decision {
  verdict: Verdict;
  /** What stands in the way, as the rest of a sentence about the call. */
  reason: string;
  /**
   * The rules that together would allow this call and little else: one for a path, and one for each command of a line that no rule
   * allows yet. Empty if there can be none.
   */
  suggestions: string[];
}

/** Tools that reach no further than what was allowed before. */
const HARMLESS_TOOLS = new Set(["jobs"]);

/** A pipe, or the sign of one in quotes. */
const PIPE = /(?<!\|)\|(?!\|)/;

/**
 * Decides about one call, whose arguments fit the tool's schema.
 *
 * @param place where it leads, as `placeOf` tells; it is looked up without
 */
export function decide(
  settings: PermissionSettings,
  tool: string,
  args: Record<string, unknown>,
  place: string | undefined = placeOf(settings, tool, args),
): Decision {
  if (tool === "bash") return decideCommand(settings, String(args["command"] ?? ""));
  if (place !== undefined) return decidePath(settings, tool, place);
  const matchesNothing = () => false;
  const decided = byRules(settings, tool, matchesNothing, matchesNothing);
  if (decided) return decided;
  return HARMLESS_TOOLS.has(tool) ? allow() : ask(`${tool} is a tool that no rule speaks of`, [tool]);
}

function decideCommand(settings: PermissionSettings, command: string): Decision {
  const commands = parseShellCommand(command);
  const limits = settings.rules.some(
    (rule) => rule.tool === "bash" && rule.verdict !== "allow" && rule.pattern !== undefined,
  );
  const forbids = (pattern: string) => commands?.some((words) => isForbiddenBy(pattern, words)) ?? false;
  // Each command of a line needs a rule of its own, so they are looked at together and not one rule after the other.
  const allows = settings.rules.filter((rule) => isAbout(rule, "bash") && rule.verdict === "allow");
  const open = commands?.filter(
    (words) => !allows.some(({ pattern }) => pattern === undefined || isAllowedBy(pattern, words)),
  );

  const forbidden = byRules(
    { ...settings, rules: settings.rules.filter((rule) => rule.verdict !== "allow"), yolo: false },
    "bash",
    forbids,
    forbids,
  );
  if (forbidden) return forbidden;
  if (limits && (!commands || commands.some(isHidden)))
    return ask("a rule forbids some commands, and what this one runs cannot be told for certain", []);
  if (open?.length === 0 || settings.yolo || allows.some((rule) => rule.pattern === undefined)) return allow();
  if (!commands)
    return ask(
      "it has parts (such as $(…), > or &) that no rule but --allow bash covers, which allows every command",
      [],
    );
  return ask("running commands can change things", commandRules(command, commands ?? [], open ?? []));
}

/** Where a call of a tool with a path leads now; undefined for other tools. */
export function placeOf(
  where: Pick<PermissionSettings, "root" | "home">,
  tool: string,
  args: Record<string, unknown>,
): string | undefined {
  if (!PATH_TOOLS.has(tool)) return undefined;
  const path = String(args["path"] ?? ".");
  // Reading finds a file under other spellings of its name, so the check must look at the one that will be read.
  return realPath(tool === "write" ? absolutePath(where, path) : existingPath(where, path));
}

function decidePath(settings: PermissionSettings, tool: string, real: string): Decision {
  const { root, home } = settings;
  const inside = pathInside(root, real);
  const matches = (pattern: string) => matchesPath(pattern, real, root, home);
  const opens = (pattern: string) =>
    matches(pattern) && !(inside !== undefined && isGuarded(inside) && !isGuarded(pattern));
  const isReading = LOOKING_TOOLS.has(tool);
  const suggestions = pathRules(tool, inside === undefined || inside === "" ? real : inside);
  const isShared = !isReading && hasOtherNames(real);
  const general = isReading || (inside !== undefined && !isGuarded(inside) && !isShared);
  const rules = general
    ? settings.rules
    : settings.rules.filter((rule) => rule.verdict !== "allow" || rule.pattern !== undefined);
  const forbids = (pattern: string) => coversPath(pattern, real, root, home);
  const decided = byRules({ ...settings, rules }, tool, forbids, opens);
  if (decided) return decided;
  const isReadable = settings.readable?.some((folder) => pathInside(folder, real) !== undefined);
  if (isReading && isReadable) return allow();
  if (inside === undefined) return ask(`${real} is outside the workspace`, suggestions);
  if (isReading) return allow();
  if (isGuarded(inside)) return ask(`${inside} is in a folder that makes programs run`, suggestions);
  if (isShared) return ask(`${inside} has other hard links, which may be outside the workspace`, suggestions);
  return ask(`${tool} changes files`, suggestions);
}

/**
 * A rule for each command of a line that none allows yet. None at all if one of them would be read as the beginning of many, or if one
 * runs what a pipe hands it: with a rule of its own it would run what any pipe hands it.
 */
function commandRules(line: string, all: string[][], open: string[][]): string[] {
  const texts = all.length === 1 ? [line.trim()] : open.map(commandText);
  const runsPiped = PIPE.test(line) && all.some((words) => isRunner(words) || isInterpreter(words));
  if (runsPiped || texts.some((text) => text === undefined || text.endsWith(":*"))) return [];
  return [...new Set(texts.map((text) => `bash(${text})`))];
}

/** The rule for one path; none for a name that would be read as a pattern, or that is not seen as it is. `~` is a folder of that name here, not the home. */
function pathRules(tool: string, path: string): string[] {
  if (/[*?]/.test(path) || path.trim() !== path || escapeControls(path) !== path) return [];
  return [`${tool}(${path.startsWith("~") ? `./${path}` : path})`];
}

/** What the rules say; undefined if none speaks of the call. */
function byRules(
  { rules, yolo }: Pick<PermissionSettings, "rules" | "yolo">,
  tool: string,
  forbids: (pattern: string) => boolean,
  allows: (pattern: string) => boolean,
): Decision | undefined {
  const find = (verdict: Verdict, matches: (pattern: string) => boolean) =>
    rules.find(
      (rule) =>
        rule.verdict === verdict && speaksOf(rule, tool) && (rule.pattern === undefined || matches(rule.pattern)),
    );
  const deny = find("deny", forbids);
  if (deny) return { verdict: "deny", reason: `the rule --deny '${deny.text}' forbids it`, suggestions: [] };
  const asking = find("ask", forbids);
  if (asking) return ask(`the rule --ask '${asking.text}' wants it asked about`, []);
  return find("allow", allows) || yolo ? allow() : undefined;
}

/** What may not be read may not be looked at by a search either. */
function speaksOf(rule: Rule, tool: string): boolean {
  return isAbout(rule, tool) || (tool === "grep" && rule.verdict !== "allow" && isAbout(rule, "read"));
}

/** Whether a rule forbids a search to look into a file, or wants it asked about, which a search cannot. */
export function isSearchForbidden({ root, home, rules }: PermissionSettings, path: string): boolean {
  const forbidding = rules.filter((rule) => rule.verdict !== "allow" && speaksOf(rule, "grep"));
  if (forbidding.length === 0) return false;
  const real = realPath(path);
  return forbidding.some(({ pattern }) => pattern !== undefined && coversPath(pattern, real, root, home));
}

function allow(): Decision {
  return { verdict: "allow", reason: "", suggestions: [] };
}

function ask(reason: string, suggestions: string[]): Decision {
  return { verdict: "ask", reason, suggestions };
}

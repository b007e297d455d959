// One settings.json. A key that is not known, a value that is not right and a rule that is not understood are left out and named
// with their line; the rest holds, but for what was to protect, which is taken for more than it may have said. A text that is no
// JSON ends the command, since nothing of it can be told.
import { isDeepStrictEqual } from "node:util";
import { Type, validateToolArguments } from "@rondo/ai";
import { findJsonFault } from "@rondo/ai/node";
import { UsageError } from "../exit-codes.ts";
import { missingKeys } from "../modes/interactive/essential-keys.ts";
import { keyConflicts, keyProblem } from "../modes/interactive/key-table.ts";
import { styleProblem } from "../modes/interactive/theme.ts";
import { parseRule, type Rule, type Verdict } from "../permissions/rules.ts";
import { lineOf } from "./line-of.ts";
import { readPlainText } from "./plain-file.ts";
import { type FileSettings, SettingsSchema } from "./settings-schema.ts";

/** What a file holds. */
export interface SettingsFile {
  path: string;
  /** As it was written, for the lines of what it holds. */
  text: string;
  settings: FileSettings;
  rules: Rule[];
  /** What was left out and why, each with its line. */
  problems: string[];
  /** Whether something that was to forbid or to ask could not be read, so that nobody can tell what it was about. */
  isUncertain: boolean;
}

const VERDICTS: readonly Verdict[] = ["deny", "ask", "allow"];

/** Reads a file; empty if there is none. Rejects with a `UsageError` if it cannot be read or is no JSON object. */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  const file: SettingsFile = { path, text: "", settings: {}, rules: [], problems: [], isUncertain: false };
  let text: string;
  try {
    text = readPlainText(path).replace(/^\ufeff/, "");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return file;
    throw new UsageError(`${path} cannot be read: ${code ?? message}`);
  }
  file.text = text;
  for (const [name, value] of Object.entries(parseObject(path, text))) {
    if (BY_ENTRY.has(name) && isObject(value)) {
      takeEntries(file, name, value);
      continue;
    }
    const problem = valueProblem(name, value);
    if (problem === undefined) Object.assign(file.settings, { [name]: value });
    else leaveOut(file, name, problem);
  }
  for (const verdict of VERDICTS) takeRules(file, verdict);
  checkKeys(file);
  checkStyles(file);
  return file;
}

/** Settings whose entries hold each for itself. */
const BY_ENTRY = new Set(["compaction", "keys", "mcpServers", "styles"]);

/** Takes the entries that are right; without any the setting is not there. */
function takeEntries(file: SettingsFile, name: string, value: object): void {
  const right = Object.entries(value).filter(([entry, each]) => {
    const problem = valueProblem(name, { [entry]: each }, `${name}: ${entry}`);
    if (problem !== undefined) file.problems.push(`${file.path}:${lineOf(file.text, [name, entry])}: ${problem}`);
    return problem === undefined;
  });
  if (right.length > 0) Object.assign(file.settings, { [name]: Object.fromEntries(right) });
}

/** Settings that protect, and words by which other programs or a slip of the finger call them. */
const PROTECTING = /^(?:deny|ask|permission|sandbox)/i;

/** What was to protect protects all the more when it is not understood. */
function leaveOut(file: SettingsFile, name: string, problem: string): void {
  let consequence = "";
  if (/^sandbox/i.test(name)) {
    file.settings.sandbox ??= true;
    consequence = " To be safe, commands run in the sandbox.";
  } else if (PROTECTING.test(name)) file.isUncertain = true;
  file.problems.push(`${file.path}:${lineOf(file.text, [name])}: ${problem}${consequence}`);
}

function parseObject(path: string, text: string): object {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const { line, column, problem } = findJsonFault(text, error);
    throw new UsageError(`${path} cannot be used: line ${line}, column ${column}: not valid JSON (${problem})`);
  }
  if (isObject(content)) return content;
  throw new UsageError(`${path} should hold an object.`);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param what the value, for people. Default: its name */
function valueProblem(name: string, value: unknown, what = name): string | undefined {
  const properties: Record<string, object> = SettingsSchema.properties;
  const known = Object.keys(properties).filter((key) => !key.startsWith("$"));
  if (!Object.hasOwn(properties, name)) return `there is no setting ${name}. There are ${known.join(", ")}.`;
  const parameters = Type.Object({ [name]: properties[name] as typeof SettingsSchema.properties.model });
  const call = { type: "toolCall" as const, id: "settings", name: "settings", arguments: { [name]: value } };
  try {
    const read = validateToolArguments({ name: "settings", description: "", parameters }, call);
    if (isDeepStrictEqual(read[name], value)) return undefined;
    return `${what} is not of the right type.`;
  } catch (error) {
    const places = (error as Error).message.split("\n").filter((line) => line.startsWith("- "));
    return `${places.map((line) => line.slice(2)).join("; ")}.`;
  }
}

function checkKeys({ path, text, settings, problems }: SettingsFile): void {
  const { keys = {} } = settings;
  for (const [name, wanted] of Object.entries(keys)) {
    const problem = keyProblem(name, wanted);
    if (problem === undefined) continue;
    problems.push(`${path}:${lineOf(text, ["keys", name])}: keys: ${problem}`);
    delete keys[name];
  }
  for (const { name, problem } of keyConflicts(keys))
    problems.push(`${path}:${lineOf(text, ["keys", name])}: keys: ${problem}`);
  for (const { name, problem } of missingKeys(keys))
    problems.push(`${path}:${lineOf(text, ["keys", name])}: keys: ${problem}`);
}

function checkStyles({ path, text, settings, problems }: SettingsFile): void {
  const { styles = {} } = settings;
  for (const [name, style] of Object.entries(styles)) {
    const problem = styleProblem(style);
    if (problem === undefined) continue;
    problems.push(`${path}:${lineOf(text, ["styles", name])}: styles: ${problem}`);
    delete styles[name as keyof typeof styles];
  }
}

function takeRules(file: SettingsFile, verdict: Verdict): void {
  for (const [index, rule] of (file.settings[verdict] ?? []).entries()) {
    const place = `${file.path}:${lineOf(file.text, [verdict, index])}`;
    try {
      file.rules.push({ ...parseRule(verdict, rule), place });
    } catch (error) {
      file.problems.push(`${place}: ${(error as Error).message}`);
      if (verdict !== "allow") file.isUncertain = true;
    }
  }
}

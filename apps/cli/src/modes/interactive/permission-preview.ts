// What a tool call would do, for the person who is to allow it: the command in full, the change as a diff, else all arguments.
import { countOf } from "../../presentation/count-of.ts";
import { cleanForScreen } from "../../terminal/escape.ts";
import { describeChange } from "../../tools/file-diff.ts";
import { absolutePath } from "../../tools/file-path.ts";
import { readWholeFile } from "../../tools/whole-file.ts";
import { diffLines } from "./blocks/diff-lines.ts";
import type { Theme } from "./theme.ts";

/** More is read by nobody; whoever shows them says what there is no room for. */
const LINES_MAX = 2000;
const LINE_CHARACTERS_MAX = 1_000_000;
const LINE_END = /\r*\n/;

/** Clean and styled lines. Never fails: what cannot be read is shown as if it were new. */
export async function previewCall(
  theme: Theme,
  place: { root: string; home: string },
  tool: string,
  args: Record<string, unknown>,
): Promise<string[]> {
  const path = String(args["path"] ?? "");
  if (tool === "bash") return limit(theme, String(args["command"]).split(LINE_END));
  if (tool === "write" && typeof args["content"] === "string") {
    const before = await readWholeFile(absolutePath(place, path)).then(String, () => "");
    return [describePath(path), ...describeWrite(theme, path, before, args["content"])];
  }
  if (tool === "edit" && Array.isArray(args["edits"])) {
    const edits = args["edits"] as { oldText?: unknown; newText?: unknown }[];
    const diff = edits.map(({ oldText, newText }) => describeEdit(String(oldText), String(newText))).join("\n");
    return [describePath(path), ...diffLines(theme, diff, LINES_MAX)];
  }
  return limit(theme, Object.entries(args).flatMap(describeArgument));
}

/** What the answers that last would allow, as clean and styled lines; none if they are not to be had. */
export function describeRules(theme: Theme, rules: string[]): string[] {
  return rules.length === 0 ? [] : [`${theme.paint("muted", "a and p allow:")} ${ruleLine(rules)}`];
}

/** Rules as one clean line. */
export function ruleLine(rules: string[]): string {
  return cleanForScreen(rules.join(", ")).replaceAll("\n", " ");
}

/** A line feed in a name must not look like a line of ours. */
function describePath(path: string): string {
  return cleanForScreen(path).replaceAll("\n", "\\n");
}

/** The change; of one that is too long to be compared, the counts and the content that is to be there. */
function describeWrite(theme: Theme, path: string, before: string, content: string): string[] {
  const { diff, linesAdded, linesRemoved } = describeChange(path, before, content);
  if (diff !== "" || before === content) return diffLines(theme, diff, LINES_MAX);
  const counts = `+${countOf(linesAdded, "line")}, −${countOf(linesRemoved, "line")}: too much to be compared. The new content:`;
  return [theme.paint("warning", counts), ...limit(theme, content.split(LINE_END))];
}

function describeArgument([name, value]: [string, unknown]): string[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${name}: ${text}`.split(LINE_END);
}

/** The change without line numbers, since those of a piece of text mean nothing. */
function describeEdit(oldText: string, newText: string): string {
  return describeChange("", oldText, newText)
    .diff.split("\n")
    .filter((line) => !line.startsWith("@@"))
    .join("\n");
}

/** Foreign lines, clean; those that nobody would read are counted. */
function limit(theme: Theme, lines: string[]): string[] {
  const shown = lines.slice(0, LINES_MAX).map((line) => {
    const hidden = line.length - LINE_CHARACTERS_MAX;
    const end = hidden > 0 ? theme.paint("warning", `… ${countOf(hidden, "character")} more`) : "";
    return cleanForScreen(line.slice(0, LINE_CHARACTERS_MAX)) + end;
  });
  if (lines.length <= LINES_MAX) return shown;
  const hidden = `… ${countOf(lines.length - LINES_MAX, "line")} more, which are not shown`;
  return [...shown, theme.paint("warning", hidden)];
}

// What a tool call would do, for the person who is to allow it: the command in full, the change as a diff, else the arguments.
import { readFile } from "node:fs/promises";
import { describeArguments } from "../../presentation/describe-call.ts";
import { cleanForScreen } from "../../terminal/escape.ts";
import { describeChange } from "../../tools/file-diff.ts";
import { absolutePath } from "../../tools/file-path.ts";
import { diffLines } from "./blocks/diff-lines.ts";
import type { Theme } from "./theme.ts";

/** Clean and styled lines. Never fails: what cannot be read is shown as if it were new. */
export async function previewCall(
  theme: Theme,
  place: { root: string; home: string },
  tool: string,
  args: Record<string, unknown>,
  linesMax: number,
): Promise<string[]> {
  const path = String(args["path"] ?? "");
  if (tool === "bash") return limit(theme, cleanForScreen(String(args["command"])).split("\n"), linesMax);
  if (tool === "write" && typeof args["content"] === "string") {
    const before = await readFile(absolutePath(place, path), "utf8").catch(() => "");
    return [cleanForScreen(path), ...diffLines(theme, describeChange(path, before, args["content"]).diff, linesMax)];
  }
  if (tool === "edit" && Array.isArray(args["edits"])) {
    const edits = args["edits"] as { oldText?: unknown; newText?: unknown }[];
    const diff = edits.map(({ oldText, newText }) => describeEdit(String(oldText), String(newText))).join("\n");
    return [cleanForScreen(path), ...diffLines(theme, diff, linesMax)];
  }
  return limit(theme, [cleanForScreen(describeArguments(args))], linesMax);
}

/** The change without line numbers, since those of a piece of text mean nothing. */
function describeEdit(oldText: string, newText: string): string {
  return describeChange("", oldText, newText)
    .diff.split("\n")
    .filter((line) => !line.startsWith("@@"))
    .join("\n");
}

function limit(theme: Theme, lines: string[], linesMax: number): string[] {
  if (lines.length <= linesMax) return lines;
  const hidden = `… ${lines.length - linesMax} lines more, which are not shown`;
  return [...lines.slice(0, linesMax), theme.paint("warning", hidden)];
}

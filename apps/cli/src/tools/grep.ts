// The grep tool: lines that match, by file and number. Lines and matches are bounded, and the search is killed at the bound.
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { Type } from "@rondo/ai";
import { existingPath } from "./file-path.ts";
import type { LookingTool } from "./looking-tool.ts";
import { escapeControls, RESULT_BYTES_MAX, textResult } from "./result.ts";
import { runRipgrep } from "./ripgrep.ts";
import type { Workspace } from "./workspace.ts";

const MATCHES_MAX = 200;
const COLUMNS_MAX = 400;
const CONTEXT_LINES_MAX = 20;

const parameters = Type.Object({
  pattern: Type.String({ description: "Regular expression, or text if literal is set" }),
  path: Type.Optional(Type.String({ description: "File or folder to search. Default: the workspace" })),
  glob: Type.Optional(Type.String({ description: "Only files that match, such as *.ts" })),
  ignoreCase: Type.Optional(Type.Boolean({ description: "Default false" })),
  literal: Type.Optional(Type.Boolean({ description: "Take the pattern as it is. Default false" })),
  context: Type.Optional(
    Type.Integer({ minimum: 0, maximum: CONTEXT_LINES_MAX, description: "Lines around each match. Default 0" }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: `Most matching lines. Default and most ${MATCHES_MAX}` }),
  ),
});

/** Makes the grep tool of a workspace. */
export function createGrepTool(workspace: Workspace): LookingTool<typeof parameters, { matches: number }> {
  return {
    name: "grep",
    label: "Grep",
    description:
      `Search files for a pattern. Honours .gitignore, leaves out binary files. Shows at most ${MATCHES_MAX} matching ` +
      `lines, each cut at ${COLUMNS_MAX} characters.`,
    parameters,
    replay: "safe",
    async execute(_toolCallId, { pattern, path = ".", limit = MATCHES_MAX, ...options }, signal) {
      const absolute = existingPath(workspace, path);
      await stat(absolute).catch(() => {
        throw new Error(`There is no file or folder ${path}.`);
      });
      const most = Math.min(limit, MATCHES_MAX);
      // A pattern or path that begins with a dash must not become an option.
      const args = ["--json", "--hidden", "--glob=!.git", "--sort=path", `--context=${options.context ?? 0}`];
      if (options.glob !== undefined) args.push(`--glob=${options.glob}`);
      if (options.ignoreCase) args.push("--ignore-case");
      if (options.literal) args.push("--fixed-strings");
      args.push(`--regexp=${pattern}`, "--", absolute);
      const lines: string[] = [];
      let matches = 0;
      let size = 0;
      const { exitCode, errorText } = await runRipgrep(args, workspace.root, signal, (line) => {
        const entry = readEntry(line, workspace.root);
        if (!entry) return true;
        if (entry.isMatch && matches === most) return false;
        if (entry.isMatch) matches++;
        lines.push(entry.text);
        size += entry.text.length;
        return size <= RESULT_BYTES_MAX;
      });
      if (exitCode === 2 && matches === 0) throw new Error(`The search failed: ${errorText}`);
      if (matches === 0) return textResult("Nothing matches.", { matches });
      const cut =
        exitCode === undefined ? `\n[The first ${matches} matching lines. There are more: search more narrowly.]` : "";
      return textResult(lines.join("\n") + cut, { matches });
    },
  };
}

interface RipgrepText {
  text?: string;
  bytes?: string;
}

/** One line of ripgrep's JSON as `file:number:text`, or with dashes for context; undefined for what is no line of a file. */
function readEntry(line: string, root: string): { isMatch: boolean; text: string } | undefined {
  let entry: { type: string; data: { path?: RipgrepText; lines?: RipgrepText; line_number?: number | null } };
  try {
    entry = JSON.parse(line);
  } catch {
    // A line that was cut because it was too long.
    return { isMatch: true, text: "[a match in a line that is too long to show]" };
  }
  const { type, data } = entry;
  if (type !== "match" && type !== "context") return undefined;
  const textOf = (value: RipgrepText | undefined) =>
    value?.text ?? Buffer.from(value?.bytes ?? "", "base64").toString("utf8");
  const text = textOf(data.lines).replace(/\r?\n$/, "");
  const shown = text.length > COLUMNS_MAX ? `${text.slice(0, COLUMNS_MAX)}… [line of ${text.length} characters]` : text;
  const mark = type === "match" ? ":" : "-";
  const file = escapeControls(relative(root, textOf(data.path)) || ".");
  return {
    isMatch: type === "match",
    text: `${file}${mark}${data.line_number ?? "?"}${mark}${escapeControls(shown).replaceAll("\\x09", "\t")}`,
  };
}

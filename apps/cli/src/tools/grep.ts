// The grep tool: lines that match, by file and number. Lines and matches are bounded, and the search ends at the bound.
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { Type } from "@rondo/ai";
import { countOf, firstOf } from "../presentation/count-of.ts";
import { existingPath } from "./file-path.ts";
import type { LookingTool } from "./looking-tool.ts";
import { escapeControls, RESULT_BYTES_MAX, textResult } from "./result.ts";
import { findRipgrep } from "./ripgrep.ts";
import { searchLinesWithRipgrep } from "./ripgrep-lines.ts";
import { type FoundLine, searchLines } from "./search-lines.ts";
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

/** Makes the grep tool of a workspace. Where there is no ripgrep it searches by itself. */
export function createGrepTool(
  workspace: Workspace,
  find = findRipgrep,
): LookingTool<typeof parameters, { matches: number }> {
  return {
    name: "grep",
    label: "Grep",
    description:
      `Search files for a pattern. Honours .gitignore, leaves out binary files. Shows at most ${MATCHES_MAX} matching ` +
      `lines, each cut at ${COLUMNS_MAX} characters.`,
    parameters,
    replay: "safe",
    async execute(_toolCallId, { path = ".", limit = MATCHES_MAX, ...query }, signal) {
      const absolute = existingPath(workspace, path);
      await stat(absolute).catch(() => {
        throw new Error(`There is no file or folder ${path}.`);
      });
      const most = Math.min(limit, MATCHES_MAX);
      const lines: string[] = [];
      let matches = 0;
      let size = 0;
      const forbidden = new Map<string, boolean>();
      const take = (line: FoundLine): boolean => {
        const isForbidden = forbidden.get(line.file) ?? workspace.isSearchForbidden?.(line.file) ?? false;
        forbidden.set(line.file, isForbidden);
        if (isForbidden) return true;
        if (line.isMatch && matches === most) return false;
        if (line.isMatch) matches++;
        const shown = showLine(line, workspace.root);
        lines.push(shown);
        size += shown.length;
        return size <= RESULT_BYTES_MAX;
      };
      const search = { ...query, path: absolute };
      const ripgrep = await find(workspace.env);
      const { isCut, skipped } =
        ripgrep === undefined
          ? await searchLines(search, signal, take)
          : await searchLinesWithRipgrep(ripgrep, search, workspace.root, signal, take);
      if (isCut) lines.push(`[The ${firstOf(matches, "matching line")}. There are more: search more narrowly.]`);
      if (skipped > 0)
        lines.push(`[Not searched: ${countOf(skipped, "file")} over 10 MB. Use bash with grep for what is so large.]`);
      const hidden = [...forbidden.values()].filter((isForbidden) => isForbidden).length;
      if (hidden > 0) lines.push(`[Matches in ${countOf(hidden, "file")} are left out: a rule forbids reading them.]`);
      return textResult(matches === 0 && lines.length === 0 ? "Nothing matches." : lines.join("\n"), { matches });
    },
  };
}

/** A line as `file:number:text`, or with dashes for context. */
function showLine({ file, number, text, isMatch }: FoundLine, root: string): string {
  const line = text.replace(/\r?\n$|\r$/, "");
  const shown = line.length > COLUMNS_MAX ? `${line.slice(0, COLUMNS_MAX)}… [line of ${line.length} characters]` : line;
  const mark = isMatch ? ":" : "-";
  const place = escapeControls(relative(root, file) || ".");
  return `${place}${mark}${number ?? "?"}${mark}${escapeControls(shown).replaceAll("\\x09", "\t")}`;
}

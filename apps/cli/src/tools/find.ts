// The find tool: files by a glob. Ignore files are honoured; hidden files are found, what is in .git is not.
import { stat } from "node:fs/promises";
import { Type } from "@rondo/ai";
import { firstOf } from "../presentation/count-of.ts";
import { existingPath } from "./file-path.ts";
import { listFiles } from "./list-files.ts";
import type { LookingTool } from "./looking-tool.ts";
import { escapeControls, textResult } from "./result.ts";
import { findRipgrep } from "./ripgrep.ts";
import { globMatcher } from "./walk-files.ts";
import type { Workspace } from "./workspace.ts";

const FILES_MAX = 1000;

const parameters = Type.Object({
  pattern: Type.String({ description: "Glob, such as *.ts or src/**/*.test.ts" }),
  path: Type.Optional(Type.String({ description: "Folder to look in. Default: the workspace" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: `Most files. Default and most ${FILES_MAX}` })),
});

/** Makes the find tool of a workspace. Where there is no ripgrep it looks by itself. */
export function createFindTool(
  workspace: Workspace,
  find = findRipgrep,
): LookingTool<typeof parameters, { files: number }> {
  return {
    name: "find",
    label: "Find",
    description: `Find files by a glob. Honours .gitignore. Shows at most ${FILES_MAX} paths, relative to the folder.`,
    parameters,
    replay: "safe",
    async execute(_toolCallId, { pattern, path = ".", limit = FILES_MAX }, signal) {
      const folder = existingPath(workspace, path);
      const isFolder = await stat(folder).then(
        (entry) => entry.isDirectory(),
        () => false,
      );
      if (!isFolder) throw new Error(`There is no folder ${path}.`);
      const most = Math.min(limit, FILES_MAX);
      const files: string[] = [];
      // Not by ripgrep's own --glob, which takes its pattern for more than the ignore files say.
      const isMeant = globMatcher(pattern);
      await listFiles(folder, await find(workspace.env), signal, (file) => {
        if (isMeant(file)) files.push(escapeControls(file));
        return files.length <= most;
      });
      if (files.length === 0) return textResult("No file matches.", { files: 0 });
      const shown = files.slice(0, most);
      const more =
        files.length > most ? `\n[The ${firstOf(most, "file")}. There are more: use a narrower pattern.]` : "";
      return textResult(shown.join("\n") + more, { files: shown.length });
    },
  };
}

// The ls tool: the entries of a folder, one a line. One entry that cannot be looked at never spoils the list.
import { lstat, readdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "@rondo/ai";
import { existingPath } from "./file-path.ts";
import type { LookingTool } from "./looking-tool.ts";
import { escapeControls, formatBytes, textResult } from "./result.ts";
import type { Workspace } from "./workspace.ts";

const ENTRIES_MAX = 500;

const parameters = Type.Object({
  path: Type.Optional(
    Type.String({ description: "Folder, relative to the workspace or absolute. Default: the workspace" }),
  ),
});

/** Makes the ls tool of a workspace. */
export function createLsTool(workspace: Workspace): LookingTool<typeof parameters, { path: string; entries: number }> {
  return {
    name: "ls",
    label: "List",
    description: `List a folder: folders end in /, links show where they lead. Shows at most ${ENTRIES_MAX} entries.`,
    parameters,
    replay: "safe",
    async execute(_toolCallId, { path = "." }) {
      const folder = existingPath(workspace, path);
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOTDIR") throw new Error(`${path} is a file. Use read to see what is in it.`);
        if (error.code === "ENOENT") throw new Error(`There is no folder ${path}.`);
        throw error;
      });
      names.sort();
      const lines = await Promise.all(names.slice(0, ENTRIES_MAX).map((name) => describeEntry(folder, name)));
      if (names.length > ENTRIES_MAX)
        lines.push(`[${ENTRIES_MAX} of ${names.length} entries. Use find with a pattern for the others.]`);
      return textResult(lines.join("\n") || "The folder is empty.", { path, entries: names.length });
    },
  };
}

async function describeEntry(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const shown = escapeControls(name);
  try {
    const entry = await lstat(path);
    if (entry.isDirectory()) return `${shown}/`;
    if (entry.isFile()) return `${shown}  ${formatBytes(entry.size)}`;
    if (!entry.isSymbolicLink()) return `${shown}  (device, socket or pipe)`;
    const target = escapeControls(await readlink(path));
    const end = await stat(path).catch(() => undefined);
    return `${shown} -> ${target}${end === undefined ? "  (leads nowhere)" : end.isDirectory() ? "/" : ""}`;
  } catch (error) {
    if (name.includes("\ufffd")) return `${shown}  (its name is no UTF-8, so only commands can reach it)`;
    return `${shown}  (cannot be looked at: ${(error as NodeJS.ErrnoException).code ?? error})`;
  }
}

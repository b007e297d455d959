// The write tool: makes a file or replaces it whole. Keeps what the old file was in: encoding, byte-order mark, line endings,
// mode, links.
import type { AgentTool } from "@rondo/agent";
import { Type } from "@rondo/ai";
import { writeAtomically } from "./atomic-write.ts";
import { describeChange, type FileChange } from "./file-diff.ts";
import { absolutePath } from "./file-path.ts";
import { tellFileProblem } from "./file-problem.ts";
import { uniformEnding, withEnding } from "./line-endings.ts";
import { formatBytes, textResult } from "./result.ts";
import { decodeFile, encodeFile, type TextFile } from "./text-file.ts";
import { readWholeFile } from "./whole-file.ts";
import type { Workspace } from "./workspace.ts";

const parameters = Type.Object({
  path: Type.String({ description: "File to write, relative to the workspace or absolute; folders are made" }),
  content: Type.String({ description: "The whole new content" }),
});

/** Makes the write tool of a workspace. */
export function createWriteTool(workspace: Workspace): AgentTool<typeof parameters, FileChange> {
  return {
    name: "write",
    label: "Write",
    description:
      "Create a file, or replace its whole content. To change a part of a file use edit. An existing file keeps its " +
      "encoding, byte-order mark, CRLF line endings and mode.",
    parameters,
    resources: ({ path }) => ({ writes: [absolutePath(workspace, path)] }),
    async execute(_toolCallId, { path, content }) {
      const absolute = absolutePath(workspace, path);
      const before = await readWholeFile(absolute).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
        if (error.code === "EISDIR") throw new Error(`${path} is a folder, so it cannot be written as a file.`);
        throw error;
      });
      if (before) await workspace.seenFiles.assertUnchanged(absolute, before);
      const old = before && decodeFile(before);
      const { file, kept } = likeBefore(content, old);
      const bytes = encodeFile(file);
      await writeAtomically(absolute, bytes).catch(tellFileProblem(path));
      await workspace.seenFiles.note(absolute, bytes);
      const verb = before ? "Replaced" : "Created";
      const keeping = kept.length > 0 ? ` Kept from before: ${kept.join(", ")}.` : "";
      return textResult(
        `${verb} ${path} (${formatBytes(bytes.length)}).${keeping}`,
        describeChange(path, old?.text ?? "", file.text),
      );
    },
  };
}

/** The new content in the form of the old file. A file that was not valid UTF-8 becomes UTF-8. */
function likeBefore(content: string, old: TextFile | undefined): { file: TextFile; kept: string[] } {
  const hasMark = content.startsWith("\ufeff");
  const file: TextFile = { text: hasMark ? content.slice(1) : content, encoding: "utf-8", mark: hasMark };
  const kept: string[] = [];
  if (!old || old.encoding === "bytes") return { file, kept };
  if (old.encoding !== "utf-8") kept.push(`${old.encoding} encoding`);
  if (old.mark && !hasMark) kept.push("the byte-order mark");
  const toCrlf = uniformEnding(old.text) === "\r\n" && uniformEnding(file.text) === "\n";
  if (toCrlf) kept.push("CRLF line endings");
  const text = toCrlf ? withEnding(file.text, "\r\n") : file.text;
  return { file: { text, encoding: old.encoding, mark: old.mark || hasMark }, kept };
}

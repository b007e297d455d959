// The read tool: lines of a text file, or an image. Bounded in bytes, lines and time whatever the file is; what was left out
// is said, with the call that shows it.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { AgentToolResult } from "@rondo/agent";
import { Type } from "@rondo/ai";
import { ImageProblem, prepareImage } from "../images/prepare-image.ts";
import { countOf } from "../presentation/count-of.ts";
import { readContent, type TextContent } from "./file-content.ts";
import { existingPath } from "./file-path.ts";
import { tellFileProblem } from "./file-problem.ts";
import type { LookingTool } from "./looking-tool.ts";
import { formatBytes, RESULT_BYTES_MAX, RESULT_LINES_MAX, textResult } from "./result.ts";
import type { Workspace } from "./workspace.ts";

/** Larger files are not read from start to end; a command such as sed reads a part of one. */
const TEXT_BYTES_MAX = 100_000_000;

const parameters = Type.Object({
  path: Type.String({ description: "File to read, relative to the workspace or absolute" }),
  offset: Type.Optional(Type.Integer({ minimum: 1, description: "First line, from 1. Default 1" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: `Most lines. Default and most ${RESULT_LINES_MAX}` })),
});

/** What was shown of a file. */
export interface ReadDetails {
  path: string;
  /** Lines shown; 0 for an image. */
  lines: number;
}

/** Makes the read tool of a workspace. */
export function createReadTool(workspace: Workspace): LookingTool<typeof parameters, ReadDetails> {
  return {
    name: "read",
    label: "Read",
    description:
      `Read a text file or an image (PNG, JPEG, GIF, WebP, BMP, TIFF). Shows at most ${RESULT_LINES_MAX} lines or ` +
      `${formatBytes(RESULT_BYTES_MAX)}; use offset and limit for the rest.`,
    parameters,
    replay: "safe",
    resources: ({ path }) => ({ reads: [existingPath(workspace, path)] }),
    async execute(_toolCallId, { path, offset = 1, limit = RESULT_LINES_MAX }) {
      const absolute = existingPath(workspace, path);
      // Without O_NONBLOCK opening a named pipe waits for somebody who writes.
      const file = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK).catch(tellFileProblem(path));
      try {
        const content = await readContent(piecesOf(file, path), offset, Math.min(limit, RESULT_LINES_MAX));
        if (content.kind === "image") return await imageResult(path, content.bytes);
        if (content.kind === "binary") {
          const note = `${path} is a binary file (${formatBytes(content.size)}), so it is not shown.`;
          return textResult(note, { path, lines: 0 });
        }
        workspace.seenFiles.noteHash(absolute, content.hash);
        return linesResult(path, content, offset);
      } finally {
        await file.close();
      }
    },
  };
}

async function* piecesOf(file: FileHandle, path: string): AsyncGenerator<Buffer> {
  const info = await file.stat();
  if (info.isDirectory()) throw new Error(`${path} is a folder. Use ls to see what is in it.`);
  if (!info.isFile()) throw new Error(`${path} is a device, socket or pipe, so it is not read.`);
  if (info.size > TEXT_BYTES_MAX)
    throw new Error(
      `${path} is ${formatBytes(info.size)} large. Read a part of it with a command such as sed or tail.`,
    );
  let total = 0;
  // Files under /proc say that they are empty, so the size is no help.
  for await (const piece of file.createReadStream({ autoClose: false, start: 0 })) {
    total += piece.length;
    if (total > TEXT_BYTES_MAX) throw new Error(`${path} grows as it is read. Read a part of it with a command.`);
    yield piece;
  }
}

async function imageResult(path: string, bytes: Buffer): Promise<AgentToolResult<ReadDetails>> {
  const details = { path, lines: 0 };
  try {
    // Its first bytes say that it is one.
    const { description, content } = (await prepareImage(bytes))!;
    return { content: [{ type: "text", text: `${path}: ${description}` }, content], details };
  } catch (error) {
    if (!(error instanceof ImageProblem)) throw error;
    return textResult(
      `${path} is an image (${formatBytes(bytes.length)}) that is not shown: ${error.message}.`,
      details,
    );
  }
}

function linesResult(path: string, content: TextContent, offset: number): AgentToolResult<ReadDetails> {
  const { lines, count, isDamaged } = content;
  if (count === 0) return textResult(`${path} is empty.`, { path, lines: 0 });
  if (offset > count) throw new Error(`${path} has ${countOf(count, "line")}, so there is nothing at line ${offset}.`);
  const notes: string[] = [];
  const next = offset + lines.length;
  if (next <= count) notes.push(`Lines ${offset} to ${next - 1} of ${count}. Go on with offset=${next}.`);
  if (isDamaged)
    notes.push(
      "The file is not valid UTF-8; � stands for bytes that could not be read. Only ASCII in it can be edited.",
    );
  const tail = notes.length > 0 ? `\n\n[${notes.join(" ")}]` : "";
  return textResult(`${lines.join("\n")}${tail}`, { path, lines: lines.length });
}

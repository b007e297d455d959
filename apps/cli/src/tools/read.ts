// The read tool: lines of a text file, or an image. Bounded in bytes, lines and time whatever the file is; what was left out
// is said, with the call that shows it.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { AgentToolResult } from "@rondo/agent";
import { Type } from "@rondo/ai";
import { ImageProblem, prepareImage } from "../images/prepare-image.ts";
import { existingPath } from "./file-path.ts";
import { tellFileProblem } from "./file-problem.ts";
import type { LookingTool } from "./looking-tool.ts";
import { cutLine, formatBytes, RESULT_BYTES_MAX, RESULT_LINES_MAX, textResult } from "./result.ts";
import { isBinary, readableText } from "./text-file.ts";
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
        const bytes = await readAll(file, path);
        const image = await imageResult(path, bytes);
        if (image) return image;
        if (isBinary(bytes)) {
          const note = `${path} is a binary file (${formatBytes(bytes.length)}), so it is not shown.`;
          return textResult(note, { path, lines: 0 });
        }
        await workspace.seenFiles.note(absolute, bytes);
        return showLines(path, bytes, offset, Math.min(limit, RESULT_LINES_MAX));
      } finally {
        await file.close();
      }
    },
  };
}

async function readAll(file: FileHandle, path: string): Promise<Buffer> {
  const info = await file.stat();
  if (info.isDirectory()) throw new Error(`${path} is a folder. Use ls to see what is in it.`);
  if (!info.isFile()) throw new Error(`${path} is a device, socket or pipe, so it is not read.`);
  if (info.size > TEXT_BYTES_MAX)
    throw new Error(
      `${path} is ${formatBytes(info.size)} large. Read a part of it with a command such as sed or tail.`,
    );
  const parts: Buffer[] = [];
  let total = 0;
  // Files under /proc say that they are empty, so the size is no help.
  for await (const part of file.createReadStream({ autoClose: false, start: 0 })) {
    parts.push(part);
    total += part.length;
    if (total > TEXT_BYTES_MAX) throw new Error(`${path} grows as it is read. Read a part of it with a command.`);
  }
  return Buffer.concat(parts);
}

async function imageResult(path: string, bytes: Buffer): Promise<AgentToolResult<ReadDetails> | undefined> {
  const details = { path, lines: 0 };
  try {
    const image = await prepareImage(bytes);
    if (!image) return undefined;
    return { content: [{ type: "text", text: `${path}: ${image.description}` }, image.content], details };
  } catch (error) {
    if (!(error instanceof ImageProblem)) throw error;
    return textResult(
      `${path} is an image (${formatBytes(bytes.length)}) that is not shown: ${error.message}.`,
      details,
    );
  }
}

function showLines(path: string, bytes: Buffer, offset: number, limit: number): AgentToolResult<ReadDetails> {
  const { text, isDamaged } = readableText(bytes);
  if (text === "") return textResult(`${path} is empty.`, { path, lines: 0 });
  const count = countLines(text);
  if (offset > count) throw new Error(`${path} has ${count} lines, so there is nothing at line ${offset}.`);
  const shown: string[] = [];
  let size = 0;
  for (let start = startOfLine(text, offset); start < text.length && shown.length < limit; ) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    const line = cutLine(text.slice(start, end).replace(/\r$/, ""));
    size += Buffer.byteLength(line) + 1;
    if (size > RESULT_BYTES_MAX && shown.length > 0) break;
    shown.push(line);
    start = end + 1;
  }
  const notes: string[] = [];
  const next = offset + shown.length;
  if (next <= count) notes.push(`Lines ${offset} to ${next - 1} of ${count}. Go on with offset=${next}.`);
  if (isDamaged)
    notes.push(
      "The file is not valid UTF-8; � stands for bytes that could not be read. Only ASCII in it can be edited.",
    );
  const tail = notes.length > 0 ? `\n\n[${notes.join(" ")}]` : "";
  return textResult(`${shown.join("\n")}${tail}`, { path, lines: shown.length });
}

/** Lines are found rather than split: a log of a million lines would be a million strings, for the few that are shown. */
function countLines(text: string): number {
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Where the line with this number, from 1, begins. */
function startOfLine(text: string, number: number): number {
  let start = 0;
  for (let line = 1; line < number; line++) start = text.indexOf("\n", start) + 1;
  return start;
}

// Reads files that somebody else may have put there: a pipe that nobody writes to or a device without an end must not hold the
// command up, whatever it is called.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** What was read of a file. */
export interface PlainFile {
  bytes: Buffer;
  /** Whether there is more. */
  isCut: boolean;
}

/** The beginning of a file, at most so many bytes. Throws if it cannot be read or is no regular file. */
export function readPlainFile(path: string, bytesMax: number): PlainFile {
  // Without O_NONBLOCK opening a named pipe waits for somebody who writes.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    // As big integers: see file-path.ts.
    const state = fstatSync(fd, { bigint: true });
    if (!state.isFile()) throw new Error("it is no regular file.");
    const bytes = Buffer.allocUnsafe(Math.min(bytesMax + 1, Number(state.size) + 1));
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      read = readSync(fd, bytes, length, bytes.length - length, null);
    return { bytes: bytes.subarray(0, Math.min(length, bytesMax)), isCut: length > bytesMax };
  } finally {
    closeSync(fd);
  }
}

/** The text of a file. Throws if it cannot be read, is no regular file or is longer. */
export function readPlainText(path: string, bytesMax = 10_000_000): string {
  const { bytes, isCut } = readPlainFile(path, bytesMax);
  if (isCut) throw new Error(`it is over ${bytesMax} bytes.`);
  return bytes.toString("utf8");
}

// Reads a file that is to be changed, or a change of which is to be shown.
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** All bytes of a file. Rejects at once for a pipe, a device or a socket, which could keep a reader for ever. */
export async function readWholeFile(path: string): Promise<Buffer> {
  // Without O_NONBLOCK opening a named pipe waits for somebody who writes.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const state = await file.stat();
    if (!state.isFile() && !state.isDirectory())
      throw new Error(`${path} is a device, socket or pipe, so it is left alone.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

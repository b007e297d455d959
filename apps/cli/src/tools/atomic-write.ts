// Puts bytes into a file so that it holds either the old content or the new one at every moment: a temporary file beside the
// real target, then a rename. Links stay links and modes stay modes.
import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { realPath } from "../permissions/path-scope.ts";

/**
 * Writes a file, making the folders that it needs. Through a symbolic link it writes to what the link points to. Where a rename
 * would do harm (other hard links to the file) or is not allowed (no right to write the folder), it writes in place.
 */
export async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  // By the same steps as the permissions, so that what is written is what was allowed.
  const target = realPath(path);
  const current = await stat(target).catch(ignoreMissing);
  if (current?.isDirectory()) throw new Error(`${path} is a folder, so it cannot be written as a file.`);
  if (current && !current.isFile()) throw new Error(`${path} is not a regular file, so it is not written.`);
  if (current && (current.mode & 0o222) === 0)
    throw new Error(`${path} is read-only. Change its mode first if it is meant to be changed.`);
  await mkdir(dirname(target), { recursive: true });
  if (current && current.nlink > 1) return writeFile(target, bytes);

  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(temporary, "wx", current ? current.mode & 0o777 : 0o666);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    // The mode given to open is narrowed by the umask.
    if (current) await chmod(temporary, current.mode & 0o7777);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    const denied = ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
    if (!denied || !current) throw error;
    await writeFile(target, bytes);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}

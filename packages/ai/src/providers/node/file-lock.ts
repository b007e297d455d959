// A lock between processes: a file that only one of them can create. Held for the milliseconds of one write. Not proper-lockfile, whose
// last release is of 2021 and which hooks into the exit of the whole process.
import { randomUUID } from "node:crypto";
import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** A lock older than this was left behind by a process that died: nobody holds it for more than some milliseconds. */
const STALE_MS = 10_000;
const RETRY_MS = 20;

/** Runs `work` while no other process does so for the same path. Rejects if the lock is not free within `waitMs`. */
export async function withFileLock<T>(path: string, work: () => Promise<T>, waitMs = 15_000): Promise<T> {
  const lock = `${path}.lock`;
  const token = randomUUID();
  const deadline = Date.now() + waitMs;
  while (!(await tryCreate(lock, token))) {
    await removeStale(lock);
    if (Date.now() > deadline) {
      throw new Error(`${path} is being written by another process. If none is running, delete ${lock}.`);
    }
    await sleep(RETRY_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    // Somebody may have taken the lock for stale, if this process was stopped for long; then it is no longer ours.
    if ((await readIfThere(lock)) === token) await rm(lock, { force: true });
  }
}

async function tryCreate(lock: string, token: string): Promise<boolean> {
  try {
    const file = await open(lock, "wx", 0o600);
    await file.writeFile(token);
    await file.close();
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Removes a lock whose process died. One process at a time does so, or the second would remove the lock that the first then took. */
async function removeStale(lock: string): Promise<void> {
  if (!(await isStale(lock))) return;
  const breaker = `${lock}.break`;
  if (!(await tryCreate(breaker, ""))) {
    if (await isStale(breaker)) await rm(breaker, { force: true });
    return;
  }
  try {
    if (await isStale(lock)) await rm(lock, { force: true });
  } finally {
    await rm(breaker, { force: true });
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    return Date.now() - mtimeMs >= STALE_MS;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

// One owner per run, or per session of the command: an exclusive lock of the operating system on a file beside it. The kernel
// drops it when its process dies, however it dies, so there is no stale lock to judge: no process number that was given out
// again, no clock, no heartbeat that a busy event loop misses. Node has no call for it, hence fs-native-extensions (open file
// description locks on Linux, flock on macOS, LockFileEx on Windows). The file itself stays; only the lock on it means anything.
import { closeSync, openSync } from "node:fs";
import { createRequire } from "node:module";

interface NativeLocks {
  tryLock(fd: number): boolean;
}

let nativeLocks: NativeLocks | undefined;

/** Loaded on first use, so that a platform without the binary can still read and submit runs. */
function locks(): NativeLocks {
  try {
    nativeLocks ??= createRequire(import.meta.url)("fs-native-extensions") as NativeLocks;
    return nativeLocks;
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`;
    throw new Error(`File locks are not available on ${platform}, so nothing here can have one owner.`, { cause });
  }
}

/** A lock that is held until it is released or the process ends. */
export interface OwnerLock {
  release(): void;
}

/** Takes the lock, or gives undefined if somebody holds it, in this process or another. */
export function tryOwnerLock(path: string): OwnerLock | undefined {
  const fd = openSync(path, "a");
  let granted = false;
  try {
    granted = locks().tryLock(fd);
  } finally {
    if (!granted) closeSync(fd);
  }
  return granted ? { release: () => closeSync(fd) } : undefined;
}

// One owner per run, or per session of the command: an exclusive lock of the operating system on a file beside it. The kernel
// drops it when its process dies, however it dies, so there is no stale lock to judge: no process number that was given out
// again, no clock, no heartbeat that a busy event loop misses. Node has no call for it, hence fs-native-extensions (open file
// description locks on Linux, flock on macOS, LockFileEx on Windows). Only the lock on the file means anything, so a file that a
// dead process left is no harm; its owner may take it away, and whoever had opened it by then sees that it is another file.
import { closeSync, fstatSync, openSync, rmSync, statSync } from "node:fs";
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

/** How often the file may be taken away between the opening and the lock. */
const ATTEMPTS_MAX = 100;

/** A lock that is held until it is released or the process ends. */
export interface OwnerLock {
  /** Lets go. The file stays. */
  release(): void;
  /** Takes the file away and lets go. */
  remove(): void;
}

/** Takes the lock, or gives undefined if somebody holds it, in this process or another. */
export function tryOwnerLock(path: string): OwnerLock | undefined {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const fd = openSync(path, "a");
    let isOurs = false;
    try {
      if (!locks().tryLock(fd)) return undefined;
      isOurs = isFileAt(path, fd);
      if (isOurs) return lockOn(path, fd);
    } finally {
      if (!isOurs) closeSync(fd);
    }
  }
  return undefined;
}

/** Whether an open file is still the one that others find at the path. */
function isFileAt(path: string, fd: number): boolean {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && there.ino === fstatSync(fd, { bigint: true }).ino;
}

function lockOn(path: string, fd: number): OwnerLock {
  return {
    release: () => closeSync(fd),
    remove() {
      try {
        rmSync(path, { force: true });
      } catch {
        // Where an open file cannot be taken away it stays.
      }
      closeSync(fd);
    },
  };
}

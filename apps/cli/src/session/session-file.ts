// The one writer of a session file. Made on the first entry, so that a session in which nothing was said leaves nothing behind.
// Invariants: an entry is on its way to the disk, whole and in one write, before anybody hears of it; damaged lines are taken out
// of the file only after a copy of it was made; two processes never write the same file.
import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { type OwnerLock, tryOwnerLock } from "@rondo/durable/owner-lock";
import { UsageError } from "../exit-codes.ts";
import { formatLine } from "../presentation/json-lines.ts";
import { SESSION_VERSION, type SessionEntry, type SessionHeader } from "./entries.ts";
import { type LineProblem, readSession, type SessionContent } from "./read-session.ts";
import type { SessionStore } from "./session-store.ts";
import { SessionTree } from "./session-tree.ts";

const SESSION_BYTES_MAX = 1_000_000_000;
const PRIVATE = 0o600;
const BEGINNING = '{"type":"session"';

/** A session and its file. */
export class SessionFile implements SessionStore {
  readonly path: string;
  readonly header: SessionHeader;
  readonly tree: SessionTree;
  /** What was wrong with the file, in sentences for the person. */
  readonly notices: readonly string[];
  #lock: OwnerLock | undefined;
  #fd: number | undefined;
  #isHeaderWritten: boolean;
  /** Whether the file ends within a line. */
  #isTorn: boolean;
  /** Whether the file was removed by somebody and is yet to be written again. */
  #isRemoved = false;
  #isClosed = false;

  private constructor(
    path: string,
    header: SessionHeader,
    tree: SessionTree,
    state: { notices?: string[]; lock?: OwnerLock; isHeaderWritten?: boolean; isTorn?: boolean },
  ) {
    this.path = path;
    this.header = header;
    this.tree = tree;
    this.notices = state.notices ?? [];
    this.#lock = state.lock;
    this.#isHeaderWritten = state.isHeaderWritten ?? false;
    this.#isTorn = state.isTorn ?? false;
  }

  /** A session that is yet to be written. */
  static begin(path: string, header: SessionHeader): SessionFile {
    return new SessionFile(path, header, new SessionTree(), {});
  }

  /**
   * Opens a file for going on with it. Throws a `UsageError` if another process has it, if it is no session, or if it is of a
   * newer version. A file that does not exist is begun; that nobody else begins it meanwhile, it is locked from now on.
   */
  static open(path: string, newHeader: SessionHeader): SessionFile {
    const state = stateOf(path);
    if (state && !state.isFile()) throw new UsageError(`The session ${path} is no regular file. Name another one.`);
    const lock = state ? takeNextLock(path) : takeFirstLock(path);
    try {
      if (stateOf(path) === undefined) return new SessionFile(path, newHeader, new SessionTree(), { lock });
      const bytes = readBytes(path);
      const content = readSession(bytes);
      checkContent(path, content, bytes);
      const notices = content.problems.length > 0 ? [repair(path, bytes, content.problems)] : [];
      return new SessionFile(path, content.header ?? newHeader, new SessionTree(content.entries), {
        lock,
        notices,
        isHeaderWritten: content.header !== undefined,
        isTorn: content.problems.length === 0 && bytes.length > 0 && bytes.at(-1) !== 0x0a,
      });
    } catch (error) {
      lock.remove();
      throw error;
    }
  }

  /** Writes entries, which it then holds. Throws if they cannot be written; the session is then as before. */
  append(...entries: SessionEntry[]): void {
    if (this.#isClosed) throw new Error("The session is closed.");
    this.#letGoIfRemoved();
    const missing = this.#isRemoved ? this.tree.entries : [];
    const header = this.#isHeaderWritten ? "" : formatLine(this.header);
    this.#write(`${this.#isTorn ? "\n" : ""}${header}${[...missing, ...entries].map(formatLine).join("")}`);
    this.#isHeaderWritten = true;
    this.#isRemoved = false;
    for (const entry of entries) this.tree.add(entry);
  }

  /** Ends the writing. Another process may go on with the file then. */
  close(): void {
    this.#isClosed = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#lock?.remove();
    this.#lock = undefined;
  }

  /** A file that somebody has removed takes what is written into it along: it is begun again, with all that was in it. */
  #letGoIfRemoved(): void {
    if (this.#fd === undefined || fstatSync(this.#fd).nlink > 0) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    this.#lock?.remove();
    this.#lock = undefined;
    this.#isRemoved = true;
    this.#isHeaderWritten = false;
    this.#isTorn = false;
  }

  #write(text: string): void {
    const fd = this.#open();
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      written = writeSync(fd, bytes);
    } catch (error) {
      throw unwritable(this.path, error as Error);
    }
    if (written === bytes.length) {
      this.#isTorn = false;
      return;
    }
    this.#takeBack(fd, written);
    throw unwritable(this.path, new Error("the disk is full"));
  }

  /** Half a line would count as damage. On a full disk too a file can be made shorter. */
  #takeBack(fd: number, written: number): void {
    try {
      ftruncateSync(fd, fstatSync(fd).size - written);
    } catch {
      this.#isTorn = true;
    }
  }

  #open(): number {
    if (this.#fd !== undefined) return this.#fd;
    this.#lock ??= takeFirstLock(this.path);
    try {
      this.#fd = openSync(this.path, "a", PRIVATE);
      return this.#fd;
    } catch (error) {
      throw unwritable(this.path, error as Error);
    }
  }
}

function unwritable(path: string, cause: Error): Error {
  const remedy =
    "Make room or give the right to write there, name another folder by RONDO_DATA, or keep nothing with --no-session.";
  return new Error(`The session ${path} cannot be written: ${cause.message}. ${remedy}`, { cause });
}

/** As big integers: see file-path.ts. */
function stateOf(path: string): BigIntStats | undefined {
  return statSync(path, { throwIfNoEntry: false, bigint: true });
}

/** Reads a session without the right to write it. Throws a `UsageError` if there is none in the file. */
export function readSessionFile(path: string): SessionContent {
  const bytes = readBytes(path);
  const content = readSession(bytes);
  checkContent(path, content, bytes);
  return content;
}

/** A file that rondo gave its name, with the end of its id. */
const OWN_NAME = /-([0-9a-f]{6})\.jsonl$/;

/**
 * The lock on a file, or undefined if somebody has it. It is on a file beside it, since on Windows a locked file could not be read
 * by others.
 */
export function tryLock(path: string): OwnerLock | undefined {
  return tryOwnerLock(`${path}.lock`);
}

function takeLock(path: string): OwnerLock {
  const lock = tryLock(path);
  if (lock) return lock;
  const shortId = OWN_NAME.exec(path)?.[1];
  const copy = shortId === undefined ? "." : `, or go on in a copy: rondo --fork=${shortId}`;
  throw new UsageError(`The session ${path} is open in another rondo. End that one first${copy}`);
}

/** The lock on a file that is there, in a folder that may not be ours to write. */
function takeNextLock(path: string): OwnerLock {
  try {
    return takeLock(path);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new UsageError(
      `The session ${path} cannot be gone on with: nothing can be written to its folder, ${dirname(path)} (${code}). Give yourself the right to write there, or name a copy of the file elsewhere with --session.`,
    );
  }
}

/** The lock on a file whose folder may not be there yet. */
function takeFirstLock(path: string): OwnerLock {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return takeLock(path);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(unwritable(path, error as Error).message);
  }
}

function readBytes(path: string): Buffer {
  let size: number;
  try {
    const state = statSync(path, { bigint: true });
    if (!state.isFile()) throw new UsageError(`${path} is no regular file, so it is no session.`);
    size = Number(state.size);
    if (size <= SESSION_BYTES_MAX) return readFileSync(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The session ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new UsageError(`The session ${path} is over ${SESSION_BYTES_MAX} bytes.`);
}

function checkContent(path: string, { header, entries }: SessionContent, bytes: Buffer): void {
  if (header && header.version > SESSION_VERSION)
    throw new UsageError(`The session ${path} was written by a newer rondo (format ${header.version}). Update rondo.`);
  // A file that was cut off in its first line is ours all the same.
  const isOurs =
    header !== undefined || entries.length > 0 || bytes.toString("latin1", 0, BEGINNING.length) === BEGINNING;
  if (bytes.length > 0 && !isOurs) throw new UsageError(`${path} is no session of rondo, so it is left alone.`);
}

/** Keeps a copy of a damaged file, and takes the damaged lines out of it. Says so in a sentence. */
function repair(path: string, bytes: Buffer, problems: LineProblem[]): string {
  const copy = keepCopy(path);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end } of problems) {
    parts.push(bytes.subarray(from, start));
    from = end;
  }
  parts.push(bytes.subarray(from));
  const good = Buffer.concat(parts);
  const ending = good.length > 0 && good.at(-1) !== 0x0a ? "\n" : "";
  const temporary = `${path}.repaired`;
  rmSync(temporary, { force: true });
  // Writes all of it or throws, unlike a single write to a disk that is nearly full.
  writeFileSync(temporary, Buffer.concat([good, Buffer.from(ending)]), { flag: "wx", mode: PRIVATE });
  renameSync(temporary, path);
  const lines = problems.map(({ line, problem }) => `line ${line} (${problem})`).join(", ");
  return `The session had damage and goes on without ${lines}. The file as it was is kept as ${copy}.`;
}

function keepCopy(path: string): string {
  for (let number = 1; ; number++) {
    const copy = `${path}.damaged-${number}`;
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

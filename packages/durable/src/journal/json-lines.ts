// Files of JSON lines that a process may die in the middle of writing. Appending is group-committed: everything that came
// while the disk was busy goes out in one write and one fdatasync. Invariant: an append that resolved is on the disk.
import { constants, type FileHandle, open, truncate } from "node:fs/promises";

const NEWLINE = 0x0a;

/** The whole lines of a file from a byte on, and where they end. A torn last line is left for later. No file: no lines. */
export async function readLines(path: string, from = 0): Promise<{ lines: string[]; end: number }> {
  const file = await openExisting(path);
  if (!file) return { lines: [], end: from };
  try {
    const { size } = await file.stat();
    if (size <= from) return { lines: [], end: from };
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    const whole = bytes.subarray(0, bytes.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1);
    const lines = whole.toString().split("\n");
    return { lines: lines.slice(0, -1), end: from + whole.length };
  } finally {
    await file.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Cuts a torn last line off. Only for files that have one writer, and by it. */
export async function repairTail(path: string, end: number): Promise<void> {
  const file = await openExisting(path);
  if (!file) return;
  const { size } = await file.stat().finally(() => file.close());
  if (size > end) await truncate(path, end);
}

/** Adds one line to a file that several processes may add to. What a dead writer left torn cannot swallow it. */
export async function appendLine(path: string, value: unknown): Promise<void> {
  const file = await open(path, "a");
  try {
    await file.write(`\n${JSON.stringify(value)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The one writer of a file. */
export class LineWriter {
  readonly #file: FileHandle;
  readonly #sync: boolean;
  #waiting: string[] = [];
  /** The write that will take what is waiting. */
  #next: Promise<void> | undefined;
  #previous: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  private constructor(file: FileHandle, sync: boolean) {
    this.#file = file;
    this.#sync = sync;
  }

  /** @param sync whether appended lines must outlive the machine; those that need not outlive the process alone */
  static async open(path: string, sync: boolean): Promise<LineWriter> {
    return new LineWriter(await open(path, "a"), sync);
  }

  /** Resolves when the line is on the disk. After a failed write nothing more is written, since order would be lost. */
  append(value: unknown): Promise<void> {
    this.#waiting.push(`${JSON.stringify(value)}\n`);
    this.#next ??= this.#schedule();
    return this.#next;
  }

  /** Resolves when everything appended is on the disk and the file is closed. */
  async close(): Promise<void> {
    await this.#previous;
    await this.#file.close();
  }

  #schedule(): Promise<void> {
    const write = this.#previous.then(() => this.#write());
    this.#previous = write.catch(() => {});
    return write;
  }

  async #write(): Promise<void> {
    this.#next = undefined;
    if (this.#failure) throw this.#failure.error;
    try {
      await this.#file.appendFile(this.#waiting.splice(0).join(""));
      if (this.#sync) await this.#file.datasync();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

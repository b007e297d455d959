// The lines that the person sent at the terminal, those of all sessions of a workspace, for the editor of the next one. Invariants:
// a line is added whole, in one write, so that several processes lose nothing of each other's; only the owner can read the files.
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tryLock } from "./session-file.ts";

/** What is read: more than anybody goes back by hand. */
const LINES_MAX = 100;
/** A longer one is in its session, and not worth reading at every start. */
const LINE_CHARACTERS_MAX = 20_000;
/** When the file is longer it becomes the one before, in whose place it is put. */
const FILE_BYTES_MAX = 300_000;

/** The lines of one workspace. */
export class PromptHistory {
  readonly #folder: string;
  readonly #file: string;
  readonly #fileBefore: string;
  readonly #keeps: boolean;

  /** @param keeps whether lines are kept; those that are can be read all the same */
  constructor(folder: string, keeps: boolean) {
    this.#folder = folder;
    this.#file = join(folder, "prompts");
    this.#fileBefore = `${this.#file}.before`;
    this.#keeps = keeps;
  }

  /** The last 100 lines, oldest first and each once. Those that cannot be read are left out. */
  async read(): Promise<string[]> {
    const texts = await Promise.all(
      [this.#fileBefore, this.#file].map((path) => readFile(path, "utf8").catch(() => "")),
    );
    const newestFirst = texts.flatMap((text) => text.split("\n").flatMap(parseLine)).reverse();
    return [...new Set(newestFirst)].slice(0, LINES_MAX).reverse();
  }

  /** Keeps a line. */
  add(line: string): void {
    if (!this.#keeps || line.length > LINE_CHARACTERS_MAX) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      if (this.#isFull()) this.#makeRoom();
    } catch {
      // A full disk must not keep anybody from going on.
    }
  }

  #isFull(): boolean {
    return (statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > FILE_BYTES_MAX;
  }

  /** Whoever has the file open meanwhile writes into what is the one before then. */
  #makeRoom(): void {
    const lock = tryLock(this.#file);
    try {
      // Another process may have done it by now.
      if (lock && this.#isFull()) renameSync(this.#file, this.#fileBefore);
    } finally {
      lock?.remove();
    }
  }
}

/** A line that was cut off says nothing. */
function parseLine(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" && value !== "" ? [value] : [];
  } catch {
    return [];
  }
}

// Keeps what is being written in a file that only its owner can read, so that it outlives a crash. A draft belongs to a folder
// and a process; one whose process is gone is taken over.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WRITE_DELAY_MS = 250;

/** The draft of one run. */
export class Draft {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #file: string;
  #timer: NodeJS.Timeout | undefined;
  #text = "";

  constructor(home: string, workspace: string) {
    this.#folder = join(home, ".rondo", "drafts");
    this.#prefix = createHash("sha256").update(workspace).digest("hex").slice(0, 16);
    this.#file = join(this.#folder, `${this.#prefix}-${process.pid}.txt`);
  }

  /** What a run in this folder left that did not come to its end; empty if there is nothing. */
  takeOver(): string {
    let found = "";
    for (const name of this.#names()) {
      const owner = Number(/-(\d+)\.txt$/.exec(name)?.[1]);
      if (!name.startsWith(this.#prefix) || owner === process.pid || isAlive(owner)) continue;
      const file = join(this.#folder, name);
      try {
        found = readFileSync(file, "utf8") || found;
        rmSync(file, { force: true });
      } catch {
        // A draft that cannot be read is no reason not to begin.
      }
    }
    return found;
  }

  /** Notes what stands in the editor; it is written a moment later. */
  note(text: string): void {
    this.#text = text;
    this.#timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS);
    this.#timer.unref();
  }

  /** Writes what has been noted. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      if (this.#text === "") rmSync(this.#file, { force: true });
      else {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        writeFileSync(this.#file, this.#text, { mode: 0o600 });
      }
    } catch {
      // A full disk must not keep anybody from writing on.
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

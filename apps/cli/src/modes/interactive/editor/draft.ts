// Keeps what is being written in a file that only its owner can read, so that it outlives a crash. A draft belongs to a folder
// and a process; one whose process is gone is taken over.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
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

  /**
   * What a run in this folder left that did not come to its end, the newest if there are several; the others are left for the
   * next runs. Empty if there is nothing. To be called before anything is noted.
   */
  takeOver(): string {
    // In a container the numbers of processes come again: what has ours already would be written over.
    if (!existsSync(this.#file) && !this.#left().some((file) => this.#makeOwn(file))) return "";
    try {
      this.#text = readFileSync(this.#file, "utf8");
    } catch {
      // A draft that cannot be read is no reason not to begin.
    }
    return this.#text;
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

  /** Drafts whose processes are gone, the newest first. */
  #left(): string[] {
    const names = this.#names().filter((name) => {
      const owner = Number(/-(\d+)\.txt$/.exec(name)?.[1]);
      return name.startsWith(this.#prefix) && !isAlive(owner);
    });
    const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return names.map((name) => join(this.#folder, name)).sort((one, other) => changed(other) - changed(one));
  }

  /** Two runs that begin at once do not both get it, and at no moment is it nowhere. */
  #makeOwn(file: string): boolean {
    try {
      renameSync(file, this.#file);
      return true;
    } catch {
      return false;
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

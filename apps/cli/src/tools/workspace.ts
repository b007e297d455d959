// Where tools work and what they share: the folder, the environment of commands, and what the model has seen of each file.
// One per session; nothing here is global.
import { webcrypto } from "node:crypto";
import type { BackgroundJobs } from "./background-jobs.ts";
import type { ProcessGroups } from "./process-groups.ts";
import type { SandboxPlace } from "./sandbox.ts";

/** What the tools of one session share. */
export interface Workspace {
  /** Absolute path of the folder that relative paths are relative to. */
  root: string;
  /** The home folder, for paths that begin with `~/`. */
  home: string;
  /** Environment of the commands that tools start, before keys are taken out of it. */
  env: Record<string, string | undefined>;
  /** Folder for output that is too long to show. Made on first use, removed by whoever ends the session. */
  outputFolder: string;
  /** Whether rules keep a search from looking into a file. Absent: none do. */
  isSearchForbidden?: (path: string) => boolean;
  /** What the model last saw of each file. */
  seenFiles: SeenFiles;
  /** The commands that were started and may still run. */
  processGroups: ProcessGroups;
  jobs: BackgroundJobs;
  /** Present if commands run in a sandbox. */
  sandbox?: SandboxPlace;
}

/** Remembers the content of each file as the model last saw it, so that it never overwrites what it does not know. */
export class SeenFiles {
  readonly #hashes = new Map<string, string>();

  /** Notes that the model knows this content of the file. */
  async note(path: string, bytes: Uint8Array): Promise<void> {
    this.#hashes.set(path, await hash(bytes));
  }

  /** As `note`, by the SHA-256 of the content. */
  noteHash(path: string, sha256: Buffer): void {
    this.#hashes.set(path, sha256.toString("base64"));
  }

  /** Rejects if the model saw the file before and it holds something else now. */
  async assertUnchanged(path: string, bytes: Uint8Array): Promise<void> {
    const seen = this.#hashes.get(path);
    if (seen !== undefined && seen !== (await hash(bytes)))
      throw new Error(`${path} has changed since you last read it. Read it again before you change it.`);
  }
}

/** Away from the thread that draws: a large file takes longer than a keystroke may wait. */
async function hash(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("base64");
}

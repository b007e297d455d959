// What keeps the entries of one session, and a store for sessions that are not to be kept.
import type { SessionEntry, SessionHeader } from "./entries.ts";
import { SessionTree } from "./session-tree.ts";

/** Keeps entries. */
export interface SessionStore {
  readonly header: SessionHeader;
  readonly tree: SessionTree;
  /** The file; absent if there is none. */
  readonly path: string | undefined;
  /** What was wrong with the file, in sentences for the person. */
  readonly notices: readonly string[];
  /** Keeps entries, each of which names the one before. Throws if they cannot be kept. */
  append(...entries: SessionEntry[]): void;
  /** Keeps nothing more. */
  close(): void;
}

/** A store that ends with the process. */
export class MemoryStore implements SessionStore {
  readonly header: SessionHeader;
  readonly tree = new SessionTree();
  readonly path = undefined;
  readonly notices: readonly string[] = [];

  constructor(header: SessionHeader) {
    this.header = header;
  }

  append(...entries: SessionEntry[]): void {
    for (const entry of entries) this.tree.add(entry);
  }

  close(): void {}
}

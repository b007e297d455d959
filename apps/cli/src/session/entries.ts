// The lines of a session file: a header, and entries that each name the one before. Data types only. Invariant: a file is only
// ever added to, and its last entry is where the conversation is.
import type { AgentMessage, CompactionRecord } from "@rondo/agent";
import type { ThinkingLevel, Usage } from "@rondo/ai";

/** Version of the format. It rises when an older rondo would misread a newer file. */
export const SESSION_VERSION = 1;

/** The first line. */
export interface SessionHeader {
  type: "session";
  version: number;
  id: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Absolute path of the folder that it was begun in. */
  workspace: string;
  /** The session that this one is a copy of, and the last entry that was copied. */
  parent?: { session: string; entry: string | null };
}

/** What every entry has. */
export interface EntryPlace {
  /** Unique within the file. */
  id: string;
  /** The entry before; null at the beginning. */
  parentId: string | null;
  /** Milliseconds since 1970. */
  timestamp: number;
}

/** What a call was for that left no message. */
export type UsagePurpose = "notes" | "answer";

/** What an entry says. */
export type EntryContent =
  | { type: "message"; message: AgentMessage }
  /** The model of what follows. */
  | { type: "model"; provider: string; model: string }
  /** The thinking level of what follows. */
  | { type: "thinking"; level: ThinkingLevel }
  /** From here on the model reads notes in the place of everything before `firstKeptId`. */
  | { type: "compaction"; record: CompactionRecord; firstKeptId: string | null }
  /** What a model call used that left nothing else behind: notes that were of no use, an answer that was asked for again. */
  | { type: "usage"; provider: string; model: string; usage: Usage; purpose: UsagePurpose }
  /** The name of the whole session, whatever the branch. */
  | { type: "name"; name: string }
  /** A mark on another entry; an empty one takes it off. */
  | { type: "label"; entryId: string; label: string }
  /** Says nothing: the conversation went on from its parent. */
  | { type: "branch" };

/** One entry. */
export type SessionEntry = EntryPlace & EntryContent;

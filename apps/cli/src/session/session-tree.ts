// The entries of a session as a tree, and what follows from them: the path to where the conversation is, the messages on it,
// the model, the compaction in force, what was used. Knows no files.
import { randomBytes } from "node:crypto";
import type { AgentMessage, CompactionRecord } from "@rondo/agent";
import type { ThinkingLevel } from "@rondo/ai";
import type { EntryContent, SessionEntry } from "./entries.ts";
import { UsageTotals } from "./usage-totals.ts";

/** Which model is asked, and how hard it thinks. */
export interface ModelChoice {
  model: { provider: string; model: string } | undefined;
  thinking: ThinkingLevel | undefined;
}

/** What the path to the leaf comes to. */
export interface PathState extends ModelChoice {
  messages: AgentMessage[];
  /** The latest compaction on the path. */
  compaction: CompactionRecord | undefined;
}

type CompactionEntry = Extract<SessionEntry, { type: "compaction" }>;

/** The tree of one session. */
export class SessionTree {
  /** What all entries used, whatever the branch. */
  readonly usage = new UsageTotals();
  readonly #entries = new Map<string, SessionEntry>();
  readonly #labels = new Map<string, string>();
  #leafId: string | null = null;
  #name: string | undefined;

  constructor(entries: Iterable<SessionEntry> = []) {
    for (const entry of entries) this.add(entry);
  }

  /** Where the conversation is; null before the first entry. */
  get leafId(): string | null {
    return this.#leafId;
  }

  get name(): string | undefined {
    return this.#name;
  }

  /** All entries, in the order in which they were written. */
  get entries(): SessionEntry[] {
    return [...this.#entries.values()];
  }

  entry(id: string): SessionEntry | undefined {
    return this.#entries.get(id);
  }

  label(id: string): string | undefined {
    return this.#labels.get(id);
  }

  /** Gives content a place after the leaf, or after another entry. It is not added yet. */
  place(content: EntryContent, timestamp: number, parentId: string | null = this.#leafId): SessionEntry {
    const { type, ...rest } = content;
    let id = "";
    do id = randomBytes(4).toString("hex");
    while (this.#entries.has(id));
    return { type, id, parentId, timestamp, ...rest } as SessionEntry;
  }

  /** Adds an entry whose parent is there; it is the leaf then. */
  add(entry: SessionEntry): void {
    this.#entries.set(entry.id, entry);
    this.#leafId = entry.id;
    this.usage.add(entry);
    if (entry.type === "name") this.#name = entry.name === "" ? undefined : entry.name;
    if (entry.type === "label" && entry.label !== "") this.#labels.set(entry.entryId, entry.label);
    if (entry.type === "label" && entry.label === "") this.#labels.delete(entry.entryId);
  }

  /** The entries from the beginning to an entry. */
  path(id: string | null = this.#leafId): SessionEntry[] {
    const path: SessionEntry[] = [];
    for (let at = id; at !== null; ) {
      const entry = this.#entries.get(at);
      if (!entry) break;
      path.push(entry);
      at = entry.parentId;
    }
    return path.reverse();
  }

  /** The choice at the leaf, without looking at more of the path than it takes. */
  choice(): ModelChoice {
    const choice: ModelChoice = { model: undefined, thinking: undefined };
    for (let at = this.#leafId; at !== null && !(choice.model && choice.thinking); ) {
      const entry = this.#entries.get(at);
      if (!entry) break;
      if (entry.type === "model") choice.model ??= { provider: entry.provider, model: entry.model };
      if (entry.type === "thinking") choice.thinking ??= entry.level;
      at = entry.parentId;
    }
    return choice;
  }

  /** What a path comes to. */
  state(path: SessionEntry[] = this.path()): PathState {
    const state: PathState = { messages: [], model: undefined, thinking: undefined, compaction: undefined };
    let latest: { entry: CompactionEntry; messagesSeen: number } | undefined;
    for (const entry of path) {
      if (entry.type === "message") state.messages.push(entry.message);
      else if (entry.type === "model") state.model = { provider: entry.provider, model: entry.model };
      else if (entry.type === "thinking") state.thinking = entry.level;
      else if (entry.type === "compaction") latest = { entry, messagesSeen: state.messages.length };
    }
    if (latest) {
      const { entry, messagesSeen } = latest;
      state.compaction = { ...entry.record, messagesReplaced: replacedBy(entry, path, messagesSeen), messagesSeen };
    }
    return state;
  }
}

/** How many messages a compaction replaced: counted anew by the entry that it names, since a line before that may be lost. */
function replacedBy({ firstKeptId, record }: CompactionEntry, path: SessionEntry[], messagesSeen: number): number {
  if (firstKeptId === null) return messagesSeen;
  let index = 0;
  for (const entry of path) {
    if (index === messagesSeen) break;
    if (entry.id === firstKeptId) return index;
    if (entry.type === "message") index++;
  }
  return Math.min(record.messagesReplaced, messagesSeen);
}

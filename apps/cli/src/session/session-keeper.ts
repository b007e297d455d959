// Keeps the conversation of an agent in a store: writes every message before anybody else hears of it, along with changes of the
// model, and moves the agent within the tree and between sessions. The one owner of where the conversation is.
import {
  type Agent,
  type AgentLoopConfig,
  type AgentMessage,
  Compaction,
  type CompactionOptions,
  type CompactionRecord,
  type StreamFn,
} from "@rondo/agent";
import type { AssistantMessage, Model } from "@rondo/ai";
import { firstOf } from "../presentation/count-of.ts";
import type { CompactionSettings } from "../settings/settings-schema.ts";
import type { EntryContent, SessionEntry, UsagePurpose } from "./entries.ts";
import { messageText } from "./message-text.ts";
import type { PromptHistory } from "./prompt-history.ts";
import type { SessionSummary } from "./session-folder.ts";
import type { SessionShelf } from "./session-shelf.ts";
import type { SessionStore } from "./session-store.ts";
import type { PathState, SessionTree } from "./session-tree.ts";
import { mayHaveCost } from "./usage-totals.ts";

/** What a keeper works with. */
export interface SessionKeeperOptions {
  shelf: SessionShelf;
  store: SessionStore;
  /** Writes the notes of a compaction. */
  streamFn: StreamFn;
  /** When to compact, and how much stays. */
  compaction?: CompactionSettings;
  /** The model of a saved session, if it can still be had. */
  findModel: (provider: string, id: string) => Model | undefined;
}

/** What an agent asks before a model call and when one was too long. */
type ContextHooks = Pick<AgentLoopConfig, "transformContext" | "onContextOverflow">;

/** Keeps one conversation at a time. */
export class SessionKeeper {
  readonly agent: Agent;
  readonly #options: SessionKeeperOptions;
  #hear: ((text: string) => void) | undefined;
  #unheard: string[] = [];
  #store: SessionStore;
  /** Ids of the entries of messages. */
  #entryIds = new WeakMap<AgentMessage, string>();
  /** What could not be written, as on a full disk. It goes first when there is room again. */
  #unwritten: AgentMessage[] = [];
  #written: Pick<PathState, "model" | "thinking"> = { model: undefined, thinking: undefined };
  #record: CompactionRecord | undefined;
  #compaction: { model: Model; compaction: Compaction } | undefined;
  /** The notes that somebody asked for, while they are being written. */
  #notes: { stop: AbortController; written: Promise<unknown> } | undefined;

  /** Shows the agent the store's conversation. Must be made before others listen to the agent. */
  constructor(agent: Agent, options: SessionKeeperOptions) {
    this.agent = agent;
    this.#options = options;
    this.#store = options.store;
    this.#show();
    agent.subscribe((event) => {
      if (event.type === "message_end") this.#keep(event.message);
      // An attempt that comes to nothing leaves no message.
      if (event.type === "message_update" && event.assistantMessageEvent.type === "error")
        this.#keepUsage("answer", event.message);
    });
    Object.assign(
      agent,
      this.#contextHooks(() => this.#compactionNow()),
    );
  }

  /** Tells the person what they should know: damage that was mended, a compaction, another model, a fault of an extension. */
  get onNotice(): (text: string) => void {
    return (text) => {
      if (this.#hear) this.#hear(text);
      else this.#unheard.push(text);
    };
  }

  /** Who shows it. What was told before is told to them then. */
  set onNotice(hear: (text: string) => void) {
    this.#hear = hear;
    for (const text of this.#unheard.splice(0)) hear(text);
  }

  /** Id of the session. */
  get id(): string {
    return this.#store.header.id;
  }

  /** Its file; absent if it is not kept. */
  get path(): string | undefined {
    return this.#store.path;
  }

  get tree(): SessionTree {
    return this.#store.tree;
  }

  get name(): string | undefined {
    return this.tree.name;
  }

  /** The estimated size of what the model would read now: instructions, tools, and notes in the place of old messages. */
  contextTokens(): number {
    return this.#compactionNow().tokens(this.agent.state.messages);
  }

  /** What was wrong with the file that is open. */
  get notices(): readonly string[] {
    return this.#store.notices;
  }

  /** What the person sent in all sessions of this workspace. */
  get prompts(): PromptHistory {
    return this.#options.shelf.prompts;
  }

  /** The sessions of this workspace that are kept, without this one. */
  list(): SessionSummary[] {
    return this.#options.shelf.list().filter(({ id }) => id !== this.id);
  }

  rename(name: string): void {
    this.#append({ type: "name", name: name.trim() });
  }

  /** Marks an entry; an empty text takes the mark off. */
  label(entryId: string, label: string): void {
    this.#entry(entryId);
    this.#append({ type: "label", entryId, label });
  }

  /** Begins another session. What runs is stopped. */
  async startNew(): Promise<void> {
    await this.#stop();
    this.#switchTo(this.#options.shelf.begin());
  }

  /** Goes on with another session: an id, the end of one, or a part of a title. */
  async open(text: string): Promise<void> {
    if (this.#options.shelf.find(text).id === this.id) return;
    await this.#stop();
    this.#switchTo(this.#options.shelf.open(text));
  }

  /** Goes on in a copy of this session, up to an entry or whole. */
  async fork(entryId: string | null = this.tree.leafId): Promise<void> {
    if (entryId !== null) this.#entry(entryId);
    await this.#stop();
    this.#switchTo(this.#options.shelf.copy(this.id, this.tree, entryId));
  }

  /** Goes on after an entry, on a branch of its own; what came after it stays in the tree. */
  async branch(entryId: string | null): Promise<void> {
    if (entryId !== null) this.#entry(entryId);
    await this.#stop();
    this.#store.append(this.tree.place({ type: "branch" }, Date.now(), entryId));
    this.#show();
  }

  /** Goes back to before something that the person said. Resolves with its text. */
  async goBack(entryId: string): Promise<string> {
    const entry = this.#entry(entryId);
    if (entry.type !== "message" || entry.message.role !== "user")
      throw new Error(`The entry ${entryId} is nothing that the person said.`);
    await this.branch(entry.parentId);
    return messageText(entry.message);
  }

  /**
   * Puts notes in the place of what was said long ago. Resolves with what to tell the person. Rejects if a run is under way, if
   * the notes cannot be made, or if the conversation goes elsewhere before they are; it is then as before.
   */
  async compact(instructions = "", signal?: AbortSignal): Promise<string> {
    if (this.agent.state.isStreaming)
      throw new Error("A run is under way. Stop it or wait for its end before you compact.");
    if (this.#notes) throw new Error("Notes are being written already.");
    const stop = new AbortController();
    const written = this.#writeNotes(instructions, AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]));
    this.#notes = { stop, written };
    try {
      return await written;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      throw new Error("The notes were given up, since the conversation went elsewhere.");
    } finally {
      this.#notes = undefined;
    }
  }

  async #writeNotes(instructions: string, signal: AbortSignal): Promise<string> {
    let problem: string | undefined;
    const compaction = this.#newCompaction({
      ...(instructions !== "" && { instructions }),
      onCompaction: (record) => this.#keepRecord(record),
      onFailure: (message, answer) => {
        problem = message;
        this.#keepUsage("notes", answer);
      },
    });
    this.#compaction = { model: this.agent.state.model, compaction };
    const record = await compaction.compact(this.agent.state.messages, signal);
    this.#compaction = undefined;
    if (problem !== undefined) throw new Error(`The notes could not be made: ${problem}`);
    return record ? describeCompaction(record) : "There is nothing yet that is worth putting into notes.";
  }

  /** The hooks of a run that is recorded elsewhere: its notes are asked for through `streamFn` and are no entries of the session. */
  hooksOfRun(streamFn: StreamFn): ContextHooks {
    const compaction = this.#newCompaction({
      streamFn,
      streamOptions: {},
      onFailure: (message) => this.#tellFailure(message),
    });
    return this.#contextHooks(() => compaction);
  }

  /** Keeps what was said elsewhere, as in a durable run, in one piece, and shows it to the agent. */
  adopt(messages: AgentMessage[]): void {
    if (messages.length > 0) this.#keep(...messages);
    this.agent.state.messages = [...this.agent.state.messages, ...messages];
  }

  /** Closes the session's file. */
  close(): void {
    this.#store.close();
  }

  #entry(id: string): SessionEntry {
    const entry = this.tree.entry(id);
    if (!entry) throw new Error(`There is no entry ${id} in this session.`);
    return entry;
  }

  /** Nothing that belongs to where the conversation is now may be written where it goes. */
  async #stop(): Promise<void> {
    this.#notes?.stop.abort();
    this.agent.abort();
    await this.#notes?.written.catch(() => undefined);
    await this.agent.waitForIdle();
  }

  #switchTo(store: SessionStore): void {
    this.#store.close();
    this.#store = store;
    this.agent.reset();
    this.#show();
    for (const notice of store.notices) this.onNotice(notice);
  }

  /** Hands the agent what the path to the leaf comes to. */
  #show(): void {
    const path = this.tree.path();
    const { messages, model, thinking, compaction } = this.tree.state(path);
    this.#entryIds = new WeakMap(
      path.flatMap((entry) => (entry.type === "message" ? [[entry.message, entry.id]] : [])),
    );
    this.#unwritten = [];
    this.#written = { model, thinking };
    this.#record = compaction;
    this.#compaction = undefined;
    this.agent.state.messages = messages;
    this.agent.sessionId = this.id;
  }

  /** Takes model and thinking level from the session, as far as they can be had. */
  restoreModel(): void {
    const { model, thinking } = this.#written;
    const found = model && this.#options.findModel(model.provider, model.model);
    if (found) this.agent.state.model = found;
    if (thinking !== undefined) this.agent.state.thinkingLevel = thinking;
  }

  #keep(...messages: AgentMessage[]): void {
    this.#unwritten.push(...messages);
    const { model, thinkingLevel } = this.agent.state;
    const { model: writtenModel, thinking } = this.#written;
    const contents: EntryContent[] = [];
    if (writtenModel?.provider !== model.provider || writtenModel.model !== model.id)
      contents.push({ type: "model", provider: model.provider, model: model.id });
    if (thinking !== thinkingLevel) contents.push({ type: "thinking", level: thinkingLevel });
    const written = this.#append(
      ...contents,
      ...this.#unwritten.map((message) => ({ type: "message" as const, message })),
    );
    this.#unwritten = [];
    this.#written = { model: { provider: model.provider, model: model.id }, thinking: thinkingLevel };
    for (const entry of written) if (entry.type === "message") this.#entryIds.set(entry.message, entry.id);
  }

  /** Writes contents one after the other, in one piece. */
  #append(...contents: EntryContent[]): SessionEntry[] {
    const entries: SessionEntry[] = [];
    for (const content of contents)
      entries.push(this.tree.place(content, Date.now(), entries.at(-1)?.id ?? this.tree.leafId));
    this.#store.append(...entries);
    return entries;
  }

  /** The compaction for the model of now: another model has another window. */
  #compactionNow(): Compaction {
    const { model } = this.agent.state;
    if (this.#compaction?.model !== model) {
      const compaction = this.#newCompaction({
        onCompaction: (record) => {
          this.#keepRecord(record);
          this.onNotice(describeCompaction(record));
        },
        onFailure: (message, answer) => {
          this.#keepUsage("notes", answer);
          this.#tellFailure(message);
        },
      });
      this.#compaction = { model, compaction };
    }
    return this.#compaction.compaction;
  }

  /** What an agent asks around its model calls. Notes that were asked for hold, even where none are made without being asked for. */
  #contextHooks(compaction: () => Compaction): ContextHooks {
    if (this.#options.compaction?.enabled === false)
      return { transformContext: async (messages) => compaction().view(messages) };
    return {
      transformContext: (...asked) => compaction().transformContext(...asked),
      onContextOverflow: (...asked) => compaction().onContextOverflow(...asked),
    };
  }

  #tellFailure(message: string): void {
    this.onNotice(`Old messages could not be put into notes: ${message}`);
  }

  #newCompaction(options: Partial<CompactionOptions>): Compaction {
    const { model, systemPrompt, tools } = this.agent.state;
    const { enabled: _enabled, ...sizes } = this.#options.compaction ?? {};
    return new Compaction({
      ...sizes,
      model,
      streamFn: this.#options.streamFn,
      streamOptions: { sessionId: this.id },
      systemPrompt,
      tools,
      ...(this.#record && { record: this.#record }),
      ...options,
    });
  }

  #keepRecord(record: CompactionRecord): void {
    // The record counts these too.
    if (this.#unwritten.length > 0) this.#keep();
    const firstKept = this.tree.state().messages[record.messagesReplaced];
    const firstKeptId = firstKept ? (this.#entryIds.get(firstKept) ?? null) : null;
    this.#append({ type: "compaction", record, firstKeptId });
    this.#record = record;
  }

  #keepUsage(purpose: UsagePurpose, answer: AssistantMessage | undefined): void {
    if (!answer || !mayHaveCost(answer)) return;
    const { provider, model, usage } = answer;
    this.#append({ type: "usage", provider, model, usage, purpose });
  }
}

function describeCompaction({ messagesReplaced, tokensBefore }: CompactionRecord): string {
  return `Notes stand for the ${firstOf(messagesReplaced, "message")} now; there were about ${tokensBefore} tokens before.`;
}

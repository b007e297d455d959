// Keeps the conversation of an agent in a store: writes every message before anybody else hears of it, along with changes of the
// model, and moves the agent within the tree and between sessions. The one owner of where the conversation is.
import type { Agent, AgentMessage, CompactionRecord, StreamFn } from "@rondo/agent";
import type { AssistantMessage, Model } from "@rondo/ai";
import type { CompactionSettings } from "../settings/settings-schema.ts";
import type { EntryContent, SessionEntry, UsagePurpose } from "./entries.ts";
import { messageText } from "./message-text.ts";
import type { PromptHistory } from "./prompt-history.ts";
import type { SessionSummary } from "./session-folder.ts";
import { type ContextHooks, type NotedConversation, SessionNotes } from "./session-notes.ts";
import type { SessionShelf } from "./session-shelf.ts";
import type { SessionStore } from "./session-store.ts";
import type { ModelChoice, SessionTree } from "./session-tree.ts";
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

/** Keeps one conversation at a time. */
export class SessionKeeper {
  readonly agent: Agent;
  readonly #options: SessionKeeperOptions;
  #hear: ((text: string) => void) | undefined;
  #unheard: string[] = [];
  #store: SessionStore;
  /** What could not be written, as on a full disk. It goes first when there is room again. */
  #unwritten: AgentMessage[] = [];
  #written: ModelChoice = { model: undefined, thinking: undefined };
  readonly #notes: SessionNotes;

  /** Shows the agent the store's conversation. Must be made before others listen to the agent. */
  constructor(agent: Agent, options: SessionKeeperOptions) {
    this.agent = agent;
    this.#options = options;
    this.#store = options.store;
    this.#notes = this.#newNotes();
    this.#show();
    agent.subscribe((event) => {
      if (event.type === "message_end") this.#keep(event.message);
      // An attempt that comes to nothing leaves no message.
      if (event.type === "message_update" && event.assistantMessageEvent.type === "error")
        this.#keepUsage("answer", event.message);
    });
    Object.assign(agent, this.#notes.hooks());
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
    return this.#notes.contextTokens();
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
  compact(instructions = "", signal?: AbortSignal): Promise<string> {
    return this.#notes.compact(instructions, signal);
  }

  /** Gives up the notes that somebody asked for and that are still being written. Resolves with whether there were any. */
  stopNotes(): Promise<boolean> {
    return this.#notes.stop();
  }

  /** The hooks of a run that is recorded elsewhere: its notes are asked for through `streamFn` and are no entries of the session. */
  hooksOfRun(streamFn: StreamFn): ContextHooks {
    return this.#notes.hooksOfRun(streamFn);
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
    this.agent.abort();
    await this.#notes.stop();
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
    this.#unwritten = [];
    this.#written = { model, thinking };
    this.#notes.show(compaction);
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
    this.#append(...contents, ...this.#unwritten.map((message) => ({ type: "message" as const, message })));
    this.#unwritten = [];
    this.#written = { model: { provider: model.provider, model: model.id }, thinking: thinkingLevel };
  }

  /** Writes contents one after the other, in one piece. */
  #append(...contents: EntryContent[]): void {
    const entries: SessionEntry[] = [];
    for (const content of contents)
      entries.push(this.tree.place(content, Date.now(), entries.at(-1)?.id ?? this.tree.leafId));
    this.#store.append(...entries);
  }

  #newNotes(): SessionNotes {
    const { streamFn, compaction } = this.#options;
    const conversation: NotedConversation = {
      agent: this.agent,
      sessionId: () => this.id,
      keepRecord: (record) => this.#keepRecord(record),
      keepUsage: (answer) => this.#keepUsage("notes", answer),
      tell: (text) => this.onNotice(text),
    };
    return new SessionNotes(conversation, streamFn, compaction);
  }

  #keepRecord(record: CompactionRecord): void {
    // The record counts these too.
    if (this.#unwritten.length > 0) this.#keep();
    const firstKept = this.tree.path().filter(({ type }) => type === "message")[record.messagesReplaced];
    this.#append({ type: "compaction", record, firstKeptId: firstKept?.id ?? null });
  }

  #keepUsage(purpose: UsagePurpose, answer: AssistantMessage | undefined): void {
    if (!answer || !mayHaveCost(answer)) return;
    const { provider, model, usage } = answer;
    this.#append({ type: "usage", provider, model, usage, purpose });
  }
}

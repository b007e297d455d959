// The notes that stand for the older part of a conversation: when they are made, with which model, and from which record they go on.
// The one owner of the record in force. Where they are kept is the keeper's.
import {
  type Agent,
  type AgentLoopConfig,
  Compaction,
  type CompactionOptions,
  type CompactionRecord,
  type StreamFn,
} from "@rondo/agent";
import type { AssistantMessage, Model } from "@rondo/ai";
import { firstOf } from "../presentation/count-of.ts";
import type { CompactionSettings } from "../settings/settings-schema.ts";

/** What an agent asks before a model call and when one was too long. */
export type ContextHooks = Pick<AgentLoopConfig, "transformContext" | "onContextOverflow">;

/** The conversation that notes are made of. */
export interface NotedConversation {
  readonly agent: Agent;
  sessionId(): string;
  keepRecord(record: CompactionRecord): void;
  /** Takes what a call used that brought no notes. */
  keepUsage(answer: AssistantMessage | undefined): void;
  /** Tells the person. */
  tell(text: string): void;
}

/** The notes of the conversation that is on. */
export class SessionNotes {
  readonly #conversation: NotedConversation;
  readonly #streamFn: StreamFn;
  readonly #isAutomatic: boolean;
  readonly #sizes: Pick<CompactionOptions, "reserveTokens" | "keepRecentTokens">;
  #record: CompactionRecord | undefined;
  #current: { model: Model; compaction: Compaction } | undefined;
  /** Those that somebody asked for, while they are being written. */
  #asked: { stop: AbortController; written: Promise<unknown> } | undefined;

  /** @param streamFn writes the notes */
  constructor(conversation: NotedConversation, streamFn: StreamFn, settings: CompactionSettings = {}) {
    const { enabled = true, ...sizes } = settings;
    this.#conversation = conversation;
    this.#streamFn = streamFn;
    this.#isAutomatic = enabled;
    this.#sizes = sizes;
  }

  /** Another conversation is on, or another place in it: the record that holds there. */
  show(record: CompactionRecord | undefined): void {
    this.#record = record;
    this.#current = undefined;
  }

  /** The hooks of the conversation's own agent. */
  hooks(): ContextHooks {
    return this.#hooksOver(() => this.#compactionNow());
  }

  /** The hooks of a run that is recorded elsewhere: its notes are asked for through `streamFn` and are not kept here. */
  hooksOfRun(streamFn: StreamFn): ContextHooks {
    const onFailure = (message: string) => this.#tellFailure(message);
    const compaction = this.#newCompaction({ streamFn, streamOptions: {}, onFailure });
    return this.#hooksOver(() => compaction);
  }

  /** The estimated size of what the model would read now. */
  contextTokens(): number {
    return this.#compactionNow().tokens(this.#conversation.agent.state.messages);
  }

  /** Makes notes now. Resolves with what to tell the person; rejects if they cannot be made or are given up. */
  async compact(instructions: string, signal?: AbortSignal): Promise<string> {
    if (this.#conversation.agent.state.isStreaming)
      throw new Error("A run is under way. Stop it or wait for its end before you compact.");
    if (this.#asked) throw new Error("Notes are being written already.");
    const stop = new AbortController();
    const written = this.#write(instructions, AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]));
    this.#asked = { stop, written };
    try {
      return await written;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      throw new Error("The notes were given up; the conversation is read as before.");
    } finally {
      this.#asked = undefined;
    }
  }

  /** Gives up what is being written. Resolves, when nothing of it can be kept any more, with whether there was anything. */
  async stop(): Promise<boolean> {
    const asked = this.#asked;
    asked?.stop.abort();
    await asked?.written.catch(() => undefined);
    return asked !== undefined;
  }

  async #write(instructions: string, signal: AbortSignal): Promise<string> {
    const { agent } = this.#conversation;
    let problem: string | undefined;
    const compaction = this.#newCompaction({
      ...(instructions !== "" && { instructions }),
      onCompaction: (record) => this.#keep(record),
      onFailure: (message, answer) => {
        problem = message;
        this.#conversation.keepUsage(answer);
      },
    });
    this.#current = { model: agent.state.model, compaction };
    const record = await compaction.compact(agent.state.messages, signal).finally(() => {
      this.#current = undefined;
    });
    if (problem !== undefined) throw new Error(`The notes could not be made: ${problem}`);
    return record ? describe(record) : "There is nothing yet that is worth putting into notes.";
  }

  /** The compaction for the model of now: another model has another window. */
  #compactionNow(): Compaction {
    const { model } = this.#conversation.agent.state;
    if (this.#current?.model !== model) {
      const compaction = this.#newCompaction({
        onCompaction: (record) => {
          this.#keep(record);
          this.#conversation.tell(describe(record));
        },
        onFailure: (message, answer) => {
          this.#conversation.keepUsage(answer);
          this.#tellFailure(message);
        },
      });
      this.#current = { model, compaction };
    }
    return this.#current.compaction;
  }

  #newCompaction(options: Partial<CompactionOptions>): Compaction {
    const { model, systemPrompt, tools } = this.#conversation.agent.state;
    return new Compaction({
      ...this.#sizes,
      model,
      streamFn: this.#streamFn,
      streamOptions: { sessionId: this.#conversation.sessionId() },
      systemPrompt,
      tools,
      ...(this.#record && { record: this.#record }),
      ...options,
    });
  }

  /** Notes that were asked for hold, even where none are made without being asked for. */
  #hooksOver(compaction: () => Compaction): ContextHooks {
    if (!this.#isAutomatic) return { transformContext: async (messages) => compaction().view(messages) };
    return {
      transformContext: (...asked) => compaction().transformContext(...asked),
      onContextOverflow: (...asked) => compaction().onContextOverflow(...asked),
    };
  }

  #keep(record: CompactionRecord): void {
    this.#conversation.keepRecord(record);
    this.#record = record;
  }

  #tellFailure(message: string): void {
    this.#conversation.tell(`Old messages could not be put into notes: ${message}`);
  }
}

function describe({ messagesReplaced, tokensBefore }: CompactionRecord): string {
  return `Notes stand for the ${firstOf(messagesReplaced, "message")} now; there were about ${tokensBefore} tokens before.`;
}

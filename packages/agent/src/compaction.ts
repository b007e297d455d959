// Replaces the older part of a long conversation, for the model's eyes only, by notes that a model wrote about it.
// Invariants: the history is never changed; at most one summary is being written at a time; a failure leaves everything
// as it was; nothing is summarised twice, so it cannot loop; what a summary cost is booked with the run that asked for it.
import type {
  AssistantMessage,
  AssistantMessageEventStream,
  Model,
  SimpleStreamOptions,
  Tool,
  Usage,
  UserMessage,
} from "@rondo/ai";
import type { BudgetLedger } from "./budget.ts";
import { findCutPoint } from "./context.ts";
import { resolveStreamFn } from "./default-stream-fn.ts";
import { isAssistantMessage, sentenceOf } from "./failure.ts";
import { requireKnownCompaction } from "./known-options.ts";
import { summaryRequest } from "./summary-request.ts";
import { estimateContextTokens, estimateMessageTokens, estimateTextTokens } from "./token-estimate.ts";
import type { AgentMessage, RunScope, StreamFn } from "./types.ts";

/** Room for the answer and for estimates that are off. */
const RESERVE_TOKENS = 16_384;
/** What stays word for word: a few turns of work. */
const KEEP_RECENT_TOKENS = 20_000;
/** For models whose window nobody knows. */
const CONTEXT_WINDOW_TOKENS = 128_000;
/** After so many failures in a row it is left to `compact()`, which somebody asked for. */
const FAILURES_MAX = 2;
const REQUEST_CHARACTERS_MAX = 10_000;

/** How and when to compact. */
export interface CompactionOptions {
  /** Writes the notes, and its window is the one to keep to unless `contextWindow` says otherwise. */
  model: Model;
  /** Default: what `setDefaultStreamFn` was given. */
  streamFn?: StreamFn;
  /** Options of the summary call: key, session, headers. */
  streamOptions?: SimpleStreamOptions;
  /** Tokens of prompt and answer together. Default: the model's own, or 128,000. */
  contextWindow?: number;
  /** Compaction begins when less than this is left. Default 16,384, at most a half of the window. */
  reserveTokens?: number;
  /** Most recent tokens that stay as they are. Default 20,000, at most a quarter of the window. */
  keepRecentTokens?: number;
  /** What the model reads besides the messages, for the estimate. */
  systemPrompt?: string;
  tools?: Tool[];
  /** Further wishes for the notes. */
  instructions?: string;
  /** The last compaction of a conversation that is taken up again. */
  record?: CompactionRecord;
  /** Called after each compaction, to keep the record with the conversation. If it throws, the compaction has failed. */
  onCompaction?: (record: CompactionRecord) => void;
  /**
   * Called when one failed; the conversation goes on as it was. With the model's answer if there was one all the same: it
   * is paid for, though its notes are of no use (empty, cut, no shorter). An answer that comes after an abort is not waited for.
   */
  onFailure?: (message: string, answer?: AssistantMessage) => void;
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: () => number;
}

/** What one compaction did. Plain JSON. */
export interface CompactionRecord {
  summary: string;
  /** How many messages, from the beginning, the summary stands for. */
  messagesReplaced: number;
  /** How many messages there were: what they report of tokens is from before. */
  messagesSeen: number;
  /** What the person asked last, if the model was still at it. */
  openRequest?: string;
  tokensBefore: number;
  /** Who wrote the notes, as the answer says. Older records lack it. */
  provider?: string;
  model?: string;
  /** What the notes used. */
  usage: Usage;
  timestamp: number;
}

/** Compaction of one conversation: hand `transformContext` and `onContextOverflow` to its agent. */
export class Compaction {
  readonly #options: CompactionOptions;
  readonly #streamFn: StreamFn;
  #record: CompactionRecord | undefined;
  #firstKept: AgentMessage | undefined;
  #running: Promise<CompactionRecord | undefined> | undefined;
  #failures = 0;

  /** Throws a TypeError for a name among the options that means nothing. */
  constructor(options: CompactionOptions) {
    requireKnownCompaction(options);
    this.#options = options;
    this.#streamFn = resolveStreamFn(options.streamFn);
    this.#record = options.record;
  }

  /** The compaction in force. */
  get record(): CompactionRecord | undefined {
    return this.#record;
  }

  /** Before each model call: compacts if the window is nearly full, and gives what the model is to read. */
  readonly transformContext = async (
    messages: AgentMessage[],
    signal?: AbortSignal,
    scope?: RunScope,
  ): Promise<AgentMessage[]> => {
    this.#forgetOther(messages);
    if (this.#failures < FAILURES_MAX && this.tokens(messages) > this.#window() - this.#reserve())
      await this.compact(messages, signal, scope);
    return this.view(messages);
  };

  /** After an overflow: compacts whatever the estimate says. `true` if the context became shorter. */
  readonly onContextOverflow = async (
    messages: AgentMessage[],
    signal?: AbortSignal,
    scope?: RunScope,
  ): Promise<boolean> => {
    return (await this.compact(messages, signal, scope)) !== undefined;
  };

  /** What the model reads: the notes in place of what they stand for, and the rest as it is. */
  view(messages: AgentMessage[]): AgentMessage[] {
    if (!this.#record) return messages;
    return [summaryMessage(this.#record), ...messages.slice(this.#record.messagesReplaced)];
  }

  /** The estimated size of what the model reads. */
  tokens(messages: AgentMessage[]): number {
    const { systemPrompt, tools } = this.#options;
    const { messagesSeen = 0, messagesReplaced = 0 } = this.#record ?? {};
    const reportedFrom = this.#record ? messagesSeen - messagesReplaced + 1 : 0;
    return estimateContextTokens({ systemPrompt, tools, messages: this.view(messages) }, reportedFrom);
  }

  /**
   * Compacts now. One that is under way is joined. Gives `undefined` if there is nothing to compact or it failed; the
   * conversation is then as before. With the scope of a run it is held to the run's budget and counts there.
   */
  async compact(
    messages: AgentMessage[],
    signal?: AbortSignal,
    scope?: RunScope,
  ): Promise<CompactionRecord | undefined> {
    this.#forgetOther(messages);
    this.#running ??= this.#write(messages, signal, scope?.ledger).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #write(
    messages: AgentMessage[],
    signal: AbortSignal | undefined,
    ledger: BudgetLedger | undefined,
  ): Promise<CompactionRecord | undefined> {
    const from = this.#record?.messagesReplaced ?? 0;
    const cutPoint = findCutPoint(messages, this.#keepRecent(), from);
    if (cutPoint === undefined) return undefined;
    let answer: AssistantMessage | undefined;
    try {
      const replaced = messages.slice(from, cutPoint);
      answer = await this.#askForSummary(replaced, signal, ledger);
      const summary = summaryOf(answer);
      if (estimateTextTokens(summary) >= this.#replacedTokens(replaced))
        throw new Error("The summary is no shorter than what it stands for.");
      return this.#adopt(messages, cutPoint, summary, answer);
    } catch (error) {
      if (!signal?.aborted) this.#failures++;
      this.#options.onFailure?.(sentenceOf(error, "The summary could not be made."), answer);
      return undefined;
    }
  }

  #adopt(messages: AgentMessage[], cutPoint: number, summary: string, answer: AssistantMessage): CompactionRecord {
    const { provider, model, usage } = answer;
    const openRequest = openRequestOf(messages, cutPoint);
    const record: CompactionRecord = {
      summary,
      messagesReplaced: cutPoint,
      messagesSeen: messages.length,
      ...(openRequest === undefined ? {} : { openRequest }),
      tokensBefore: this.tokens(messages),
      provider,
      model,
      usage,
      timestamp: this.#now(),
    };
    const before = [this.#record, this.#firstKept] as const;
    this.#record = record;
    this.#firstKept = messages[cutPoint];
    try {
      this.#options.onCompaction?.(record);
    } catch (error) {
      [this.#record, this.#firstKept] = before; // What could not be kept does not hold.
      throw error;
    }
    this.#failures = 0;
    return record;
  }

  /** The same stream function as the agent's own calls; never longer than the signal allows. */
  async #askForSummary(
    messages: AgentMessage[],
    signal: AbortSignal | undefined,
    ledger: BudgetLedger | undefined,
  ): Promise<AssistantMessage> {
    const { model, streamOptions, instructions } = this.#options;
    const refusal = ledger?.refuseRequest(model);
    if (refusal !== undefined) throw new Error(refusal);
    const window = model.contextWindow ?? this.#window();
    const maxTokens = Math.min(model.maxTokens ?? Number.POSITIVE_INFINITY, Math.floor(this.#reserve() / 2));
    const request = summaryRequest({
      messages,
      earlierSummary: this.#record?.summary,
      instructions,
      inputTokensMax: Math.max(Math.floor(window / 2), window - this.#reserve()),
      timestamp: this.#now(),
    });
    const options = { ...streamOptions, maxTokens, ...(signal ? { signal } : {}) };
    const ask = async () => {
      const answer = await answerOf(await this.#streamFn(model, request, options));
      ledger?.bookAnswer(answer);
      return answer;
    };
    return beforeAbort(ask, signal);
  }

  /** A record belongs to one conversation: where another one is shown, or this one was cut, it holds no longer. */
  #forgetOther(messages: AgentMessage[]): void {
    const replaced = this.#record?.messagesReplaced ?? 0;
    this.#firstKept ??= messages[replaced];
    if (messages.length >= replaced && messages[replaced] === this.#firstKept) return;
    this.#record = undefined;
    this.#firstKept = messages[0];
    this.#failures = 0;
  }

  #replacedTokens(messages: AgentMessage[]): number {
    const earlier = this.#record ? estimateTextTokens(this.#record.summary) : 0;
    return messages.reduce((sum, message) => sum + estimateMessageTokens(message), earlier);
  }

  #window(): number {
    return this.#options.contextWindow ?? this.#options.model.contextWindow ?? CONTEXT_WINDOW_TOKENS;
  }

  #reserve(): number {
    return Math.min(this.#options.reserveTokens ?? RESERVE_TOKENS, Math.floor(this.#window() / 2));
  }

  #keepRecent(): number {
    return Math.min(this.#options.keepRecentTokens ?? KEEP_RECENT_TOKENS, Math.floor(this.#window() / 4));
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** The notes as a message: always the same for one record, so that prompt caches hit. */
function summaryMessage({ summary, openRequest, timestamp }: CompactionRecord): UserMessage {
  const open =
    openRequest === undefined ? "" : `\n\nThe last request, word for word:\n<request>\n${openRequest}\n</request>`;
  const text = `The conversation so far was replaced by these notes:\n<notes>\n${summary}\n</notes>${open}`;
  return { role: "user", content: [{ type: "text", text }], timestamp };
}

/** What the person said last before the cut, if the answer to it is being kept. */
function openRequestOf(messages: AgentMessage[], cutPoint: number): string | undefined {
  if (messages[cutPoint]?.role === "user") return undefined;
  const request = messages.slice(0, cutPoint).findLast((message) => message.role === "user");
  if (request?.role !== "user") return undefined;
  const { content } = request;
  const text =
    typeof content === "string" ? content : content.map((block) => ("text" in block ? block.text : "")).join("");
  return text.slice(0, REQUEST_CHARACTERS_MAX);
}

/** A stream function is somebody else's: what it gives may be anything. */
async function answerOf(stream: Partial<AssistantMessageEventStream> | undefined): Promise<AssistantMessage> {
  const answer: unknown = await stream?.result?.();
  if (isAssistantMessage(answer)) return answer;
  throw new Error("The stream function gave no message.");
}

function summaryOf(answer: AssistantMessage): string {
  if (answer.stopReason === "error" || answer.stopReason === "aborted")
    throw new Error(answer.errorMessage ?? "The summary could not be made.");
  const texts = answer.content.map((block) => (block.type === "text" ? block.text : ""));
  const summary = texts.join("").trim();
  if (summary === "") throw new Error("The model wrote no summary.");
  return summary;
}

/** Waits for work, but no longer than until the signal aborts. */
function beforeAbort<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error("The summary was aborted."));
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", onAbort));
  });
}

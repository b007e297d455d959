// The only maker of stream events. Decoders say what arrived; this keeps the grammar: blocks numbered in the order of their
// start, deltas that add up to the content, tool calls with an id, a name and an object, everything closed before `done`,
// one terminal event. It owns the partial message.
import { AnswerByTool } from "./answer-by-tool.ts";
import { isDelta, type TextBlock, type ThinkingBlock, type ToolCallBlock } from "./content-blocks.ts";
import { finalMessage, unknownUsage } from "./errors.ts";
import type { AssistantMessageEventStream } from "./event-stream.ts";
import { priceUsage } from "./models/cost.ts";
import type { AnswerTool } from "./request/structured-answer.ts";
import {
  type BlockOwner,
  type StreamedBlock,
  StreamedText,
  StreamedThinking,
  StreamedToolCall,
} from "./streamed-blocks.ts";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  Diagnostic,
  ErrorDetails,
  Model,
  TextContent,
  ThinkingContent,
  ToolCall,
  Usage,
} from "./types.ts";

export type { TextBlock, ThinkingBlock, ToolCallBlock } from "./content-blocks.ts";

/** Token counts as a decoder read them; what the provider did not say is absent. */
export type ReportedUsage = Omit<Usage, "cost" | "totalTokens"> & {
  /** What the provider says that it bills, in US dollars. */
  billedTotal?: number;
};

/** What a builder knows of its call. It has no clock and no random numbers of its own. */
export interface BuilderOptions {
  model: Model;
  /** Ids of the tool calls that the conversation already holds: a repeated one is made unique. */
  usedToolCallIds: () => Set<string>;
  /** Makes an id where the provider sent none. */
  newToolCallId: () => string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Builds one assistant message and pushes the events that tell of it. */
export class MessageBuilder {
  readonly message: AssistantMessage;
  readonly #stream: AssistantMessageEventStream;
  readonly #options: BuilderOptions;
  readonly #owner: BlockOwner;
  readonly #open = new Set<StreamedBlock>();
  #toolName: (wireName: string) => string = (wireName) => wireName;
  /** The ids that are taken, each with the suffix that a repetition of it tries next. */
  #usedIds: Map<string, number> | undefined;
  #text: TextBlock | undefined;
  #thinking: ThinkingBlock | undefined;
  #conceal: (text: string) => string = (text) => text;
  #release: (() => void) | undefined;
  #answer: AnswerByTool | undefined;
  #eventCount = 0;
  #started = false;
  #ended = false;

  constructor(stream: AssistantMessageEventStream, options: BuilderOptions) {
    this.#stream = stream;
    this.#options = options;
    const { api, provider, id } = options.model;
    this.message = {
      role: "assistant",
      content: [],
      api,
      provider,
      model: id,
      usage: unknownUsage(),
      stopReason: "stop",
      timestamp: options.now(),
    };
    this.#owner = this.#asOwner();
  }

  /** Whether the terminal event is out. From then on every call is ignored. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether any block has begun. */
  get hasContent(): boolean {
    return this.message.content.length > 0 || this.#answer?.holds === true;
  }

  /** How many events are out: a frame that adds none has told nothing. */
  get eventCount(): number {
    return this.#eventCount;
  }

  /** Emits `start`, once. */
  start(): void {
    if (this.#started || this.#ended) return;
    this.#started = true;
    this.#push({ type: "start", partial: this.message });
  }

  /** From here on, tool calls get the tools' own names for those that were sent. */
  nameTools(toolName: (wireName: string) => string): void {
    this.#toolName = toolName;
  }

  /** From here on, the call of this tool is the text of the answer, as a server that takes schemas would have sent it. */
  answerBy(tool: AnswerTool): void {
    this.#answer = new AnswerByTool(tool, {
      openText: () => new StreamedText(this.#owner),
      openThinking: () => this.openThinking(),
      openToolCall: (id, name) => new StreamedToolCall(this.#owner, id, name),
      toolName: (wireName) => this.#toolName(wireName),
    });
  }

  /** Whether an item that the model sends as a message or as a call of this tool goes back as it came: what becomes an answer does not. */
  keepsItem(wireName: string | undefined): boolean {
    return this.#answer === undefined || (wireName !== undefined && !this.#answer.isAnswer(wireName));
  }

  /**
   * From here on, `conceal` takes keys out of what a server sends beside the answer: ids, names, stop reasons, errors. What the model says
   * stays as it came, and opaque data with a key in it is not kept.
   */
  concealBy(conceal: (text: string) => string): void {
    this.#conceal = conceal;
  }

  /** For a decoder that holds text back until it knows what it is: `release` lets it out before a failure ends the message. */
  beforeFailure(release: () => void): void {
    this.#release = release;
  }

  /** The provider's id of the response and the model that answered; the first non-empty ones are kept. */
  identify(responseId: unknown, responseModel: unknown): void {
    if (!this.message.responseId && typeof responseId === "string" && responseId)
      this.message.responseId = this.#conceal(responseId);
    if (this.message.responseModel || typeof responseModel !== "string" || !responseModel) return;
    if (responseModel !== this.message.model) this.message.responseModel = this.#conceal(responseModel);
  }

  /** Notes something that the caller should know and that did not stop the call. */
  diagnose(diagnostic: Diagnostic): void {
    this.message.diagnostics = [...(this.message.diagnostics ?? []), diagnostic];
  }

  /** Takes token counts. A count that is absent here leaves an earlier one as it is. */
  usage(reported: ReportedUsage): void {
    const { billedTotal, ...counts } = reported;
    const usage = this.message.usage;
    for (const name in counts) {
      const count = counts[name as keyof typeof counts];
      if (typeof count === "number" && Number.isFinite(count)) usage[name as keyof typeof counts] = Math.max(0, count);
    }
    priceUsage(usage, this.#options.model.cost, billedTotal);
  }

  /** Adds to the current text block, or opens one (and ends the current thinking block). For APIs without block borders. */
  appendText(delta: string): void {
    if (!isDelta(delta) || this.#ended) return;
    this.endThinking();
    this.#text ??= this.openText();
    this.#text.append(delta);
  }

  /** Adds to the current thinking block, or opens one (and ends the current text block). */
  appendThinking(delta: string): void {
    if (!isDelta(delta) || this.#ended) return;
    this.endText();
    this.currentThinking().append(delta);
  }

  /** The current thinking block, opened if there is none. */
  currentThinking(): ThinkingBlock {
    this.#thinking ??= this.openThinking();
    return this.#thinking;
  }

  /** Ends the block that `appendText` writes to. */
  endText(): void {
    this.#text?.end();
    this.#text = undefined;
  }

  /** Ends the block that `appendThinking` writes to. */
  endThinking(): void {
    this.#thinking?.end();
    this.#thinking = undefined;
  }

  openText(): TextBlock {
    return this.#answer ? this.#answer.openText() : new StreamedText(this.#owner);
  }

  openThinking(): ThinkingBlock {
    return new StreamedThinking(this.#owner);
  }

  openToolCall(id?: string, name?: string): ToolCallBlock {
    return this.#answer ? this.#answer.openToolCall(id, name) : new StreamedToolCall(this.#owner, id, name);
  }

  /** A thinking block whose text the provider withheld: no deltas, `payload` kept to be sent back. */
  redactedThinking(payload: string): void {
    if (this.#ended) return;
    if (typeof payload !== "string") throw new TypeError("Redacted thinking has no text as its payload.");
    if (payload !== "" && !this.#isOpaque(payload)) return;
    const content: ThinkingContent = { type: "thinking", thinking: "", thinkingSignature: payload, redacted: true };
    const contentIndex = this.#add(content);
    this.#push({ type: "thinking_start", contentIndex, partial: this.message });
    this.#push({ type: "thinking_end", contentIndex, content: "", partial: this.message });
  }

  /**
   * Ends the message as the provider said. Content decides where the reason contradicts it: a message with tool calls ends
   * in `toolUse`, one without does not. Open blocks are ended first.
   */
  finish(reason: "stop" | "length" | "toolUse", raw?: string): void {
    if (this.#ended) return;
    this.start();
    this.#answer?.settle(true);
    for (const block of [...this.#open]) block.end();
    const hasCalls = this.message.content.some((block) => block.type === "toolCall");
    const stopReason = reason === "length" ? "length" : hasCalls ? "toolUse" : "stop";
    this.message.stopReason = stopReason;
    if (raw) this.message.rawStopReason = this.#conceal(String(raw));
    this.#ended = true;
    this.#push({ type: "done", reason: stopReason, message: this.message });
  }

  /** Ends the message with a failure. Blocks may stay open; tool calls among them are marked so that nobody runs them. */
  fail(error: ErrorDetails, sentence?: string, raw?: string): void {
    if (this.#ended) return;
    this.start();
    this.#release?.();
    this.#answer?.settle(false);
    this.#ended = true;
    for (const block of this.#open) block.abandon();
    if (raw) this.message.rawStopReason = this.#conceal(String(raw));
    const details = { ...error };
    if (details.code !== undefined) details.code = this.#conceal(details.code);
    const message = finalMessage(this.message, details, sentence && this.#conceal(sentence));
    this.#push({ type: "error", reason: message.stopReason as "error" | "aborted", error: message });
  }

  /** What the blocks may do with the message. */
  #asOwner(): BlockOwner {
    const hasEnded = () => this.#ended;
    return {
      partial: this.message,
      get ended() {
        return hasEnded();
      },
      open: (block, content) => {
        this.#open.add(block);
        return this.#add(content);
      },
      close: (block) => void this.#open.delete(block),
      push: (event) => this.#push(event),
      isOpaque: (signature) => this.#isOpaque(signature),
      callId: (providerId) =>
        this.#uniqueId(providerId === undefined ? this.#options.newToolCallId() : this.#conceal(providerId)),
      toolName: (wireName) => this.#toolName(wireName),
    };
  }

  #push(event: AssistantMessageEvent): void {
    this.#eventCount++;
    this.#stream.push(event);
  }

  /** Gives content its place; returns its index. */
  #add(content: TextContent | ThinkingContent | ToolCall): number {
    this.start();
    return this.message.content.push(content) - 1;
  }

  /** Whether a text is opaque data to be kept: it goes back byte for byte or not at all, so one with a key in it does not stay. */
  #isOpaque(signature: string): boolean {
    return isDelta(signature) && this.#conceal(signature) === signature;
  }

  /** Kimi and others restart their ids with each answer; a conversation needs them unique. The first keeps its own. */
  #uniqueId(id: string): string {
    this.#usedIds ??= new Map([...this.#options.usedToolCallIds()].map((used) => [used, 2]));
    if (!this.#usedIds.has(id)) {
      this.#usedIds.set(id, 2);
      return id;
    }
    let suffix = this.#usedIds.get(id) ?? 2;
    let unique = id;
    for (; this.#usedIds.has(unique); suffix++) unique = `${id}_${suffix}`;
    this.#usedIds.set(id, suffix).set(unique, 2);
    return unique;
  }
}

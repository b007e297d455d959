// The blocks of a message while they stream. Each fills its piece of content and pushes the events that tell of it.
// Invariant: a block ends once, and says nothing after that or after the terminal event.

import { isDelta, type TextBlock, type ThinkingBlock, type ToolCallBlock } from "./content-blocks.ts";
import { argumentText } from "./decoding/argument-text.ts";
import { markUnfinished } from "./errors.ts";
import { PartialJson } from "./partial-json.ts";
import { settleArguments } from "./tool-arguments.ts";
import type { AssistantMessage, AssistantMessageEvent, TextContent, ThinkingContent, ToolCall } from "./types.ts";

/** The message, as its blocks see it. */
export interface BlockOwner {
  readonly partial: AssistantMessage;
  /** Whether the terminal event is out. */
  readonly ended: boolean;
  /** Gives a block its place; returns its index. */
  open(block: StreamedBlock, content: TextContent | ThinkingContent | ToolCall): number;
  close(block: StreamedBlock): void;
  push(event: AssistantMessageEvent): void;
  /** Whether a text is opaque data that may be kept. */
  isOpaque(signature: string): boolean;
  /** The id of ours for a provider's, or one of our own making. */
  callId(providerId?: string): string;
  toolName(wireName: string): string;
}

/** A block of a message. */
export abstract class StreamedBlock {
  protected readonly owner: BlockOwner;
  /** Its place in the message; -1 if the message had ended before. */
  protected contentIndex = -1;
  /** Whether it takes more. */
  protected isOpen = false;

  constructor(owner: BlockOwner) {
    this.owner = owner;
  }

  protected begin(
    content: TextContent | ThinkingContent | ToolCall,
    type: "text_start" | "thinking_start" | "toolcall_start",
  ): void {
    if (this.owner.ended) return;
    this.isOpen = true;
    this.contentIndex = this.owner.open(this, content);
    this.owner.push({ type, contentIndex: this.contentIndex, partial: this.owner.partial });
  }

  /** Ends the block, if it is open, and tells so. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.owner.close(this);
    this.tellEnd();
  }

  protected abstract tellEnd(): void;

  /** The message failed while the block was open. */
  abandon(): void {
    this.isOpen = false;
  }
}

export class StreamedText extends StreamedBlock implements TextBlock {
  readonly #content: TextContent = { type: "text", text: "" };

  constructor(owner: BlockOwner) {
    super(owner);
    this.begin(this.#content, "text_start");
  }

  append(delta: string): void {
    if (!isDelta(delta) || !this.isOpen) return;
    this.#content.text += delta;
    const { contentIndex, owner } = this;
    owner.push({ type: "text_delta", contentIndex, delta, partial: owner.partial });
  }

  sign(signature: string): void {
    if (this.owner.isOpaque(signature)) this.#content.textSignature = signature;
  }

  protected tellEnd(): void {
    const { contentIndex, owner } = this;
    owner.push({ type: "text_end", contentIndex, content: this.#content.text, partial: owner.partial });
  }
}

export class StreamedThinking extends StreamedBlock implements ThinkingBlock {
  readonly #content: ThinkingContent = { type: "thinking", thinking: "" };

  constructor(owner: BlockOwner) {
    super(owner);
    this.begin(this.#content, "thinking_start");
  }

  append(delta: string): void {
    if (!isDelta(delta) || !this.isOpen) return;
    this.#content.thinking += delta;
    const { contentIndex, owner } = this;
    owner.push({ type: "thinking_delta", contentIndex, delta, partial: owner.partial });
  }

  sign(signature: string, add?: "add"): void {
    const before = add ? (this.#content.thinkingSignature ?? "") : "";
    const whole = isDelta(signature) ? before + signature : "";
    if (this.owner.isOpaque(whole)) this.#content.thinkingSignature = whole;
  }

  protected tellEnd(): void {
    const { contentIndex, owner } = this;
    owner.push({ type: "thinking_end", contentIndex, content: this.#content.thinking, partial: owner.partial });
  }
}

export class StreamedToolCall extends StreamedBlock implements ToolCallBlock {
  readonly #call: ToolCall = { type: "toolCall", id: "", name: "", arguments: {} };
  #preview: PartialJson | undefined;
  /** The raw text in pieces, which is less to keep than a string that grows. */
  #pieces: string[] = [];
  /** The complete arguments, where they came as a value. */
  #value: unknown;
  #providerId = "";

  constructor(owner: BlockOwner, id: string | undefined, name: string | undefined) {
    super(owner);
    this.identify(id, name);
    this.begin(this.#call, "toolcall_start");
  }

  get id(): string {
    return this.#providerId;
  }

  get name(): string {
    return this.#call.name;
  }

  get raw(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join("")];
    return this.#pieces[0] ?? "";
  }

  identify(id: string | undefined, name: string | undefined): void {
    // Some servers number their calls; what is neither a number nor a text is no id.
    if (!this.#providerId && id && (typeof id === "string" || typeof id === "number")) {
      this.#providerId = String(id);
      this.#call.id = this.owner.callId(this.#providerId);
    }
    if (!this.#call.name && isDelta(name)) this.#call.name = this.owner.toolName(name);
  }

  append(delta: string): void {
    if (!isDelta(delta) || !this.isOpen) return;
    this.#pieces.push(delta);
    this.#preview ??= previewOf(this.#call);
    this.#preview.feed(delta);
    this.#tellDelta(delta);
  }

  sign(signature: string): void {
    if (this.owner.isOpaque(signature)) this.#call.thoughtSignature = signature;
  }

  override end(whole?: unknown): void {
    if (whole !== undefined && whole !== null && this.isOpen) {
      this.#complete(argumentText(whole));
      this.#value = whole;
    }
    super.end();
  }

  override abandon(): void {
    super.abandon();
    this.#settleName();
    markUnfinished(this.#call, this.raw);
  }

  /** Tells what is new. Arguments that come whole are read once, strictly, with nobody in between to show a preview to. */
  #complete(whole: string): void {
    const { raw } = this;
    if (raw !== "" && whole !== "" && whole.startsWith(raw)) this.append(whole.slice(raw.length));
    else this.#pieces = [whole];
    if (raw === "" && whole !== "") this.#tellDelta(whole);
  }

  #tellDelta(delta: string): void {
    const { contentIndex, owner } = this;
    owner.push({ type: "toolcall_delta", contentIndex, delta, partial: owner.partial });
  }

  #settleName(): void {
    this.#call.id ||= this.owner.callId();
    this.#call.name ||= "unknown_tool";
  }

  protected tellEnd(): void {
    this.#settleName();
    settleArguments(this.#call, this.raw, this.#value);
    const { contentIndex, owner } = this;
    owner.push({ type: "toolcall_end", contentIndex, toolCall: this.#call, partial: owner.partial });
  }
}

/** A preview of the arguments, which the call shows from now on. */
function previewOf(call: ToolCall): PartialJson {
  const preview = new PartialJson();
  call.arguments = preview.value;
  return preview;
}

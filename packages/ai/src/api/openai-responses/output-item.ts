// The kinds of output items that become content: messages, reasoning and calls of our tools. Each takes deltas and, at its end, the
// whole item, and adds only what the deltas left out.

import { argumentText } from "../../decoding/argument-text.ts";
import type { MessageBuilder, TextBlock, ThinkingBlock, ToolCallBlock } from "../../message-builder.ts";
import type { ItemPart, OutputItem } from "./events.ts";
import { StreamedParts } from "./streamed-parts.ts";

/** An item that is being received. */
export type OpenItem = MessageItem | ReasoningItem | FunctionCallItem | CustomCallItem;

/** Text of the answer and refusals, as one block. */
export class MessageItem {
  readonly kind = "message";
  ended = false;
  readonly #builder: MessageBuilder;
  readonly #parts = new StreamedParts("");
  #block: TextBlock | undefined;

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  text(index: number, delta: string): void {
    this.#append(this.#parts.add(index, delta));
  }

  wholeText(index: number, whole: string): void {
    this.text(index, this.#parts.restOfPart(index, whole));
  }

  end(item: OutputItem): void {
    this.#append(this.#parts.restOfAll(textsOf(item.content)));
    // The id and the phase (commentary or final answer) go back with the text to the model that wrote it.
    if (item.id) this.#block?.sign(JSON.stringify({ id: item.id, ...(item.phase && { phase: item.phase }) }));
    this.#block?.end();
    this.ended = true;
  }

  #append(text: string): void {
    if (text === "") return;
    this.#block ??= this.#builder.openText();
    this.#block.append(text);
  }
}

/** Where a reasoning item has its text: summaries, or the reasoning itself from servers that show it. */
export type ReasoningSource = "summary" | "content";

/** Reasoning. Should a server send both sources, the first is believed. */
export class ReasoningItem {
  readonly kind = "reasoning";
  ended = false;
  readonly #builder: MessageBuilder;
  readonly #parts = new StreamedParts("\n\n");
  #source: ReasoningSource | undefined;
  #block: ThinkingBlock | undefined;
  #item: OutputItem | undefined;

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  text(source: ReasoningSource, index: number, delta: string): void {
    if (delta !== "") this.#source ??= source;
    if (this.#source === source) this.#append(this.#parts.add(index, delta));
  }

  wholeText(source: ReasoningSource, index: number, whole: string): void {
    if ((this.#source ?? source) === source) this.text(source, index, this.#parts.restOfPart(index, whole));
  }

  end(item: OutputItem): void {
    const texts = { summary: textsOf(item.summary), content: textsOf(item.content) };
    this.#source ??= texts.summary.length > 0 ? "summary" : "content";
    this.#append(this.#parts.restOfAll(texts[this.#source]));
    this.#item = item;
    this.#block?.end();
    this.ended = true;
  }

  /** Keeps the whole item to be sent back. Without encrypted or open reasoning in it there is nothing that a server could read. */
  keepForReplay(): void {
    const item = this.#item;
    if (!item?.encrypted_content && textsOf(item?.content).length === 0) return;
    this.#block ??= this.#builder.openThinking();
    this.#block.sign(JSON.stringify(item));
    this.#block.end();
  }

  #append(text: string): void {
    if (text === "") return;
    this.#block ??= this.#builder.openThinking();
    this.#block.append(text);
  }
}

/** A call of one of our tools. */
export class FunctionCallItem {
  readonly kind = "function_call";
  ended = false;
  readonly #block: ToolCallBlock;
  #whole: string | undefined;

  constructor(builder: MessageBuilder, item: OutputItem) {
    this.#block = builder.openToolCall(item.call_id || item.id, item.name);
  }

  arguments(delta: string): void {
    this.#block.append(delta);
  }

  /** The call stays open: its id may come with the end of the item. */
  wholeArguments(whole: string): void {
    if (whole.startsWith(this.#block.raw)) this.#block.append(whole.slice(this.#block.raw.length));
    this.#whole = whole;
  }

  end(item: OutputItem): void {
    this.#block.identify(item.call_id || item.id, item.name);
    // The item's own id pairs the call with the reasoning before it when both are sent back.
    if (typeof item.id === "string") this.#block.sign(item.id);
    this.#block.end(argumentText(item.arguments) || this.#whole);
    this.ended = true;
  }
}

/** A call of a tool of ours whose input is free text: it becomes the argument `input`. */
export class CustomCallItem {
  readonly kind = "custom_tool_call";
  ended = false;
  readonly #block: ToolCallBlock;

  constructor(builder: MessageBuilder, item: OutputItem) {
    this.#block = builder.openToolCall(item.call_id || item.id, item.name);
  }

  end(item: OutputItem): void {
    this.#block.end({ input: item.input ?? "" });
    this.ended = true;
  }
}

/** The texts of parts, refusals included; parts without any are left out. */
function textsOf(parts: ItemPart[] | null | undefined): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.map((part) => part?.text ?? part?.refusal ?? "").filter((text) => text !== "");
}

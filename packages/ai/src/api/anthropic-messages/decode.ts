// Frames of the Messages API → builder calls. Blocks come with an index of their own; server-side tools have blocks too, which are
// no tool calls of ours and are passed over. Compatible servers leave things out or send them twice; each such habit is named.

import { wordOf } from "../../decoding/stop-word.ts";
import { hasSubstance } from "../../decoding/substance.ts";
import { detailsOf } from "../../error-kinds.ts";
import { ModelError } from "../../errors.ts";
import type { TextBlock, ThinkingBlock, ToolCallBlock } from "../../message-builder.ts";
import type { DecoderInput, FrameDecoder } from "../../protocol.ts";
import { isObject } from "../../tools/json-values.ts";
import { isErrorPayload } from "../../wire/error-body.ts";
import { type AnthropicUsage, UsageReader } from "./usage.ts";

interface WireBlock {
  type?: string;
  text?: string;
  thinking?: string;
  signature?: string;
  data?: string;
  id?: string;
  name?: string;
  input?: unknown;
}

interface WireDelta {
  type?: string;
  text?: string;
  thinking?: string;
  signature?: string;
  partial_json?: string;
  stop_reason?: string | null;
  stop_details?: { explanation?: string | null } | null;
}

interface WireMessage {
  id?: string;
  model?: string;
  content?: WireBlock[];
  stop_reason?: string | null;
  usage?: AnthropicUsage;
}

/** One event of the stream. */
interface WireEvent {
  type?: string;
  index?: number;
  message?: WireMessage;
  content_block?: WireBlock;
  delta?: WireDelta;
  usage?: AnthropicUsage;
}

type OpenBlock =
  | { kind: "text"; block: TextBlock | undefined }
  | { kind: "thinking"; block: ThinkingBlock | undefined }
  | { kind: "call"; block: ToolCallBlock; input: unknown }
  | { kind: "ignored" };

/** Gateways pass on the words of other APIs, in any case. */
const LENGTH_REASONS = new Set(["max_tokens", "model_context_window_exceeded", "length", "max_output_tokens"]);
/** `refusal` is Anthropic's; `sensitive` is what Z.ai's compatible server says. */
const REFUSAL_REASONS = new Set(["refusal", "sensitive", "content_filter", "safety"]);

export class AnthropicDecoder implements FrameDecoder {
  readonly #input: DecoderInput;
  readonly #usage: UsageReader;
  readonly #blocks = new Map<number, OpenBlock>();
  #stopReason: string | undefined;
  #explanation: string | undefined;

  constructor(input: DecoderInput) {
    this.#input = input;
    this.#usage = new UsageReader(input.builder);
  }

  frame(payload: unknown, eventName: string): boolean {
    if (typeof payload !== "object" || payload === null) return false;
    const event = payload as WireEvent;
    if (event.type === "message") {
      this.#message(payload as WireMessage); // A server that does not stream.
      return true;
    }
    switch (event.type ?? eventName) {
      case "content_block_delta": {
        const { eventCount } = this.#input.builder;
        this.#delta(event.index ?? 0, event.delta ?? {});
        return this.#input.builder.eventCount > eventCount || hasSubstance(event.delta);
      }
      case "content_block_start":
        this.#begin(event.index ?? 0, event.content_block ?? {});
        return true;
      case "content_block_stop":
        this.#end(event.index ?? 0);
        return true;
      case "message_start":
        this.#message(event.message ?? {});
        return true;
      case "message_delta":
        this.#usage.read(event.usage);
        this.#stop(event.delta?.stop_reason);
        this.#explanation ??= event.delta?.stop_details?.explanation ?? undefined;
        return hasSubstance(event.delta);
      case "message_stop":
        this.end();
        return true;
      case "ping":
        return false;
      default:
        if (isErrorPayload(payload)) throw this.#input.error(payload);
        return false;
    }
  }

  /** Also reached by a clean end of the body: compatible servers leave `message_stop` out. */
  end(): void {
    const word = this.#stopReason;
    if (word === undefined) return;
    const reason = word.toLowerCase();
    for (const index of [...this.#blocks.keys()]) this.#end(index);
    if (REFUSAL_REASONS.has(reason)) {
      throw new ModelError(
        `The model declined to answer${this.#explanation ? `: ${this.#explanation}` : ". Rephrase the request or start anew."}`,
        detailsOf("content_filter", { code: reason }),
      );
    }
    const ours = LENGTH_REASONS.has(reason) ? "length" : reason === "tool_use" ? "toolUse" : "stop";
    this.#input.builder.finish(ours, word);
  }

  /** Some servers put the whole message here and send no blocks after it. */
  #message(message: WireMessage): void {
    this.#input.builder.identify(message.id, message.model);
    this.#usage.read(message.usage);
    for (const [index, block] of (message.content ?? []).entries()) {
      if (!isObject(block)) continue;
      this.#begin(index, block);
      this.#end(index);
    }
    this.#stop(message.stop_reason);
  }

  #stop(reason: string | null | undefined): void {
    if (reason) this.#stopReason = wordOf(reason);
  }

  #begin(index: number, block: WireBlock): void {
    this.#end(index); // A server that starts an index anew has ended the old one.
    const { builder } = this.#input;
    switch (block.type) {
      case "text":
        this.#blocks.set(index, { kind: "text", block: undefined });
        this.#delta(index, { type: "text_delta", text: block.text ?? "" });
        break;
      case "thinking":
        this.#blocks.set(index, { kind: "thinking", block: undefined });
        this.#delta(index, { type: "thinking_delta", thinking: block.thinking ?? "" });
        this.#delta(index, { type: "signature_delta", signature: block.signature ?? "" });
        break;
      case "redacted_thinking":
        builder.redactedThinking(block.data ?? "");
        this.#blocks.set(index, { kind: "ignored" });
        break;
      case "tool_use":
        this.#blocks.set(index, {
          kind: "call",
          block: builder.openToolCall(block.id, block.name),
          input: block.input,
        });
        break;
      default:
        this.#blocks.set(index, { kind: "ignored" });
    }
  }

  #delta(index: number, delta: WireDelta): void {
    const open = this.#blocks.get(index) ?? this.#beginUnannounced(index, delta);
    if (open?.kind === "text" && delta.text) {
      open.block ??= this.#input.builder.openText();
      open.block.append(delta.text);
    } else if (open?.kind === "thinking" && (delta.thinking || delta.signature)) {
      open.block ??= this.#input.builder.openThinking();
      if (delta.thinking) open.block.append(delta.thinking);
      if (delta.signature) open.block.sign(delta.signature, "add");
    } else if (open?.kind === "call" && delta.partial_json) {
      open.block.append(delta.partial_json);
    }
  }

  /** A delta without a start: compatible servers skip it for text and thinking. Arguments of no call are what is left of a lost one. */
  #beginUnannounced(index: number, delta: WireDelta): OpenBlock | undefined {
    if (delta.partial_json) throw new TypeError("Arguments came for a tool call that had not begun.");
    if (!delta.text && !delta.thinking && !delta.signature) return undefined;
    const open: OpenBlock = { kind: delta.text ? "text" : "thinking", block: undefined };
    this.#blocks.set(index, open);
    return open;
  }

  #end(index: number): void {
    const open = this.#blocks.get(index);
    if (!open) return;
    this.#blocks.delete(index);
    if (open.kind === "text" || open.kind === "thinking") open.block?.end();
    // The input may stand in the start event, with no delta after it.
    else if (open.kind === "call") open.block.end(open.block.raw === "" ? open.input : undefined);
  }
}

// Chunks of Chat Completions → builder calls. Only the first choice counts. The message is finished at the end of the stream and not
// at the finish reason, since usage may come after it.

import { wordOf } from "../../decoding/stop-word.ts";
import { hasSubstance } from "../../decoding/substance.ts";
import { textOf } from "../../decoding/text-of.ts";
import { mergeReport } from "../../decoding/token-count.ts";
import { noteUnkept } from "../../decoding/unkept-content.ts";
import type { MessageBuilder } from "../../message-builder.ts";
import type { DecoderInput, FrameDecoder } from "../../protocol.ts";
import { isObject } from "../../tools/json-values.ts";
import { isErrorPayload } from "../../wire/error-body.ts";
import type { ChatChoice, ChatChunk, ChatDelta, ChatUsage, ContentPart, ToolCallDelta } from "./chunk.ts";
import { outcomeOf } from "./finish-reason.ts";
import { Prose } from "./prose.ts";
import { Reasoning } from "./reasoning.ts";
import { ToolCallSlots } from "./tool-call-slots.ts";
import { reportedUsage, usageOf } from "./usage.ts";

export class ChatDecoder implements FrameDecoder {
  readonly #input: DecoderInput;
  readonly #builder: MessageBuilder;
  readonly #prose: Prose;
  readonly #reasoning = new Reasoning();
  readonly #calls: ToolCallSlots;
  /** Text as the deltas brought it, to compare with a whole message beside them. */
  #streamed = "";
  #finishReason: string | undefined;
  readonly #usage: ChatUsage = {};

  constructor(input: DecoderInput) {
    this.#input = input;
    this.#builder = input.builder;
    this.#prose = new Prose(input.builder, input.model.quirks?.inlineThinkTags ?? false);
    this.#calls = new ToolCallSlots(input.builder, () => this.#prose.close());
  }

  frame(payload: unknown): boolean {
    const { eventCount } = this.#builder;
    const choice = isObject(payload) ? this.#chunk(payload) : undefined;
    if (isErrorPayload(payload)) throw this.#input.error(payload);
    if (choice?.error) throw this.#input.error(choice);
    // Gateways keep the connection alive with chunks that have no choice or an empty delta; usage, which has none either, comes at the end.
    if (this.#builder.eventCount > eventCount || isReason(choice?.finish_reason)) return true;
    return hasSubstance(choice?.delta) || hasSubstance(choice?.message);
  }

  end(): void {
    this.#prose.close();
    const reason = this.#finishReason;
    if (reason === undefined && !(this.#input.model.quirks?.endsWithoutStopReason && this.#builder.hasContent)) return;
    const outcome = outcomeOf(reason ?? "stop", this.#input.providerName);
    if ("failure" in outcome) {
      this.#builder.fail(outcome.failure.details, outcome.failure.message, reason);
      return;
    }
    const signature = this.#reasoning.signature();
    const carrier = this.#prose.firstThinking ?? this.#calls.first ?? this.#prose.firstText;
    if (signature !== undefined) carrier?.sign(signature);
    this.#builder.finish(outcome.stop, reason);
  }

  /** Reads a chunk; returns its first choice. */
  #chunk(chunk: ChatChunk): ChatChoice | undefined {
    this.#builder.identify(chunk.id, chunk.model);
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const choice = choices.find((candidate) => isObject(candidate) && Number(candidate.index ?? 0) === 0);
    if (choice?.delta) this.#delta(choice.delta);
    if (choice?.message && (choice.finish_reason || !choice.delta)) this.#message(choice.message);
    if (isReason(choice?.finish_reason)) this.#finishReason ??= wordOf(choice?.finish_reason);
    const usage = usageOf(chunk);
    if (isObject(usage) && mergeReport(this.#usage, usage)) this.#builder.usage(reportedUsage(this.#usage));
    return choice;
  }

  #delta(delta: ChatDelta): void {
    this.#prose.thinking(this.#reasoning.read(delta));
    if (Array.isArray(delta.content)) for (const part of delta.content) this.#part(part);
    else this.#text(delta.content ?? "");
    if (typeof delta.refusal === "string") this.#text(delta.refusal);
    if (hasSubstance(delta.images)) noteUnkept(this.#builder, "a picture");
    if (hasSubstance(delta.audio)) noteUnkept(this.#builder, "sound");
    if (delta.tool_calls) this.#calls.read(listOf(delta.tool_calls));
    if (delta.function_call) this.#calls.readLegacy(delta.function_call);
  }

  /** A whole message, of which the deltas may have brought nothing, a part or all. */
  #message(message: ChatDelta): void {
    const { content, tool_calls: toolCalls, function_call: functionCall, ...rest } = message;
    if (this.#streamed === "") this.#delta({ ...rest, ...(content && { content }) });
    else if (typeof content === "string" && content.startsWith(this.#streamed)) {
      this.#text(content.slice(this.#streamed.length));
    }
    if (this.#calls.first) return;
    if (toolCalls) this.#calls.read(listOf(toolCalls));
    if (functionCall) this.#calls.readLegacy(functionCall);
  }

  /** A text of the wrong type is damage: without it the answer would have a hole. */
  #text(text: string): void {
    if (typeof text !== "string") throw new TypeError(`The content is a ${typeof text}.`);
    this.#streamed += text;
    this.#prose.text(text);
  }

  /** Parts that are neither text nor thinking have no place in a message; references are no loss. */
  #part(part: ContentPart | string): void {
    if (typeof part === "string") this.#text(part);
    if (typeof part !== "object" || part === null) return;
    if (part.type === "thinking") this.#prose.thinking(thinkingOf(part.thinking));
    else if (part.type === "reasoning") this.#prose.thinking(thinkingOf(part.summary));
    else if (typeof part.text === "string") this.#text(part.text);
    else if (typeof part.refusal === "string") this.#text(part.refusal);
    else if (/image/.test(String(part.type))) noteUnkept(this.#builder, "a picture");
    else if (/audio/.test(String(part.type))) noteUnkept(this.#builder, "sound");
  }
}

/** Some servers send the word `null` with each chunk until there is a reason (DashScope). */
const isReason = (reason: unknown): boolean => Boolean(reason) && reason !== "null";

/** Some servers send a single call without a list around it. */
const listOf = (calls: NonNullable<ChatDelta["tool_calls"]>): readonly ToolCallDelta[] =>
  Array.isArray(calls) ? calls : isObject(calls) ? [calls] : [];

function thinkingOf(thinking: ContentPart["thinking"]): string {
  if (typeof thinking === "string") return thinking;
  if (!Array.isArray(thinking)) return "";
  return thinking.map((part) => textOf(part?.text)).join("");
}

// Frames of Gemini's streamGenerateContent → builder calls. There are no block borders on this wire: a part continues the block
// before it if it is of the same kind and unsigned, since a signature belongs to one part and may not be merged into another.

import { wordOf } from "../../decoding/stop-word.ts";
import { hasSubstance } from "../../decoding/substance.ts";
import { countOf, mergeReport, uncached } from "../../decoding/token-count.ts";
import { noteUnkept } from "../../decoding/unkept-content.ts";
import { detailsOf } from "../../error-kinds.ts";
import { ModelError } from "../../errors.ts";
import type { ReportedUsage, TextBlock, ThinkingBlock } from "../../message-builder.ts";
import type { DecoderInput, FrameDecoder } from "../../protocol.ts";
import { isObject } from "../../tools/json-values.ts";
import { isErrorPayload } from "../../wire/error-body.ts";
import { finishOf } from "./finish-reason.ts";
import { StreamedCall, type WireFunctionCall } from "./streamed-call.ts";

interface WirePart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: WireFunctionCall;
  /** Pictures and sound of models that make them. */
  inlineData?: { mimeType?: string };
}

interface WireCandidate {
  index?: number;
  content?: { parts?: WirePart[] };
  finishReason?: string | number;
  finishMessage?: string;
}

interface WireUsage {
  promptTokenCount?: number;
  toolUsePromptTokenCount?: number;
  cachedContentTokenCount?: number;
  candidatesTokenCount?: number;
  thoughtsTokenCount?: number;
}

/** One chunk of the answer. */
interface WireChunk {
  candidates?: WireCandidate[];
  promptFeedback?: { blockReason?: string; blockReasonMessage?: string };
  usageMetadata?: WireUsage;
  modelVersion?: string;
  responseId?: string;
}

export class GoogleDecoder implements FrameDecoder {
  readonly #input: DecoderInput;
  #text: TextBlock | undefined;
  #thinking: ThinkingBlock | undefined;
  #call: StreamedCall | undefined;
  #finishReason: string | undefined;
  #finishMessage: string | undefined;
  #blocked: WireChunk["promptFeedback"];
  readonly #usage: WireUsage = {};
  #terminal: string | undefined;

  constructor(input: DecoderInput) {
    this.#input = input;
  }

  frame(payload: unknown): boolean {
    if (typeof payload !== "object" || payload === null) return false;
    if (isErrorPayload(payload)) throw this.#input.error(payload);
    if (!Array.isArray(payload)) return this.#chunk(payload);
    // Without alt=sse the chunks come in an array.
    return payload
      .filter((chunk) => isObject(chunk))
      .map((chunk) => this.#chunk(chunk))
      .includes(true);
  }

  #chunk(chunk: WireChunk): boolean {
    this.#input.builder.identify(chunk.responseId, chunk.modelVersion);
    if (isObject(chunk.usageMetadata) && mergeReport(this.#usage, chunk.usageMetadata))
      this.#input.builder.usage(usageOf(this.#usage));
    if (chunk.promptFeedback?.blockReason) this.#blocked = chunk.promptFeedback;
    const candidate = chunk.candidates?.find((other) => isObject(other) && Number(other.index ?? 0) === 0);
    // A proxy that sends the last chunk again says nothing new.
    const terminal = candidate?.finishReason ? JSON.stringify(chunk) : undefined;
    if (terminal !== undefined && terminal === this.#terminal) return true;
    this.#terminal = terminal;
    const { eventCount } = this.#input.builder;
    for (const part of candidate?.content?.parts ?? []) if (isObject(part)) this.#part(part);
    if (candidate?.finishReason) {
      this.#finishReason ??= wordOf(candidate.finishReason);
      this.#finishMessage ??= candidate.finishMessage;
    }
    // Counts of tokens and parts without text keep a connection alive while the model is not heard of.
    if (this.#input.builder.eventCount > eventCount || candidate?.finishReason || this.#blocked) return true;
    return hasSubstance(candidate?.content?.parts);
  }

  end(): void {
    if (this.#finishReason === undefined) {
      if (this.#blocked) throw blockedPrompt(this.#blocked);
      return;
    }
    this.#endBlocks();
    const finish = finishOf(this.#finishReason, this.#finishMessage);
    if (finish instanceof ModelError) throw finish;
    this.#input.builder.finish(finish, this.#finishReason);
  }

  #part(part: WirePart): void {
    if (part.inlineData) noteUnkept(this.#input.builder, unkeptOf(part.inlineData.mimeType));
    if (part.functionCall) this.#functionCall(part.functionCall, part.thoughtSignature);
    else if (part.text !== undefined || part.thoughtSignature) {
      if (part.thought) this.#thought(part.text ?? "", part.thoughtSignature);
      else this.#answer(part.text ?? "", part.thoughtSignature);
    }
  }

  #thought(text: string, signature: string | undefined): void {
    this.#endText();
    if (!text && !signature) return;
    this.#thinking ??= this.#input.builder.openThinking();
    this.#thinking.append(text);
    if (!signature) return;
    this.#thinking.sign(signature);
    this.#endThinking();
  }

  /** A signature without text signs the text before it; with nothing before it, it is kept as thinking that shows nothing. */
  #answer(text: string, signature: string | undefined): void {
    if (text) {
      this.#endThinking();
      this.#text ??= this.#input.builder.openText();
      this.#text.append(text);
    }
    if (!signature) return;
    if (this.#text) {
      this.#text.sign(signature);
      this.#endText();
    } else {
      this.#thought("", signature);
    }
  }

  /** Most servers send a call whole; with streamed arguments it comes in pieces, of which only the first has a name. */
  #functionCall(wire: WireFunctionCall, signature: string | undefined): void {
    if (wire.name || !this.#call) {
      this.#endBlocks();
      this.#call = new StreamedCall(this.#input.builder.openToolCall(wire.id, wire.name));
    }
    this.#call.add(wire);
    if (signature) this.#call.block.sign(signature);
    if (!wire.willContinue) this.#endCall();
  }

  #endBlocks(): void {
    this.#endText();
    this.#endThinking();
    this.#endCall();
  }

  #endText(): void {
    this.#text?.end();
    this.#text = undefined;
  }

  #endThinking(): void {
    this.#thinking?.end();
    this.#thinking = undefined;
  }

  #endCall(): void {
    this.#call?.end();
    this.#call = undefined;
  }
}

const unkeptOf = (mimeType: unknown): string =>
  /^image\//.test(String(mimeType)) ? "a picture" : /^audio\//.test(String(mimeType)) ? "sound" : "a file";

/** Cached tokens are part of the prompt's count on this wire, and thoughts are none of the candidates'. */
function usageOf(wire: WireUsage): ReportedUsage {
  const usage: ReportedUsage = {};
  const prompt = countOf(wire.promptTokenCount);
  const cached = countOf(wire.cachedContentTokenCount);
  const thoughts = countOf(wire.thoughtsTokenCount);
  const candidates = countOf(wire.candidatesTokenCount);
  if (prompt !== undefined) usage.input = uncached(prompt + (countOf(wire.toolUsePromptTokenCount) ?? 0), cached ?? 0);
  if (cached !== undefined) usage.cacheRead = cached;
  if (thoughts !== undefined) usage.reasoning = thoughts;
  if (candidates !== undefined || thoughts !== undefined) usage.output = (candidates ?? 0) + (thoughts ?? 0);
  return usage;
}

function blockedPrompt(feedback: NonNullable<WireChunk["promptFeedback"]>): ModelError {
  const why = feedback.blockReasonMessage ? `: ${feedback.blockReasonMessage}` : "";
  const code = feedback.blockReason ?? "BLOCKED";
  return new ModelError(
    `Gemini blocked the prompt (${code})${why}. Rephrase it.`,
    detailsOf("content_filter", { code }),
  );
}

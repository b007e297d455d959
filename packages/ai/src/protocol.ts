// What a wire protocol has to provide. Everything that can hang, throw or be aborted is the driver's; a protocol is two pure
// halves (build a body, read a frame) and one call that lets the official SDK send.
import type { MessageBuilder } from "./message-builder.ts";
import type { Api, Diagnostic, Message, Model, StreamOptions, ThinkingBudgets, ThinkingLevel, Tool } from "./types.ts";
import type { AddressRule } from "./wire/base-url.ts";

/** The options of a call as a request builder sees them: no signal, hooks, key or clock. */
export interface RequestOptions
  extends Pick<
    StreamOptions,
    | "temperature"
    | "maxTokens"
    | "stopSequences"
    | "toolChoice"
    | "parallelToolCalls"
    | "responseSchema"
    | "cacheRetention"
    | "sessionId"
    | "metadata"
  > {
  /** Asked for by `streamSimple`; absent means that the caller said nothing about thinking. */
  reasoning?: ThinkingLevel;
  thinkingBudgets?: ThinkingBudgets;
}

/** All that a request is made of. The messages are a valid transcript for this model. */
export interface RequestInput {
  model: Model;
  systemPrompt: string | undefined;
  messages: readonly Message[];
  tools: readonly Tool[];
  options: RequestOptions;
}

/** A request body, and what had to be left out or changed to make it. */
export interface BuiltRequest {
  body: Record<string, unknown>;
  /** Headers that this request needs beside the SDK's. */
  headers?: Record<string, string>;
  diagnostics: Diagnostic[];
  /** The tool's own name for the one that the model will use, where they can differ. */
  toolName?: (wireName: string) => string;
}

/** What an SDK needs to send a request. It must use `fetch` and make no second attempt. */
export interface SendRequest {
  model: Model;
  body: Record<string, unknown>;
  /** Never empty; a placeholder where the server needs none. */
  apiKey: string;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
}

/** What a decoder may ask about the call that it decodes. */
export interface DecoderInput {
  model: Model;
  /** What to call the provider in sentences for people. */
  providerName: string;
  builder: MessageBuilder;
  /** The tools that the caller offered, by their own names. */
  toolNames: ReadonlySet<string>;
  /** Turns an error event into the error to throw. */
  error(payload: unknown): Error;
}

/** Reads the frames of one response. Pure and synchronous; throws the error that ends the stream. */
export interface FrameDecoder {
  /**
   * Reads one parsed frame. Returns whether it carried anything of an answer; a ping and an empty delta did not, and do not count as a
   * sign of life.
   */
  frame(payload: unknown, event: string): boolean;
  /** The body ended cleanly: finish the message if the provider said why it stopped, otherwise return. */
  end(): void;
}

/** One wire protocol. */
export interface ApiProtocol {
  readonly api: Api;
  readonly address: AddressRule;
  buildRequest(input: RequestInput): BuiltRequest;
  /** Lets the SDK send the request; the driver reads the response itself. */
  send(request: SendRequest): Promise<unknown>;
  createDecoder(input: DecoderInput): FrameDecoder;
}

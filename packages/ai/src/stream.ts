// stream, streamSimple, complete, completeSimple: look up the API and hand over to the driver. A model layer is a value: it holds the
// table of wire protocols, and nothing is registered anywhere.
import { drive } from "./driver.ts";
import { detailsOf } from "./error-kinds.ts";
import { ModelError } from "./errors.ts";
import type { AssistantMessageEventStream } from "./event-stream.ts";
import type { ApiProtocol } from "./protocol.ts";
import type { AssistantMessage, Context, KnownApi, Model, SimpleStreamOptions, StreamOptions } from "./types.ts";

/** A protocol, or a function that imports it on first use. */
export type ProtocolSource = ApiProtocol | (() => Promise<ApiProtocol>);

/** The protocols that ship with this package, each imported on first use. */
const BUILT_IN: Record<KnownApi, () => Promise<ApiProtocol>> = {
  "anthropic-messages": async () => (await import("./api/anthropic-messages/index.ts")).anthropicMessages,
  "openai-completions": async () => (await import("./api/openai-completions/index.ts")).openaiCompletions,
  "openai-responses": async () => (await import("./api/openai-responses/index.ts")).openaiResponses,
  "google-generative-ai": async () => (await import("./api/google-generative-ai/index.ts")).googleGenerativeAi,
};

/** The four ways to call a model. */
export interface ModelLayer {
  /** Calls a model. Returns at once, never throws: every failure is the stream's `error` event. */
  stream(model: Model, context: Context, options?: StreamOptions): AssistantMessageEventStream;
  /** Like `stream`, with a thinking level that means the same on every API. */
  streamSimple(model: Model, context: Context, options?: SimpleStreamOptions): AssistantMessageEventStream;
  /** `stream` to its end. Resolves with the final message, whose `stopReason` tells of failure; never rejects. */
  complete(model: Model, context: Context, options?: StreamOptions): Promise<AssistantMessage>;
  /** `streamSimple` to its end. */
  completeSimple(model: Model, context: Context, options?: SimpleStreamOptions): Promise<AssistantMessage>;
}

/** What a model layer is made with. */
export interface ModelLayerOptions {
  /** Further wire protocols by name, or replacements of those that ship. */
  apis?: Record<string, ProtocolSource>;
  /** Environment variables in which keys are looked up. Default: `process.env`, where there is one. */
  env?: Record<string, string | undefined>;
}

/** Makes a model layer, with wire protocols of one's own beside those that ship. */
export function createModelLayer(layer: ModelLayerOptions = {}): ModelLayer {
  const sources: Record<string, ProtocolSource> = { ...BUILT_IN, ...layer.apis };
  const environment = {
    env: layer.env ?? globalThis.process?.env ?? {},
    now: () => Date.now(),
    newToolCallId: () => `call_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`,
    loadProtocol: async (api: string): Promise<ApiProtocol> => {
      const source = Object.hasOwn(sources, api) ? sources[api] : undefined;
      if (source === undefined) throw unknownApi(api, Object.keys(sources));
      return typeof source === "function" ? source() : source;
    },
  };
  const stream = (model: Model, context: Context, options?: SimpleStreamOptions): AssistantMessageEventStream =>
    drive(model, context, options, environment);
  const complete = (model: Model, context: Context, options?: SimpleStreamOptions): Promise<AssistantMessage> =>
    stream(model, context, options).drain();
  return { stream, streamSimple: stream, complete, completeSimple: complete };
}

function unknownApi(api: string, known: string[]): ModelError {
  return new ModelError(
    `There is no wire protocol named "${api}". Known are ${known.join(", ")}; others are given to createModelLayer({ apis }).`,
    detailsOf("invalid_request", { code: "unknown_api" }),
  );
}

let shared: ModelLayer | undefined;
const defaultLayer = (): ModelLayer => {
  shared ??= createModelLayer();
  return shared;
};

/** Calls a model with the protocols that ship. See `ModelLayer.stream`. */
export const stream: ModelLayer["stream"] = (model, context, options) => defaultLayer().stream(model, context, options);
/** Calls a model with a thinking level. See `ModelLayer.streamSimple`. */
export const streamSimple: ModelLayer["streamSimple"] = (model, context, options) =>
  defaultLayer().streamSimple(model, context, options);
/** Calls a model and waits for the final message. Never rejects. */
export const complete: ModelLayer["complete"] = (model, context, options) =>
  defaultLayer().complete(model, context, options);
/** Calls a model with a thinking level and waits for the final message. Never rejects. */
export const completeSimple: ModelLayer["completeSimple"] = (model, context, options) =>
  defaultLayer().completeSimple(model, context, options);

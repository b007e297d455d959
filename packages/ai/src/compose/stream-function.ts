// The shape that everything here has and takes: a stream function around a stream function.
import type { AssistantMessageEventStream } from "../event-stream.ts";
import type { Context, Model, SimpleStreamOptions } from "../types.ts";

/** Calls a model. `stream` and `streamSimple` are ones; it returns at once and never throws. */
export type StreamFunction = (
  model: Model,
  context: Context,
  options?: SimpleStreamOptions,
) => AssistantMessageEventStream;

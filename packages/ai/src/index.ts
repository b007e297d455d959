// The public surface of the model layer: named exports only, no side effects, no SDK and no catalog data at import.
export type { Static, TSchema } from "@sinclair/typebox";
export { Type } from "@sinclair/typebox";
export { isContextOverflow, isRetryable } from "./error-kinds.ts";
export { AssistantMessageEventStream, createAssistantMessageEventStream, EventStream } from "./event-stream.ts";
export { type BuilderOptions, MessageBuilder } from "./message-builder.ts";
export { getModel, getProviders } from "./models/catalog.ts";
export type * from "./protocol.ts";
export type { ModelLayer, ModelLayerOptions, ProtocolSource } from "./stream.ts";
export { complete, completeSimple, createModelLayer, stream, streamSimple } from "./stream.ts";
export { validateToolArguments } from "./tools/validate.ts";
export { prepareTranscript } from "./transcript/prepare.ts";
export type * from "./types.ts";

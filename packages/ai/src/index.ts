// The public surface of the model layer: named exports only, no side effects, no SDK and no catalog data at import.
export type { Static, TSchema } from "@sinclair/typebox";
export { Type } from "@sinclair/typebox";
export { AssistantMessageEventStream, createAssistantMessageEventStream, EventStream } from "./event-stream.ts";
export { validateToolArguments } from "./tools/validate.ts";
export type * from "./types.ts";

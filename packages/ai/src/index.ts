// The public surface of the model layer: named exports only, no side effects, no SDK and no catalog data at import.
export type { Static, TSchema } from "@sinclair/typebox";
export { Type } from "@sinclair/typebox";
export * from "./compose/index.ts";
export { isContextOverflow, isRetryable } from "./error-kinds.ts";
export { ModelError } from "./errors.ts";
export { AssistantMessageEventStream, createAssistantMessageEventStream, EventStream } from "./event-stream.ts";
export { type BuilderOptions, MessageBuilder } from "./message-builder.ts";
export type { Catalog, CatalogOptions, ModelId, ProviderId } from "./models/catalog.ts";
export {
  createCatalog,
  findModel,
  findModels,
  getDefaultModel,
  getModel,
  getModels,
  getProvider,
  getProviders,
} from "./models/catalog.ts";
export { type CustomModelInput, customModel } from "./models/custom.ts";
export type { ModelEntry, ProviderData } from "./models/entry.ts";
export type { ModelChoice, ModelMatch, ModelSearchOptions } from "./models/find.ts";
export { nearest } from "./models/nearest.ts";
export type { ModelOverrides, ProviderOverride } from "./models/overrides.ts";
export type * from "./protocol.ts";
export type { AuthDescription, CredentialReader, FoundKey, KeySources } from "./providers/auth.ts";
export { describeAuth, resolveApiKey } from "./providers/auth.ts";
export { type ListedModels, type ListModelsOptions, listModels } from "./providers/list-models.ts";
export type { ProviderRow } from "./providers/row.ts";
export { resolveThinking, type Thinking, thinkingLevels } from "./request/thinking.ts";
export type { ModelLayer, ModelLayerOptions, ProtocolSource } from "./stream.ts";
export { complete, completeSimple, createModelLayer, stream, streamSimple } from "./stream.ts";
export { THINKING_LEVELS } from "./thinking-levels.ts";
export { type ToolArguments, validateToolArguments } from "./tools/validate.ts";
export { type PreparedTranscript, prepareTranscript } from "./transcript/prepare.ts";
export type { TranscriptChange, TranscriptChangeCode, TranscriptReport } from "./transcript/report.ts";
export type * from "./types.ts";

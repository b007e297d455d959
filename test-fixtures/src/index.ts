// The public surface of the fixtures: wire recordings, the server that plays them, and its scripted replies.
export { type Chunking, cutIntoChunks, seededRandom } from "./chunks.ts";
export { fixtureNames, loadFixture } from "./fixtures.ts";
export {
  arbitraryHistory,
  HISTORY_MODELS,
  type HistoryMessage,
  type HistoryModel,
} from "./histories/arbitrary-history.ts";
export { IMAGES, pngOfSize } from "./histories/images.ts";
export {
  type RecordedRequest,
  type ReplayHandler,
  type ReplayServer,
  replayInOrder,
  replayScript,
  type ServedResponse,
  startReplayServer,
} from "./replay-server.ts";
export { checkAnthropicMessagesRequest } from "./rules/anthropic-messages.ts";
export { checkGoogleGenerativeAiRequest, type GoogleOptions } from "./rules/google-generative-ai.ts";
export { type CompletionsExtras, checkOpenaiCompletionsRequest } from "./rules/openai-completions.ts";
export { checkOpenaiResponsesRequest } from "./rules/openai-responses.ts";
export { type StrictOptions, strict } from "./rules/strict-server.ts";
export { checkToolSchema, SCHEMA_RULES, type SchemaRules } from "./rules/tool-schema.ts";
export { Violations } from "./rules/violations.ts";
export { encodeReply, readRequest } from "./wire/index.ts";
export type { ScriptedBlock, ScriptedReply, WireApi, WireMessage, WireRequest } from "./wire/scripted-reply.ts";

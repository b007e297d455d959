// The public surface of the fixtures: wire recordings, the server that plays them, and its scripted replies.
export { type Chunking, cutIntoChunks, seededRandom } from "./chunks.ts";
export { fixtureNames, loadFixture } from "./fixtures.ts";
export {
  type RecordedRequest,
  type ReplayHandler,
  type ReplayServer,
  replayInOrder,
  replayScript,
  type ServedResponse,
  startReplayServer,
} from "./replay-server.ts";
export { encodeReply, readRequest } from "./wire/index.ts";
export type { ScriptedBlock, ScriptedReply, WireApi, WireMessage, WireRequest } from "./wire/scripted-reply.ts";

// Stream functions around stream functions.
export {
  type Cassette,
  createCassette,
  type RecordedEvent,
  type Recording,
  readCassette,
  writeCassette,
} from "./cassette.ts";
export type { Clock } from "./clock.ts";
export type { RequestMeaning } from "./request-meaning.ts";
export type { StreamFunction } from "./stream-function.ts";
export { withConcurrencyLimit } from "./with-concurrency-limit.ts";
export { type FallbackModel, type FallbackPolicy, withFallback } from "./with-fallback.ts";
export { withHistoryRecovery } from "./with-history-recovery.ts";
export { withRecording } from "./with-recording.ts";
export { withReplay } from "./with-replay.ts";
export { type RetryNotice, type RetryPolicy, withRetry } from "./with-retry.ts";

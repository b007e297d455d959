// The public surface: the contracts, the embedded engine, and what another engine needs to run the loop on its steps.
export {
  NondeterminismError,
  RunConflictError,
  RunFailedError,
  requireRunId,
  SuspendedError,
  UnknownPositionError,
  UnknownRunError,
} from "./errors.ts";
export { EventFilter, joinDeltas } from "./event-filter.ts";
export { JournalEngine, type JournalEngineOptions, journalEngine } from "./journal/journal-engine.ts";
export { type Carry, runSegment, type SegmentEnd, type SegmentInput } from "./run-segment.ts";
export type * from "./types.ts";

// The only doors to time and chance. Everything that waits or backs off takes them from here, so that a simulation can
// hand in its own and replay a run exactly.
import { counted } from "./counted.ts";

/** A source of time. The system's own unless the caller hands in another. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `delayMs`. The returned handle goes to `clearTimeout`. */
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A duration as people say it: "250 milliseconds", "90 seconds", "2.5 minutes". */
export function durationText(milliseconds: number): string {
  if (milliseconds < SECOND_MS) return counted(milliseconds, "millisecond");
  if (milliseconds < 2 * MINUTE_MS) return counted(milliseconds / SECOND_MS, "second");
  if (milliseconds < 2 * HOUR_MS) return counted(milliseconds / MINUTE_MS, "minute");
  return counted(milliseconds / HOUR_MS, "hour");
}

/** The longest delay that a timer of the machine takes (24 days); a longer one would fire at once. */
const DELAY_MAX_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, Math.min(delayMs, DELAY_MAX_MS)),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

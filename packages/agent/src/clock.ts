// The only doors to time and chance. Everything that waits or backs off takes them from here, so that a simulation can
// hand in its own and replay a run exactly.

/** A source of time. The system's own unless the caller hands in another. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `delayMs`. The returned handle goes to `clearTimeout`. */
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The longest delay that a timer of the machine takes (24 days); a longer one would fire at once. */
const DELAY_MAX_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, Math.min(delayMs, DELAY_MAX_MS)),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

// The only door to time and chance for what waits here, so that a test can hand in its own.

import { setMaxTimeout } from "../wire/timeout.ts";

/** A source of time. */
export interface Clock {
  /** Calls back once after `delayMs`. The returned handle goes to `clearTimeout`. */
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  setTimeout: setMaxTimeout,
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

/** Resolves after a time, or at once when the signal is aborted. */
export function waitFor(delayMs: number, signal: AbortSignal, clock: Clock): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clock.clearTimeout(handle);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const handle = clock.setTimeout(done, delayMs);
    signal.addEventListener("abort", done, { once: true });
  });
}

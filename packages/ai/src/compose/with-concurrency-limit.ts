// Lets so many calls run at a time and keeps the others in line, first come, first served.
import { relay } from "./relay.ts";
import type { StreamFunction } from "./stream-function.ts";

/**
 * A stream function of which at most `callsMax` calls run at a time. A call that waits ends at once when it is aborted or left. A call
 * holds its place until its stream has ended.
 */
export function withConcurrencyLimit(streamFn: StreamFunction, callsMax: number): StreamFunction {
  if (!Number.isInteger(callsMax) || callsMax < 1)
    throw new RangeError(`callsMax must be a whole number of at least 1, not ${callsMax}.`);
  const places = new Places(callsMax);
  return (model, context, options) =>
    relay(model, options, async (front) => {
      if (!(await places.take(front.signal))) {
        front.abort();
        return;
      }
      try {
        const failed = await front.attempt(streamFn, model, context);
        if (failed) front.deliver(failed);
      } finally {
        places.give();
      }
    });
}

class Places {
  #free: number;
  readonly #line = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with true once there is a place, with false when the signal is aborted before. */
  take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#line.delete(enter);
        resolve(false);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", onAbort);
        resolve(true);
      };
      this.#line.add(enter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Hands the place to the first in line, or keeps it free. */
  give(): void {
    const [next] = this.#line;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#line.delete(next);
    next();
  }
}

// A clock that a test moves by hand.
import type { Clock } from "@rondo/ai";

export interface ManualClock extends Clock {
  /** The waits that were asked for, in order. */
  waits: number[];
  /** Timers that are still running. */
  readonly running: number;
  /** Ends all waits that are running. */
  fire(): void;
}

/** @param autoFire ends each wait in the next turn of the event loop. Default true. */
export function manualClock(autoFire = true): ManualClock {
  const timers = new Map<number, () => void>();
  const waits: number[] = [];
  let next = 1;
  const fire = (): void => {
    for (const [handle, callback] of [...timers]) {
      timers.delete(handle);
      callback();
    }
  };
  return {
    waits,
    get running() {
      return timers.size;
    },
    fire,
    setTimeout(callback, delayMs) {
      const handle = next++;
      waits.push(delayMs);
      timers.set(handle, callback);
      if (autoFire) setImmediate(fire);
      return handle;
    },
    clearTimeout: (handle) => void timers.delete(handle as number),
  };
}

// The three time limits of a call: until the response headers, between frames that carry anything, and in all. One timer each,
// moved lazily, so that a frame costs no timer call.
import { setMaxTimeout } from "./timeout.ts";

/** Limits in milliseconds; 0 means none. */
export interface DeadlineLimits {
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  totalTimeoutMs: number;
}

/**
 * A process that was suspended or busy finds its timers due before it has read what came meanwhile. So a deadline that is over waits
 * this much longer, which lets the sockets be read first.
 */
const LAST_LOOK_MS = 1;

export type DeadlineName = keyof DeadlineLimits;

/** Watches one call and says, once, which limit it broke. */
export class Deadlines {
  readonly #limits: DeadlineLimits;
  readonly #onBreak: (name: DeadlineName, limitMs: number) => void;
  readonly #now: () => number;
  #total: NodeJS.Timeout | undefined;
  #wait: NodeJS.Timeout | undefined;
  #lastActivity = 0;
  #paused = false;

  constructor(limits: DeadlineLimits, onBreak: (name: DeadlineName, limitMs: number) => void, now: () => number) {
    this.#limits = limits;
    this.#onBreak = onBreak;
    this.#now = now;
    this.#total = this.#arm("totalTimeoutMs", limits.totalTimeoutMs);
    this.#wait = this.#arm("firstByteTimeoutMs", limits.firstByteTimeoutMs);
  }

  /** The response headers are here: from now on silence between frames counts. */
  responded(): void {
    clearTimeout(this.#wait);
    this.#lastActivity = this.#now();
    this.#watchIdle(this.#limits.idleTimeoutMs);
  }

  /** A frame that carried something. */
  active(): void {
    this.#lastActivity = this.#now();
  }

  /** While the consumer is the slow one, the server's silence does not count. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#lastActivity = this.#now();
  }

  stop(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#wait);
  }

  #arm(name: DeadlineName, limitMs: number): NodeJS.Timeout | undefined {
    if (limitMs <= 0) return undefined;
    return setMaxTimeout(() => {
      const lastLook = setMaxTimeout(() => this.#onBreak(name, limitMs), LAST_LOOK_MS);
      if (name === "totalTimeoutMs") this.#total = lastLook;
      else this.#wait = lastLook;
    }, limitMs);
  }

  #watchIdle(delayMs: number): void {
    const limitMs = this.#limits.idleTimeoutMs;
    if (limitMs <= 0) return;
    this.#wait = setMaxTimeout(() => {
      const silentMs = this.#paused ? 0 : this.#now() - this.#lastActivity;
      if (silentMs < limitMs) this.#watchIdle(limitMs - silentMs);
      else if (delayMs !== LAST_LOOK_MS) this.#watchIdle(LAST_LOOK_MS);
      else this.#onBreak("idleTimeoutMs", limitMs);
    }, delayMs);
  }
}

// Time that passes only when nothing else is left to do. Timers that are due at the same moment go off in the order in
// which they were set.
import type { Clock } from "@rondo/agent";

interface Timer {
  at: number;
  callback: () => void;
}

export class VirtualClock implements Clock {
  #now = 0;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, delayMs: number): unknown {
    const timer = { at: this.#now + Math.max(0, delayMs), callback };
    this.#timers.push(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    this.#timers = this.#timers.filter((timer) => timer !== handle);
  }

  get pending(): number {
    return this.#timers.length;
  }

  /** Resolves after `delayMs` of this clock. */
  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.setTimeout(resolve, delayMs));
  }

  /** Lets everything run that needs no time, and then time pass, until `done` settles. Throws if that can never be. */
  async runUntil(done: Promise<unknown>): Promise<void> {
    let settled = false;
    const watch = () => {
      settled = true;
    };
    done.then(watch, watch);
    while (true) {
      await new Promise((resolve) => setImmediate(resolve));
      if (settled) return;
      if (!this.#fireNext()) throw new Error(`Nothing will ever happen again, at ${this.#now} ms: a hang.`);
    }
  }

  #fireNext(): boolean {
    if (this.#timers.length === 0) return false;
    const next = this.#timers.reduce((first, timer) => (timer.at < first.at ? timer : first));
    this.clearTimeout(next);
    this.#now = Math.max(this.#now, next.at);
    next.callback();
    return true;
  }
}

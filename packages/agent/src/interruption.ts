// The one place that knows that a run, or one tool call, shall end early, why, and when waiting for those who ignore it
// is over. Invariant: after interrupt(), every wait() settles within the grace period.
import type { Clock } from "./clock.ts";
import { isA } from "./failure.ts";

/** Why something ends before it is done. */
export interface InterruptionCause {
  kind: "aborted" | "budget" | "error" | "timeout" | "steering";
  /** One sentence for people and models. */
  message: string;
  /** What was thrown, if that is the cause. */
  error?: unknown;
}

/** Thrown by waits whose work did not react to the interruption in time. */
export class AbandonedError extends Error {
  override readonly name = "AbandonedError";
}

/** How the interruption looks to those who hold its signal and throw the reason. */
function abortError(message: string): Error {
  const error = new Error(message);
  error.name = "AbortError";
  return error;
}

export class Interruption {
  readonly clock: Clock;
  readonly graceMs: number;
  readonly #controller = new AbortController();
  readonly #watchers = new Set<() => void>();
  #leaveParent: () => void = () => {};
  #cause: InterruptionCause | undefined;
  #interruptedAt = 0;

  constructor(clock: Clock, graceMs: number) {
    this.clock = clock;
    this.graceMs = graceMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why, once it has happened. */
  get cause(): InterruptionCause | undefined {
    return this.#cause;
  }

  /** The first cause stands; later ones change nothing. */
  interrupt(cause: InterruptionCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#interruptedAt = this.clock.now();
    this.#controller.abort(abortError(cause.message));
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Ends with the caller's signal as well. */
  follow(signal: AbortSignal | undefined): void {
    if (!signal) return;
    const onAbort = () => this.interrupt({ kind: "aborted", message: abortSentence(signal.reason) });
    if (signal.aborted) onAbort();
    else {
      signal.addEventListener("abort", onAbort, { once: true });
      this.#leaveParent = () => signal.removeEventListener("abort", onAbort);
    }
  }

  /** One that ends with this one, and may end before it. */
  branch(): Interruption {
    const child = new Interruption(this.clock, this.graceMs);
    const onInterrupt = () => child.interrupt(this.#cause!);
    if (this.#cause) onInterrupt();
    else {
      this.#watchers.add(onInterrupt);
      child.#leaveParent = () => this.#watchers.delete(onInterrupt);
    }
    return child;
  }

  /** Nothing more will be waited for: lets go of the caller's signal or the parent. */
  dispose(): void {
    this.#leaveParent();
  }

  /**
   * Runs work of others and waits for it, after an interruption only for what is left of the grace period.
   * @throws what the work throws, or AbandonedError
   */
  async wait<T>(work: () => T | PromiseLike<T>): Promise<T> {
    const started = work();
    if (!isThenable(started)) return started;
    return this.#race(started, () => {
      const restMs = this.#interruptedAt + this.graceMs - this.clock.now();
      // A clock that was set back must not make the wait longer.
      return Math.min(this.graceMs, Math.max(0, restMs));
    });
  }

  /**
   * Waits for a listener, who gets a whole grace period, since it may be called when the run's own is over. Whether it
   * settled in time.
   * @throws what the listener throws
   */
  async waitForListener(work: PromiseLike<void>): Promise<boolean> {
    try {
      await this.#race(work, () => this.graceMs);
      return true;
    } catch (error) {
      if (isA(error, AbandonedError)) return false;
      throw error;
    }
  }

  /** Pauses. Resolves at once when interrupted. */
  sleep(delayMs: number): Promise<void> {
    if (this.#cause) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.clock.clearTimeout(timer);
        this.#watchers.delete(wake);
        resolve();
      };
      const timer = this.clock.setTimeout(wake, delayMs);
      this.#watchers.add(wake);
    });
  }

  #race<T>(work: PromiseLike<T>, patienceMs: () => number): Promise<T> {
    return new Promise((resolve, reject) => {
      // A thenable of somebody's own may throw, or hand over another one that never settles: this waits for what is in it.
      const promise = Promise.resolve(work);
      let timer: unknown;
      const loseHope = () => {
        const abandon = () => reject(new AbandonedError(`Not waited for any longer: ${this.#cause?.message}`));
        timer = this.clock.setTimeout(abandon, patienceMs());
      };
      const settled = () => {
        this.#watchers.delete(loseHope);
        if (timer !== undefined) this.clock.clearTimeout(timer);
      };
      if (this.#cause) loseHope();
      else this.#watchers.add(loseHope);
      promise.then(
        (value) => {
          settled();
          resolve(value);
        },
        (error: unknown) => {
          settled();
          reject(error);
        },
      );
    });
  }
}

/** Whether this must be waited for. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | undefined)?.then === "function";
}

/** Says that a run was aborted and, if the caller gave a reason in words, why. */
function abortSentence(reason: unknown): string {
  if (typeof reason === "string" && reason !== "") return `The run was aborted: ${reason}`;
  if (isA(reason, Error) && reason.name !== "AbortError" && reason.message !== "")
    return `The run was aborted: ${reason.message}`;
  return "The run was aborted.";
}

// Wraps an engine's steps for the loop: failures of recorded work become values and are thrown again on replay, failures
// of the engine itself are remembered and end everything. Invariants: after an engine's failure no further work starts;
// time, as the loop sees it, is that of the records, so that a replayed conversation is the same to the last byte.
import { type Clock, systemClock } from "@rondo/agent";
import { SuspendedError } from "./errors.ts";
import type { DurableSteps, MailboxMessage, WorkerOptions } from "./types.ts";

/** Work that ends after its engine has failed must not be recorded, and an engine may record whatever is thrown. */
const NEVER = new Promise<never>(() => {});

type Outcome<T> = { at: number; value: T } | { at: number; error: { name: string; message: string } };

export class Recorder {
  readonly steps: DurableSteps;
  readonly clock: Clock;
  readonly #onRecord: WorkerOptions["onRecord"];
  readonly #stop = new AbortController();
  /** Takes the listeners off the engine's signals, which outlive the segment. */
  readonly #over = new AbortController();
  #failure: { error: unknown } | undefined;
  #now = 0;
  #count = 0;
  #following = false;

  constructor(steps: DurableSteps, onRecord: WorkerOptions["onRecord"]) {
    this.steps = steps;
    this.#onRecord = onRecord;
    this.clock = { ...systemClock, now: () => this.#now };
    const halt = () => this.#fail(new SuspendedError(steps.runId));
    if (steps.halt.aborted) halt();
    else steps.halt.addEventListener("abort", halt, { signal: this.#over.signal });
  }

  /** Ends the loop: for an abort by a person once replay is over, for a failure of the engine at once. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** What the engine failed with. */
  get failure(): { error: unknown } | undefined {
    return this.#failure;
  }

  /** How many steps this segment has taken. */
  get count(): number {
    return this.#count;
  }

  /** Whether an error may not be turned into anything: once an engine has failed, nothing that happens counts. */
  readonly isFatal = (): boolean => this.#failure !== undefined;

  /** Throws the engine's failure, if there is one. */
  check(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** The segment is over: lets go of the engine. */
  dispose(): void {
    this.#over.abort();
  }

  /** Does the work once and gives its recorded outcome, now and after every crash. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const outcome = await this.#guard(async () => {
      let live = false;
      const recorded = await this.steps.run(name, async () => {
        live = true;
        this.#followAbort();
        await this.confirm();
        const settled = await settle(work);
        if (this.#failure) await NEVER;
        this.#onRecord?.("before", name);
        return settled;
      });
      if (live) this.#onRecord?.("after", name);
      return recorded;
    });
    this.#now = Math.max(this.#now, outcome.at);
    if ("value" in outcome) return outcome.value;
    throw Object.assign(new Error(outcome.error.message), { name: outcome.error.name });
  }

  /** Within a step: does not come back if the run is lost, so that nothing more is begun and nothing is recorded. */
  async confirm(): Promise<void> {
    await this.steps.confirm().catch((error: unknown) => this.#fail(error));
    if (this.#failure) await NEVER;
  }

  /** Everything new in the mailbox. */
  async drain(name: string): Promise<MailboxMessage[]> {
    // Whether an engine replays a drain is not told, but after work that was done anew nothing is replayed.
    if (this.#following) this.#onRecord?.("before", name);
    const messages = await this.#guard(() => this.steps.drain(name));
    if (this.#following) this.#onRecord?.("after", name);
    for (const { sentAt } of messages) this.#now = Math.max(this.#now, sentAt);
    return messages;
  }

  /** A replayed conversation must take the turns that it took before the abort, so the abort is seen after them. */
  #followAbort(): void {
    if (this.#following) return;
    this.#following = true;
    const { abort } = this.steps;
    const stop = () => this.#stop.abort(abort.reason);
    if (abort.aborted) stop();
    else abort.addEventListener("abort", stop, { signal: this.#over.signal });
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    this.#count++;
    try {
      const result = await work();
      this.check();
      return result;
    } catch (error) {
      this.#fail(error);
      throw this.#failure?.error;
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop.abort("the run goes on elsewhere");
  }
}

async function settle<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    const value = plain(await work());
    return { at: Date.now(), value };
  } catch (error) {
    return { at: Date.now(), error: readThrown(error) };
  }
}

/** What is recorded of anything that can be thrown, even of what throws when it is looked at. */
function readThrown(thrown: unknown): { name: string; message: string } {
  try {
    if (thrown instanceof Error) return { name: String(thrown.name), message: String(thrown.message) };
    const { message } = Object(thrown) as { message?: unknown };
    return { name: "Error", message: typeof message === "string" ? message : String(thrown) };
  } catch {
    return { name: "Error", message: "Something was thrown that cannot be read." };
  }
}

/** What a replay would give, so that both paths see the same. */
function plain<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

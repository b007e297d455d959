// Delivers the events of one run, one at a time: first to whoever reduces state, then to each listener in turn, waiting
// for each. Invariants: no listener sees two events at once or out of order; a listener that throws does not keep an
// event from the others; one that never settles cannot outlast an abort.
import { sentenceOf } from "./failure.ts";
import { type Interruption, isThenable } from "./interruption.ts";
import type { AgentEvent, AgentEventSink } from "./types.ts";

export interface EmitterOptions {
  interruption: Interruption;
  /** Called at once with each event, before any listener. Must not throw. */
  reduce: (event: AgentEvent) => void;
  /** Read anew for each event. */
  listeners: Iterable<AgentEventSink>;
  isFatal: (error: unknown) => boolean;
}

export class Emitter {
  readonly #options: EmitterOptions;
  readonly #overdue = new Map<AgentEventSink, number>();
  #closed = false;
  #last: Promise<void> = Promise.resolve();

  constructor(options: EmitterOptions) {
    this.#options = options;
  }

  /** Nothing is delivered any more. */
  close(): void {
    this.#closed = true;
  }

  /** Resolves when every listener has had the event. Rejects only with a fatal error of a listener. */
  emit(event: AgentEvent): Promise<void> {
    this.#last = this.#last.then(() => this.#deliver(event));
    return this.#last;
  }

  async #deliver(event: AgentEvent): Promise<void> {
    if (this.#closed) return;
    this.#options.reduce(event);
    for (const listener of this.#options.listeners) await this.#tell(listener, event);
  }

  async #tell(listener: AgentEventSink, event: AgentEvent): Promise<void> {
    const { interruption, isFatal } = this.#options;
    try {
      const work = listener(event);
      if (!isThenable(work)) return;
      if (this.#overdue.has(listener)) this.#leaveAlone(listener, work);
      else if (!(await interruption.waitForListener(work))) this.#leaveAlone(listener, work);
    } catch (error) {
      if (isFatal(error)) throw error;
      interruption.interrupt({ kind: "error", message: sentenceOf(error, "A listener failed."), error });
    }
  }

  /** A listener that is overdue still hears everything, but is not waited for until it has caught up. */
  #leaveAlone(listener: AgentEventSink, work: PromiseLike<void>): void {
    const settled = () => {
      const left = (this.#overdue.get(listener) ?? 1) - 1;
      if (left === 0) this.#overdue.delete(listener);
      else this.#overdue.set(listener, left);
    };
    this.#overdue.set(listener, (this.#overdue.get(listener) ?? 0) + 1);
    work.then(settled, settled);
  }
}

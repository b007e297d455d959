// Delivers the events of one run, one at a time: first to whoever reduces state, then to each listener in turn, waiting
// for each. Invariants: no listener sees two events at once or out of order; a listener that throws does not keep an
// event from the others; one that never settles cannot outlast an abort.
import { sentenceOf } from "./failure.ts";
import { AbandonedError, type Interruption } from "./interruption.ts";
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
  readonly #lost = new WeakSet<AgentEventSink>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: EmitterOptions) {
    this.#options = options;
  }

  /** Resolves when every listener has had the event. Rejects only with a fatal error of a listener. */
  emit(event: AgentEvent): Promise<void> {
    this.#last = this.#last.then(() => this.#deliver(event));
    return this.#last;
  }

  async #deliver(event: AgentEvent): Promise<void> {
    this.#options.reduce(event);
    for (const listener of this.#options.listeners) await this.#tell(listener, event);
  }

  async #tell(listener: AgentEventSink, event: AgentEvent): Promise<void> {
    const { interruption, isFatal } = this.#options;
    try {
      const work = interruption.waitForListener(() => listener(event));
      if (this.#lost.has(listener)) work.catch(() => {});
      else await work;
    } catch (error) {
      if (isFatal(error)) throw error;
      if (error instanceof AbandonedError) this.#lost.add(listener);
      else interruption.interrupt({ kind: "error", message: sentenceOf(error, "A listener failed."), error });
    }
  }
}

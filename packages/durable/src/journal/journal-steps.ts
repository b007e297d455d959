// One segment's steps on a journal. Invariant: once the run is halted nothing more is recorded, so that a tool which ends
// late cannot write into a journal that another process owns by then.
import { SuspendedError } from "../errors.ts";
import type { DurableSteps, MailboxMessage, PublishedEvent } from "../types.ts";
import type { EventWriter } from "./event-log.ts";
import { readInbox } from "./inbox.ts";
import type { Journal } from "./journal.ts";

export class JournalSteps implements DurableSteps {
  readonly runId: string;
  readonly segment: number;
  readonly attempt: number;
  readonly abort: AbortSignal;
  readonly halt: AbortSignal;
  readonly #journal: Journal;
  readonly #events: EventWriter;
  readonly #inboxPath: string;

  constructor(options: {
    runId: string;
    journal: Journal;
    events: EventWriter;
    inboxPath: string;
    abort: AbortSignal;
    halt: AbortSignal;
  }) {
    this.runId = options.runId;
    this.segment = options.journal.segment;
    this.attempt = options.journal.attempt;
    this.abort = options.abort;
    this.halt = options.halt;
    this.#journal = options.journal;
    this.#events = options.events;
    this.#inboxPath = options.inboxPath;
  }

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#journal.step(name, async () => {
      this.#check();
      const value = await work();
      this.#check();
      return value;
    });
  }

  /** The lock on the run is this process's until it ends or lets go, however long it sleeps. */
  async confirm(): Promise<void> {
    this.#check();
  }

  /** Steps are found by name here, so their order does not matter. */
  reserve(): void {}

  drain(name: string): Promise<MailboxMessage[]> {
    return this.#journal.mail(name, async (cursor) => {
      this.#check();
      return readInbox(this.#inboxPath, cursor);
    });
  }

  publish(event: PublishedEvent): void {
    this.#events.publish(event);
  }

  flush(): Promise<void> {
    return this.#events.flush();
  }

  #check(): void {
    if (this.halt.aborted) throw new SuspendedError(this.runId);
  }
}

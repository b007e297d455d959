// One segment's steps on DBOS, which finds a step by the number of its call. Invariant: the calls to DBOS come in the same
// order in every execution. Steps whose order is open (those of tool calls) are therefore begun at once when they are
// announced, and wait behind a gate for their work, or for the news that there is none.
import { AsyncResource } from "node:async_hooks";
import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  type DurableSteps,
  joinDeltas,
  type MailboxMessage,
  NondeterminismError,
  type PublishedEvent,
} from "@rondo/durable";

/** The topic of mailbox messages and the key of the event stream in DBOS. */
export const MAIL_TOPIC = "mail";
export const EVENTS_KEY = "events";

/** A write costs two milliseconds, whatever it holds. */
const FLUSH_MS = 100;
/** More messages than that wait for the next look. */
const DRAIN_MAX = 100;
/** What is recorded for an announced step that was not needed. */
const NOT_RUN = "rondo:not-run";

interface Gate {
  open(work: (() => Promise<unknown>) | undefined): void;
  step: Promise<unknown>;
}

export interface DbosStepsOptions {
  runId: string;
  segment: number;
  attempt: number;
  abort: AbortSignal;
  halt: AbortSignal;
  /** See `DurableSteps.confirm`. */
  confirm: () => Promise<void>;
}

export class DbosSteps implements DurableSteps {
  readonly runId: string;
  readonly segment: number;
  readonly attempt: number;
  readonly abort: AbortSignal;
  readonly halt: AbortSignal;
  readonly confirm: () => Promise<void>;
  readonly #gates = new Map<string, Gate>();
  #waiting: PublishedEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();
  /** Writes within the newest step: DBOS takes stream writes from nowhere else without numbering them. */
  #write: ((events: PublishedEvent[]) => Promise<void>) | undefined;

  constructor(options: DbosStepsOptions) {
    this.runId = options.runId;
    this.segment = options.segment;
    this.attempt = options.attempt;
    this.abort = options.abort;
    this.halt = options.halt;
    this.confirm = options.confirm;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const gate = this.#gates.get(name);
    if (!gate) {
      await this.#closeGates();
      return DBOS.runStep(() => this.#inStep(work), { name });
    }
    this.#gates.delete(name);
    gate.open(work);
    const value = await gate.step;
    if (value === NOT_RUN) throw new NondeterminismError(this.runId, `"${name}" was not run the first time`);
    return value as T;
  }

  reserve(names: string[]): void {
    for (const name of names) {
      let open: Gate["open"] = () => {};
      const opened = new Promise<(() => Promise<unknown>) | undefined>((resolve) => {
        open = resolve;
      });
      const step = DBOS.runStep(
        async () => {
          const work = await opened;
          return work ? await this.#inStep(work) : NOT_RUN;
        },
        { name },
      );
      step.catch(() => {});
      this.#gates.set(name, { open, step });
    }
  }

  async drain(): Promise<MailboxMessage[]> {
    await this.#closeGates();
    const messages: MailboxMessage[] = [];
    while (messages.length < DRAIN_MAX) {
      const message = await DBOS.recv<MailboxMessage>(MAIL_TOPIC, { timeoutSeconds: 0 });
      if (message === null) break;
      messages.push(message);
    }
    return messages;
  }

  publish(event: PublishedEvent): void {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  /** What cannot be written now, since no step has run anew yet, goes out with the next. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const write = this.#write;
    if (write && this.#waiting.length > 0) {
      const events = joinDeltas(this.#waiting.splice(0));
      // A failed write is no reason to stop a run: its records are the truth, and a run that lost its ownership learns it there.
      this.#written = this.#written.then(() => write(events)).catch(() => {});
    }
    return this.#written;
  }

  async #inStep<T>(work: () => Promise<T>): Promise<T> {
    this.#write = AsyncResource.bind((events: PublishedEvent[]) => DBOS.writeStream(EVENTS_KEY, events));
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
    return work();
  }

  /** The loop has gone on, so what was announced and not asked for is not needed. */
  async #closeGates(): Promise<void> {
    const gates = [...this.#gates.values()];
    this.#gates.clear();
    for (const gate of gates) gate.open(undefined);
    await Promise.all(gates.map((gate) => gate.step));
  }
}

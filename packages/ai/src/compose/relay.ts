// One stream in front of others: what every composed stream function needs. It passes events on no faster than they are read, ends at once
// when the call is aborted or left, and always ends. Invariant: one `start`, one terminal event, whatever the inner streams do.
import { completeModel } from "../check-input.ts";
import { detailsOf } from "../error-kinds.ts";
import { finalMessage, unknownUsage } from "../errors.ts";
import { AssistantMessageEventStream } from "../event-stream.ts";
import { secretsOf } from "../secrets.ts";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  Context,
  ErrorDetails,
  Model,
  SimpleStreamOptions,
} from "../types.ts";
import { failureOf } from "../wire/failure.ts";
import type { StreamFunction } from "./stream-function.ts";

/** A failed message, and whether anything but `start` had been delivered before it. */
export interface Attempt {
  message: AssistantMessage;
  delivered: boolean;
}

/** Runs `work` behind a new stream. Whatever it throws becomes the stream's error. */
export function relay(
  model: Model,
  options: SimpleStreamOptions | undefined,
  work: (relay: Relay) => Promise<void>,
): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  const front = new Relay(stream, model, options);
  work(front)
    .catch((error: unknown) => front.failWith(error))
    .finally(() => front.close());
  return stream;
}

export class Relay {
  readonly #stream: AssistantMessageEventStream;
  readonly #model: Model;
  readonly #options: SimpleStreamOptions | undefined;
  readonly #controller = new AbortController();
  readonly #onAbort = (): void => this.#controller.abort();
  #heldStart: AssistantMessageEvent | undefined;
  #inner: AsyncIterator<AssistantMessageEvent> | undefined;

  constructor(stream: AssistantMessageEventStream, model: Model, options: SimpleStreamOptions | undefined) {
    this.#stream = stream;
    this.#model = model;
    this.#options = options;
    stream.onCancel(() => {
      this.#controller.abort();
      void this.#inner?.return?.();
    });
    const signal = options?.signal;
    if (signal?.aborted) this.#controller.abort();
    else signal?.addEventListener?.("abort", this.#onAbort, { once: true });
  }

  /** Aborted when the caller aborts or leaves. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get ended(): boolean {
    return this.#stream.ended;
  }

  /**
   * Calls a stream function and passes its events on. `start` is held back until the next event, so that a call which fails before
   * it delivered anything leaves no trace and another may follow. A success is passed on to its end.
   *
   * @returns the failure, not yet passed on (`deliver` does that), or undefined after a success
   */
  async attempt(
    streamFn: StreamFunction,
    model: Model,
    context: Context,
    options: SimpleStreamOptions | undefined = this.#options,
    onEvent?: (event: AssistantMessageEvent) => void,
  ): Promise<Attempt | undefined> {
    this.#heldStart = undefined;
    const stream = streamFn(model, context, this.#withSignal(options));
    let delivered = false;
    const events = stream[Symbol.asyncIterator]();
    this.#inner = events;
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value;
      onEvent?.(event);
      if (event.type === "error") return { message: event.error, delivered };
      if (event.type === "start") {
        this.#heldStart = event;
        continue;
      }
      delivered = true;
      this.#push(event);
      await this.#stream.room();
    }
    if (this.ended) return undefined;
    const message = await stream.result();
    return { message: message ?? this.#blank(detailsOf("truncated")), delivered };
  }

  /** Options and signals that are none are left for the inner function to refuse. */
  #withSignal(options: SimpleStreamOptions | undefined): SimpleStreamOptions | undefined {
    const isPlain = options === undefined || (typeof options === "object" && !Array.isArray(options));
    const given: unknown = isPlain ? options?.signal : options;
    const isSound = given === undefined || given === null || given instanceof AbortSignal;
    return isPlain && isSound ? { ...options, signal: this.signal } : options;
  }

  /** Passes a failure on: the end of this stream. */
  deliver({ message }: Attempt): void {
    const reason = message.stopReason === "aborted" ? "aborted" : "error";
    this.#push({ type: "error", reason, error: message });
  }

  /** Ends the stream with a failure of our own. */
  fail(error: ErrorDetails, sentence?: string): void {
    if (this.ended) return;
    this.#heldStart = undefined;
    this.#push({
      type: "error",
      reason: error.kind === "aborted" ? "aborted" : "error",
      error: this.#blank(error, sentence),
    });
  }

  /** Ends the stream with what a stream function threw, though it never should. */
  failWith(error: unknown): void {
    const model = completeModel(this.#model);
    const { details, sentence } = failureOf(error, model, secretsOf(model, this.#options, {}));
    this.fail(details, sentence);
  }

  /** Ends the stream as aborted. */
  abort(): void {
    this.fail(detailsOf("aborted"), "The request was aborted.");
  }

  /** Pushes an event that no inner stream made. */
  push(event: AssistantMessageEvent): void {
    this.#push(event);
  }

  /** Resolves when the consumer wants more. */
  room(): Promise<void> | undefined {
    return this.#stream.room();
  }

  /** Lets go of the caller's signal, and ends a stream that was left without an end. */
  close(): void {
    this.#options?.signal?.removeEventListener?.("abort", this.#onAbort);
    this.#stream.end();
  }

  #push(event: AssistantMessageEvent): void {
    const start = this.#heldStart;
    this.#heldStart = undefined;
    if (start) this.#stream.push(start);
    this.#stream.push(event);
  }

  #blank(error: ErrorDetails, sentence?: string): AssistantMessage {
    const { api, provider, id } = completeModel(this.#model);
    return finalMessage(
      {
        role: "assistant",
        content: [],
        api,
        provider,
        model: id,
        usage: unknownUsage(),
        stopReason: "error",
        timestamp: Date.now(),
      },
      error,
      sentence,
    );
  }
}

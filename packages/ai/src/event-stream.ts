// A hand-written asynchronous queue: a producer pushes, one consumer iterates. Constant cost per event, no stream library.
// It enforces no grammar, so that anybody can make one and push into it; the message builder does.
// Invariant: once the terminal event is in, nothing more gets in, and result() is settled.
import { finalMessage, markUnfinished } from "./errors.ts";
import type { AssistantMessage, AssistantMessageEvent } from "./types.ts";

/** How many unread events a producer lets pile up before it stops reading its source. */
const UNREAD_EVENTS_MAX = 256;

/** An event queue with one consumer and a final result. */
export class EventStream<T, R = T> implements AsyncIterable<T> {
  readonly #isComplete: (event: T) => boolean;
  readonly #extractResult: (event: T) => R;
  readonly #result: Promise<R>;
  #resolveResult: (result: R) => void = () => {};
  #queue: T[] = [];
  #head = 0;
  #waiting: ((next: IteratorResult<T>) => void)[] = [];
  #ended = false;
  #iterating = false;
  #left = false;
  #dropping = false;
  #resultWanted = false;
  #roomWanted: (() => void)[] = [];
  #cancel: (() => void) | undefined;

  /**
   * @param isComplete tells the terminal event
   * @param extractResult takes the result out of the terminal event
   */
  constructor(isComplete: (event: T) => boolean, extractResult: (event: T) => R) {
    this.#isComplete = isComplete;
    this.#extractResult = extractResult;
    this.#result = new Promise((resolve) => {
      this.#resolveResult = resolve;
    });
  }

  /** Adds an event. After the terminal event, or after `end`, it is ignored. */
  push(event: T): void {
    if (this.#ended) return;
    if (this.#isComplete(event)) {
      this.#ended = true;
      this.#resolveResult(this.#extractResult(event));
    }
    if (this.#waiting.length > 0) this.#waiting.shift()?.({ value: event, done: false });
    else if (!this.#left && !this.#dropping) this.#queue.push(event);
    if (this.#ended) this.#settle();
  }

  /** Ends the stream. Without a terminal event before it, `result` becomes the result. */
  end(result?: R): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#resolveResult(result as R);
    this.#settle();
  }

  /**
   * Reads to the end without keeping the events, and resolves with the result. Takes the place of the one consumer: use it
   * where only the result counts, since `result()` alone leaves every event in the queue.
   */
  drain(): Promise<R> {
    this.#claim();
    this.#dropping = true;
    this.#queue = [];
    this.#head = 0;
    this.#giveRoom();
    return this.#result;
  }

  /** The result of the terminal event. Never rejects. Asking for it lifts the bound on unread events. */
  result(): Promise<R> {
    this.#resultWanted = true;
    this.#giveRoom();
    return this.#result;
  }

  /** Whether the terminal event is in. */
  get ended(): boolean {
    return this.#ended;
  }

  /** For producers: called once if the consumer leaves before the end. */
  onCancel(cancel: () => void): void {
    this.#cancel = cancel;
    if (this.#left && !this.#ended) cancel();
  }

  /**
   * For producers: resolves when more events are welcome. At once while fewer than 256 are unread, after the end, or when
   * somebody asked for `result()`, who may not be reading at all.
   */
  room(): Promise<void> | undefined {
    if (this.#hasRoom()) return undefined;
    return new Promise((resolve) => this.#roomWanted.push(resolve));
  }

  /** The events. There is one consumer: a second iteration throws. Leaving early cancels the producer. */
  [Symbol.asyncIterator](): AsyncIterator<T> {
    this.#claim();
    return {
      next: () => this.#next(),
      return: () => {
        this.#leave();
        return Promise.resolve({ value: undefined, done: true });
      },
    };
  }

  #claim(): void {
    if (this.#iterating) {
      throw new Error(
        "This event stream is already being read. It has one consumer: share its events, or use result().",
      );
    }
    this.#iterating = true;
  }

  #next(): Promise<IteratorResult<T>> {
    if (this.#head < this.#queue.length) {
      const value = this.#queue[this.#head] as T;
      this.#head++;
      if (this.#head === this.#queue.length) {
        this.#queue = [];
        this.#head = 0;
      } else if (this.#head >= 1024 && this.#head * 2 >= this.#queue.length) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
      if (this.#roomWanted.length > 0 && this.#hasRoom()) this.#giveRoom();
      return Promise.resolve({ value, done: false });
    }
    if (this.#ended || this.#left) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    this.#left = true;
    this.#queue = [];
    this.#head = 0;
    this.#giveRoom();
    if (!this.#ended) this.cancelled();
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
  }

  /** The consumer left before the end: stop the producer. */
  protected cancelled(): void {
    this.#cancel?.();
  }

  #hasRoom(): boolean {
    if (this.#ended || this.#left || this.#dropping || this.#resultWanted) return true;
    return this.#queue.length - this.#head < UNREAD_EVENTS_MAX;
  }

  #giveRoom(): void {
    for (const resolve of this.#roomWanted.splice(0)) resolve();
  }

  #settle(): void {
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
    this.#giveRoom();
  }
}

/**
 * The events of one model call, and its final message as the result. Ending it without `done` or `error`, or leaving it
 * early, makes it end with an `error` event, so `result()` never hangs.
 */
export class AssistantMessageEventStream extends EventStream<AssistantMessageEvent, AssistantMessage> {
  #partial: AssistantMessage | undefined;
  /** The tool calls that have begun and not ended, with the pieces of their argument text. */
  readonly #openCalls = new Map<number, string[]>();

  constructor() {
    super(
      (event) => event.type === "done" || event.type === "error",
      (event) => (event.type === "done" ? event.message : (event as { error: AssistantMessage }).error),
    );
  }

  override push(event: AssistantMessageEvent): void {
    if (event.type === "start") this.#partial = event.partial;
    else if (event.type === "toolcall_start") this.#openCalls.set(event.contentIndex, []);
    else if (event.type === "toolcall_delta") this.#openCalls.get(event.contentIndex)?.push(event.delta);
    else if (event.type === "toolcall_end") this.#openCalls.delete(event.contentIndex);
    super.push(event);
  }

  override end(result?: AssistantMessage): void {
    if (this.ended) return;
    if (result === undefined) this.#fail("truncated");
    else if (result.stopReason === "error" || result.stopReason === "aborted")
      super.push({ type: "error", reason: result.stopReason, error: result });
    else super.push({ type: "done", reason: result.stopReason, message: result });
  }

  protected override cancelled(): void {
    super.cancelled();
    if (!this.ended) this.#fail("aborted");
  }

  #fail(kind: "truncated" | "aborted"): void {
    for (const [contentIndex, pieces] of this.#openCalls) {
      const call = this.#partial?.content[contentIndex];
      if (call?.type === "toolCall") markUnfinished(call, pieces.join(""));
    }
    const error = finalMessage(this.#partial, { kind, retryable: kind === "truncated" });
    super.push({ type: "error", reason: kind === "aborted" ? "aborted" : "error", error });
  }
}

/** Makes an empty stream to push events into. */
export function createAssistantMessageEventStream(): AssistantMessageEventStream {
  return new AssistantMessageEventStream();
}

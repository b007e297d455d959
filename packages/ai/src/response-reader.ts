// Reads one response: bytes → frames → decoder, no faster than the consumer reads, and decides whether the body was a whole answer.
// Invariant: whatever happens, the body is let go of, and a body that is damaged never ends in `done`.
import type { CallPlan } from "./call-plan.ts";
import { ModelError } from "./errors.ts";
import type { AssistantMessageEventStream } from "./event-stream.ts";
import { hookFailed } from "./hooks.ts";
import type { MessageBuilder } from "./message-builder.ts";
import type { FrameDecoder } from "./protocol.ts";
import type { Model, SimpleStreamOptions } from "./types.ts";
import { ERROR_BODY_WAIT_MS, pacedReader, readTextBounded, settleBody } from "./wire/body.ts";
import type { Deadlines } from "./wire/deadlines.ts";
import {
  type ErrorPlace,
  errorFromPayload,
  errorFromRedirect,
  errorFromText,
  isErrorPayload,
} from "./wire/error-body.ts";
import { SseReader } from "./wire/sse.ts";
import { endedEarly, errorFromStray, malformedFrame } from "./wire/stream-errors.ts";

/** The statuses that send a request elsewhere. Others of the three hundreds, such as 304, do not. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface ResponseReaderOptions {
  plan: CallPlan;
  model: Model;
  builder: MessageBuilder;
  stream: AssistantMessageEventStream;
  deadlines: Deadlines;
  onFrame: SimpleStreamOptions["onFrame"];
  /** Takes the failure of a hook that was not awaited. */
  onLateFailure: (error: unknown) => void;
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  now: number;
}

export class ResponseReader {
  readonly #options: ResponseReaderOptions;
  #body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #frames: Frames | undefined;

  constructor(options: ResponseReaderOptions) {
    this.#options = options;
  }

  /** Reads to the terminal event, or throws the error that ends the stream. */
  async read(response: Response): Promise<void> {
    const { plan, builder, deadlines, model, now, secrets } = this.#options;
    const place: ErrorPlace = {
      provider: plan.providerName,
      status: response.status,
      headers: response.headers,
      url: (response.url || plan.base.url).replace(/[?#].*$/s, ""), // A query may hold a key under any name.
      now,
      secrets,
    };
    if (!response.ok) throw await this.#refused(response, place);
    deadlines.responded();
    builder.start();
    const decoder = plan.protocol.createDecoder({
      model,
      providerName: plan.providerName,
      builder,
      toolNames: new Set(plan.tools.map((tool) => tool.name)),
      error: (payload) => errorFromPayload(payload, { ...place, status: undefined }),
    });
    const frames = new Frames(this.#options, decoder, place);
    this.#frames = frames;
    if (response.body) await this.#pump(response.body, frames);
    if (!builder.ended) frames.end();
  }

  /** The server fell silent: the message is finished if the provider had said why it stopped. Returns whether it was. */
  finishIfWhole(): boolean {
    this.#frames?.finishIfWhole();
    return this.#options.builder.ended;
  }

  /** Lets go of the body at once. */
  cancel(): void {
    void this.#body?.cancel().catch(() => {});
  }

  async #refused(response: Response, place: ErrorPlace): Promise<ModelError> {
    const { plan, deadlines } = this.#options;
    const isRedirect = response.type === "opaqueredirect" || REDIRECTS.has(response.status);
    if (isRedirect) {
      settleBody(response);
      return errorFromRedirect(place);
    }
    // The status is known, so a body that does not come must not turn it into a timeout.
    deadlines.stop();
    const { idleTimeoutMs, totalTimeoutMs } = plan.limits;
    const limits = [ERROR_BODY_WAIT_MS, idleTimeoutMs, totalTimeoutMs].filter((limitMs) => limitMs > 0);
    return errorFromText(await readTextBounded(response, Math.min(...limits)), place);
  }

  /** Moves bytes from the socket to the decoder. */
  async #pump(stream: ReadableStream<Uint8Array>, frames: Frames): Promise<void> {
    const { builder, deadlines } = this.#options;
    const body = stream.getReader();
    this.#body = body;
    const read = pacedReader(body);
    try {
      while (true) {
        const { done, value } = await read().catch((error: unknown) => frames.broken(error));
        if (done || builder.ended) return;
        frames.feed(value);
        if (builder.ended) return;
        const room = this.#options.stream.room();
        if (room) {
          deadlines.pause();
          await room;
          deadlines.resume();
        }
      }
    } finally {
      settleBody(body);
    }
  }
}

/** The events of one body on their way to the decoder. */
class Frames {
  readonly #options: ResponseReaderOptions;
  readonly #decoder: FrameDecoder;
  readonly #place: ErrorPlace;
  readonly #reader: SseReader;
  #bodyEnded = false;
  /** Whether a frame of this chunk carried anything. */
  #carried = false;

  constructor(options: ResponseReaderOptions, decoder: FrameDecoder, place: ErrorPlace) {
    this.#options = options;
    this.#decoder = decoder;
    this.#place = place;
    this.#reader = new SseReader((event, data) => this.#frame(event, data));
  }

  feed(bytes: Uint8Array): void {
    this.#carried = false;
    this.#reader.feed(bytes);
    if (this.#carried) this.#options.deadlines.active();
    if (this.#reader.overlong && !this.#options.builder.ended)
      throw malformedFrame(this.#place, "one event was larger than 64 MB");
  }

  /** The connection broke: what came whole is still taken, then the failure goes its way. */
  broken(failure: unknown): never {
    this.#bodyEnded = true;
    try {
      if (!this.#options.builder.ended) this.#reader.end();
    } catch (error) {
      const isRest = error instanceof ModelError && error.details.kind === "truncated";
      if (!isRest) throw error;
    }
    throw failure;
  }

  /** The body ended cleanly. The message is whole if it did so between two events and the decoder knows why it stopped. */
  end(): void {
    const { builder, plan } = this.#options;
    this.#bodyEnded = true;
    const cutInside = this.#reader.end();
    if (builder.ended) return;
    const { strayText, damaged, frames, bare } = this.#reader;
    if (frames === 0) this.#readUnstreamed(strayText);
    if (builder.ended) return;
    if (frames === 0 && builder.hasContent) throw endedEarly(plan.providerName, true);
    if (damaged && strayText) throw errorFromStray(strayText, frames, this.#place);
    if (!cutInside) this.#finish();
    if (builder.ended) return;
    if (strayText && (frames === 0 || (bare && !builder.hasContent)))
      throw errorFromStray(strayText, frames, this.#place);
    throw endedEarly(plan.providerName, builder.hasContent);
  }

  finishIfWhole(): void {
    if (this.#options.builder.ended || this.#reader.damaged) return;
    try {
      this.#finish();
    } catch {
      // The silence is reported, not what it was hiding.
    }
  }

  #frame(event: string, data: string): void {
    const { builder, plan } = this.#options;
    if (builder.ended) return;
    // Text between events is an event that lost its form; what follows it would make a message with a hole.
    if (this.#reader.damaged) throw errorFromStray(this.#reader.strayText, this.#reader.frames, this.#place);
    this.#show(event, data);
    if (!data.startsWith("{") && data.trim() === "[DONE]") {
      this.#finish();
      return;
    }
    let payload: unknown;
    try {
      payload = JSON.parse(data);
    } catch (cause) {
      if (this.#bodyEnded) throw endedEarly(plan.providerName, builder.hasContent);
      if (isErrorEvent(event)) throw errorFromPayload(data, { ...this.#place, status: undefined });
      throw malformedFrame(this.#place, data, cause);
    }
    if (isErrorEvent(event)) throw errorFromPayload(payload, { ...this.#place, status: undefined });
    if (this.#reader.bare && isErrorPayload(payload)) throw errorFromPayload(payload, this.#place);
    if (typeof payload !== "object" || payload === null) throw malformedFrame(this.#place, data);
    this.#decode(payload, event, data);
  }

  /** Some servers and proxies do not stream: what their body holds, one JSON or a list, are the same messages. */
  #readUnstreamed(text: string): void {
    for (const payload of payloadsOf(text)) {
      if (isErrorPayload(payload)) throw errorFromPayload(payload, this.#place);
      if (this.#options.builder.ended) return;
      const data = JSON.stringify(payload);
      this.#show("message", data);
      this.#decode(payload, "message", data);
    }
    if (!this.#options.builder.ended) this.#finish();
  }

  #decode(payload: unknown, event: string, data: string): void {
    try {
      if (this.#decoder.frame(payload, event)) this.#carried = true;
    } catch (error) {
      throw this.#decoderFailed(error, data);
    }
  }

  #finish(): void {
    try {
      this.#decoder.end();
    } catch (error) {
      throw this.#decoderFailed(error, "its last event");
    }
  }

  /** A decoder that stumbles over a value of the wrong kind has met a malformed response, not a bug of the caller's. */
  #decoderFailed(error: unknown, data: string): ModelError {
    return error instanceof ModelError ? error : malformedFrame(this.#place, data, error);
  }

  #show(event: string, data: string): void {
    const { onFrame, model, onLateFailure } = this.#options;
    if (!onFrame) return;
    let returned: unknown;
    try {
      returned = onFrame({ event, data }, model);
    } catch (cause) {
      throw hookFailed("onFrame", cause);
    }
    if (returned instanceof Promise) returned.catch((cause: unknown) => onLateFailure(hookFailed("onFrame", cause)));
  }
}

/** An event that is named an error is one, whatever its data looks like. */
const isErrorEvent = (event: string): boolean => event.length === 5 && event.toLowerCase() === "error";

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "[DONE]");

/** The JSON objects of a text: one, an array of them, or one on each line. None if anything else is in it. */
function payloadsOf(text: string): object[] {
  const isPayload = (value: unknown): value is object => typeof value === "object" && value !== null;
  for (const read of [() => [JSON.parse(text)].flat(), () => linesOf(text).map((line) => JSON.parse(line))]) {
    try {
      const values: unknown[] = read();
      if (values.every(isPayload)) return values;
    } catch {
      // The other form, or none.
    }
  }
  return [];
}

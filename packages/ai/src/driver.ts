// The one place that runs an API. It owns the try/catch, the deadlines, abort and the missing terminal event, for every protocol,
// so that a protocol can be two pure functions. Invariant: whatever happens, the stream gets exactly one terminal event, the
// response body is cancelled, and nothing is thrown, rejected or printed.

import { type CallPlan, planCall } from "./call-plan.ts";
import { detailsOf } from "./error-kinds.ts";
import { ModelError } from "./errors.ts";
import { AssistantMessageEventStream } from "./event-stream.ts";
import { MessageBuilder } from "./message-builder.ts";
import type { ApiProtocol, FrameDecoder } from "./protocol.ts";
import type { Context, Model, SimpleStreamOptions } from "./types.ts";
import { readTextBounded, settleBody } from "./wire/body.ts";
import { type DeadlineName, Deadlines } from "./wire/deadlines.ts";
import { errorFromPayload, errorFromText } from "./wire/error-body.ts";
import { failureOf } from "./wire/failure.ts";
import { SseReader } from "./wire/sse.ts";
import { endedEarly, errorFromStray, malformedFrame } from "./wire/stream-errors.ts";
import { createTransport } from "./wire/transport.ts";

/** What the driver needs from its surroundings. */
export interface DriverEnvironment {
  loadProtocol(api: string): Promise<ApiProtocol>;
  /** The environment variables in which keys are looked up. */
  env: Record<string, string | undefined>;
  now(): number;
  newToolCallId(): string;
}

const TIMEOUT_TEXT: Record<DeadlineName, (provider: string, limitMs: number) => string> = {
  firstByteTimeoutMs: (provider, limitMs) =>
    `${provider} did not begin to answer within ${seconds(limitMs)} s. Try again, or raise firstByteTimeoutMs.`,
  idleTimeoutMs: (provider, limitMs) =>
    `${provider} went silent for ${seconds(limitMs)} s in the middle of its answer. Try again, or raise idleTimeoutMs.`,
  totalTimeoutMs: (provider, limitMs) =>
    `The call to ${provider} took longer than its limit of ${seconds(limitMs)} s (totalTimeoutMs).`,
};

const seconds = (milliseconds: number): number => Math.round(milliseconds / 100) / 10;

/** Starts a call and returns its events at once. Never throws. */
export function drive(
  model: Model,
  context: Context,
  options: SimpleStreamOptions | undefined,
  environment: DriverEnvironment,
): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  const run = new Run(model, context, options, environment, stream);
  void run.start();
  return stream;
}

class Run {
  readonly #context: Context;
  readonly #options: SimpleStreamOptions;
  readonly #environment: DriverEnvironment;
  readonly #stream: AssistantMessageEventStream;
  readonly #model: Model;
  readonly #builder: MessageBuilder;
  readonly #controller = new AbortController();
  #deadlines: Deadlines | undefined;
  #secrets: readonly string[] = [];
  #onAbort: (() => void) | undefined;

  constructor(
    model: Model,
    context: Context,
    options: SimpleStreamOptions | undefined,
    environment: DriverEnvironment,
    stream: AssistantMessageEventStream,
  ) {
    this.#context = context;
    this.#options = typeof options === "object" && options !== null ? options : {};
    this.#environment = environment;
    this.#stream = stream;
    this.#model = modelOrBlank(model);
    this.#builder = new MessageBuilder(stream, {
      model: this.#model,
      usedToolCallIds: () => toolCallIdsOf(context),
      newToolCallId: environment.newToolCallId,
      now: environment.now,
    });
  }

  async start(): Promise<void> {
    try {
      this.#listenForAbort();
      if (this.#builder.ended) return;
      const plan = await planCall(this.#model, this.#context, this.#options, this.#environment);
      this.#secrets = plan.secrets;
      this.#watch(plan);
      if (plan.request.toolName) this.#builder.nameTools(plan.request.toolName);
      for (const diagnostic of plan.request.diagnostics) this.#builder.diagnose(diagnostic);
      const response = await this.#send(plan);
      if (this.#builder.ended) {
        settleBody(response);
        return;
      }
      this.#deadlines?.responded();
      await this.#read(plan, response);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#deadlines?.stop();
      if (this.#onAbort) this.#options.signal?.removeEventListener("abort", this.#onAbort);
    }
  }

  /** Abort ends the stream at once and synchronously; what still runs finds that out when it next looks. */
  #listenForAbort(): void {
    this.#stream.onCancel(() => this.#abort());
    const signal = this.#options.signal;
    if (signal === undefined || signal === null) return;
    if (!(signal instanceof AbortSignal)) {
      throw new ModelError(
        "options.signal is not an AbortSignal.",
        detailsOf("invalid_request", { code: "bad_option" }),
      );
    }
    if (signal.aborted) {
      this.#abort();
      return;
    }
    this.#onAbort = () => this.#abort();
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  #abort(): void {
    this.#builder.fail(detailsOf("aborted"), "The request was aborted.");
    this.#close();
  }

  #watch(plan: CallPlan): void {
    this.#deadlines = new Deadlines(
      plan.limits,
      (name, limitMs) => {
        const sentence = TIMEOUT_TEXT[name](plan.providerName, limitMs);
        this.#builder.fail(detailsOf("timeout", { code: name }), sentence);
        this.#close();
      },
      this.#environment.now,
    );
  }

  /** Closes the socket and the timers; the terminal event is already out. */
  #close(): void {
    this.#deadlines?.stop();
    this.#controller.abort();
  }

  async #send(plan: CallPlan): Promise<Response> {
    const replaced = await this.#options.onPayload?.(plan.request.body, this.#model);
    const body = (replaced === undefined ? plan.request.body : replaced) as Record<string, unknown>;
    this.#controller.signal.throwIfAborted();
    const transport = createTransport({
      fetch: this.#options.fetch,
      signal: this.#controller.signal,
      headers: [plan.request.headers, this.#model.headers, this.#options.headers],
      base: plan.base,
      keyless: plan.apiKey === undefined,
    });
    const sent = plan.protocol
      .send({
        model: this.#model,
        body,
        apiKey: plan.apiKey ?? "none",
        baseUrl: plan.base.url,
        fetch: transport.fetch,
        signal: this.#controller.signal,
      })
      .then(() => transport.response);
    sent.catch(() => {});
    const response = await Promise.race([transport.response, sent]);
    const headers = Object.fromEntries(response.headers.entries());
    await this.#options.onResponse?.({ status: response.status, headers }, this.#model);
    return response;
  }

  async #read(plan: CallPlan, response: Response): Promise<void> {
    const place = {
      provider: plan.providerName,
      status: response.status,
      headers: response.headers,
      url: response.url || plan.base.url,
      now: this.#environment.now(),
    };
    if (!response.ok) throw errorFromText(await readTextBounded(response), place);
    this.#builder.start();
    const decoder = plan.protocol.createDecoder({
      model: this.#model,
      builder: this.#builder,
      toolNames: new Set(plan.tools.map((tool) => tool.name)),
      error: (payload) => errorFromPayload(payload, { ...place, status: undefined }),
    });
    let bodyEnded = false;
    const reader = new SseReader((event, data) => this.#frame(decoder, event, data, bodyEnded));
    if (response.body) await this.#pump(response, reader);
    if (this.#builder.ended) return;
    bodyEnded = true;
    reader.end();
    if (!this.#builder.ended) decoder.end();
    if (this.#builder.ended) return;
    if (reader.strayText) throw errorFromStray(reader.strayText, place);
    throw endedEarly(plan.providerName, this.#builder.hasContent);
  }

  /** Moves bytes from the socket to the decoder, no faster than the consumer reads. */
  async #pump(response: Response, reader: SseReader): Promise<void> {
    const body = (response.body as ReadableStream<Uint8Array>).getReader();
    try {
      while (true) {
        const { done, value } = await body.read();
        if (done || this.#builder.ended) return;
        reader.feed(value);
        if (this.#builder.ended) return;
        const room = this.#stream.room();
        if (room) {
          this.#deadlines?.pause();
          await room;
          this.#deadlines?.resume();
        }
      }
    } finally {
      settleBody(body);
    }
  }

  #frame(decoder: FrameDecoder, event: string, data: string, bodyEnded: boolean): void {
    if (this.#builder.ended || data === "") return;
    this.#options.onFrame?.({ event, data }, this.#model);
    if (data.trimEnd() === "[DONE]") {
      decoder.end();
      return;
    }
    let payload: unknown;
    try {
      payload = JSON.parse(data);
    } catch (cause) {
      if (bodyEnded) throw endedEarly(this.#model.provider, this.#builder.hasContent);
      throw malformedFrame(this.#model.provider, data, cause);
    }
    if (decoder.frame(payload, event)) this.#deadlines?.active();
  }

  #fail(error: unknown): void {
    if (this.#builder.ended) return;
    const { details, sentence } = failureOf(error, this.#model, this.#secrets);
    this.#builder.fail(details, sentence);
    this.#close();
  }
}

/** The model as given, or a stand-in for the message of a call that was given none. */
function modelOrBlank(model: Model): Model {
  if (typeof model === "object" && model !== null) return model;
  return {
    id: "unknown",
    name: "unknown",
    api: "unknown",
    provider: "unknown",
    baseUrl: "",
    reasoning: false,
    input: ["text"],
    cost: {},
  };
}

/** Ids of the tool calls in a conversation, which may be rubbish at this point. */
function toolCallIdsOf(context: Context): Set<string> {
  const ids = new Set<string>();
  for (const message of context.messages) {
    if (message.role !== "assistant") continue;
    for (const block of message.content) if (block.type === "toolCall") ids.add(block.id);
  }
  return ids;
}

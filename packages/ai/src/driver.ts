// The one place that runs an API. It owns the try/catch, the deadlines, abort and the missing terminal event, for every protocol,
// so that a protocol can be two pure functions. Invariant: whatever happens, the stream gets exactly one terminal event, the
// response body is cancelled, and nothing is thrown, rejected or printed.

import { type CallPlan, limitsOf, planCall, unsendable } from "./call-plan.ts";
import { checkModel, checkOptions, completeModel } from "./check-input.ts";
import { detailsOf } from "./error-kinds.ts";
import { ModelError } from "./errors.ts";
import { AssistantMessageEventStream } from "./event-stream.ts";
import { callHook } from "./hooks.ts";
import { MessageBuilder } from "./message-builder.ts";
import type { ApiProtocol } from "./protocol.ts";
import { providerRow } from "./providers/rows.ts";
import { ResponseReader } from "./response-reader.ts";
import { secretsOf } from "./secrets.ts";
import { isObject } from "./tools/json-values.ts";
import type { Context, Model, SimpleStreamOptions } from "./types.ts";
import { settleBody } from "./wire/body.ts";
import { type DeadlineName, Deadlines } from "./wire/deadlines.ts";
import { failureOf, isWireFailure } from "./wire/failure.ts";
import { concealer } from "./wire/redact.ts";
import { createTransport, type Transport } from "./wire/transport.ts";

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
  // start() reports every failure itself; should reporting one fail, the stream still ends.
  run.start().catch(() => stream.end());
  return stream;
}

class Run {
  readonly #givenModel: Model;
  readonly #context: Context;
  readonly #givenOptions: SimpleStreamOptions | undefined;
  readonly #environment: DriverEnvironment;
  readonly #stream: AssistantMessageEventStream;
  readonly #model: Model;
  readonly #builder: MessageBuilder;
  readonly #controller = new AbortController();
  #deadlines: Deadlines | undefined;
  #reader: ResponseReader | undefined;
  #secrets: readonly string[] = [];
  /** Where the call goes, once the environment has filled the model's address. */
  #baseUrl: string;
  #stopListening: (() => void) | undefined;

  constructor(
    model: Model,
    context: Context,
    options: SimpleStreamOptions | undefined,
    environment: DriverEnvironment,
    stream: AssistantMessageEventStream,
  ) {
    this.#givenModel = model;
    this.#context = context;
    this.#givenOptions = options;
    this.#environment = environment;
    this.#stream = stream;
    this.#model = completeModel(model);
    this.#baseUrl = this.#model.baseUrl;
    this.#builder = new MessageBuilder(stream, {
      model: this.#model,
      usedToolCallIds: () => toolCallIdsOf(context),
      newToolCallId: environment.newToolCallId,
      now: environment.now,
    });
  }

  async start(): Promise<void> {
    try {
      this.#secrets = secretsOf(this.#model, this.#givenOptions, this.#environment.env);
      const options = checkOptions(this.#givenOptions);
      this.#listenForAbort(options.signal);
      if (this.#builder.ended) return;
      checkModel(this.#givenModel);
      const deadlines = this.#watch(options);
      const plan = await planCall(this.#model, this.#context, options, this.#environment);
      this.#baseUrl = plan.base.url;
      this.#name(plan);
      if (plan.answerTool) this.#builder.answerBy(plan.answerTool);
      for (const diagnostic of plan.request.diagnostics) this.#builder.diagnose(diagnostic);
      const response = await this.#send(plan, options);
      if (this.#builder.ended) {
        settleBody(response);
        return;
      }
      this.#reader = new ResponseReader({
        plan,
        deadlines,
        model: this.#model,
        builder: this.#builder,
        stream: this.#stream,
        onFrame: options.onFrame,
        onLateFailure: (error) => this.#fail(error),
        secrets: this.#secrets,
        now: this.#environment.now(),
      });
      await this.#reader.read(response);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#deadlines?.stop();
      this.#stopListening?.();
    }
  }

  /** What a server calls things by is told without keys; the caller's own tools keep their names whatever they are. */
  #name({ request, tools, answerTool }: CallPlan): void {
    const conceal = concealer(this.#secrets);
    const offered = new Set([...tools.map((tool) => tool.name), answerTool?.name]);
    this.#builder.concealBy(conceal);
    this.#builder.nameTools((wireName) => {
      const name = request.toolName?.(wireName) ?? wireName;
      return offered.has(name) ? name : conceal(name);
    });
  }

  /** Abort ends the stream at once and synchronously; what still runs finds that out when it next looks. */
  #listenForAbort(signal: AbortSignal | undefined | null): void {
    this.#stream.onCancel(() => this.#abort());
    if (signal === undefined || signal === null) return;
    if (signal.aborted) {
      this.#abort();
      return;
    }
    const onAbort = (): void => this.#abort();
    signal.addEventListener("abort", onAbort, { once: true });
    this.#stopListening = () => signal.removeEventListener("abort", onAbort);
  }

  #abort(): void {
    this.#builder.fail(detailsOf("aborted"), "The request was aborted.");
    this.#close();
  }

  /** The limits count from here, so that a protocol that never loads or a hook that never settles is bounded too. */
  #watch(options: SimpleStreamOptions): Deadlines {
    const provider = providerRow(this.#model.provider)?.name ?? this.#model.provider;
    this.#deadlines = new Deadlines(
      limitsOf(options),
      (name, limitMs) => {
        // Some APIs have no last event, and some servers never close: silence after the stop reason is the end.
        const isWhole = name === "idleTimeoutMs" && this.#reader?.finishIfWhole();
        if (!isWhole) this.#builder.fail(detailsOf("timeout", { code: name }), TIMEOUT_TEXT[name](provider, limitMs));
        this.#close();
      },
      // Not the time of day, which people and time servers set.
      () => performance.now(),
    );
    return this.#deadlines;
  }

  /** Closes the socket and the timers; the terminal event is already out. */
  #close(): void {
    this.#deadlines?.stop();
    this.#stopListening?.();
    this.#controller.abort();
    this.#reader?.cancel();
  }

  async #send(plan: CallPlan, options: SimpleStreamOptions): Promise<Response> {
    const planned = plan.request.body;
    const replaced = await callHook("onPayload", () => options.onPayload?.(planned, this.#model));
    const body = replaced === undefined ? planned : replaced;
    if (!isObject(body)) throw badPayload();
    this.#controller.signal.throwIfAborted();
    const transport = createTransport({
      fetch: options.fetch,
      signal: this.#controller.signal,
      headers: [plan.request.headers, plan.modelHeaders, options.headers],
      base: plan.base,
      keyless: plan.apiKey === undefined,
    });
    const response = await this.#exchange(plan, body, transport);
    // Not instanceof: another implementation of fetch has a Response of its own.
    if (typeof response?.headers?.entries !== "function") throw badFetch();
    const headers = Object.fromEntries(response.headers.entries());
    await callHook("onResponse", () => options.onResponse?.({ status: response.status, headers }, this.#model));
    return response;
  }

  /** Lets the protocol send. What goes wrong before anything was sent is wrong with the request, unless it is plainly of the network. */
  async #exchange(plan: CallPlan, body: Record<string, unknown>, transport: Transport): Promise<Response> {
    const sent = (async () => {
      await plan.protocol.send({
        model: this.#model,
        body,
        apiKey: plan.apiKey ?? "none",
        baseUrl: plan.base.url,
        fetch: transport.fetch,
        signal: this.#controller.signal,
      });
      if (!transport.used) throw new Error("the protocol sent no request");
      return transport.response;
    })();
    sent.catch(() => {});
    try {
      return await Promise.race([transport.response, sent]);
    } catch (error) {
      // A protocol may have a connection of its own, of which the transport knows nothing.
      throw transport.used || isWireFailure(error) ? error : unsendable(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#builder.ended) return;
    const { details, sentence } = failureOf(error, { ...this.#model, baseUrl: this.#baseUrl }, this.#secrets);
    this.#builder.fail(details, sentence);
    this.#close();
  }
}

const badPayload = (): ModelError =>
  new ModelError(
    "The hook onPayload must return the request body as an object, or nothing to keep it.",
    detailsOf("invalid_request", { code: "hook_failed" }),
  );

const badFetch = (): ModelError =>
  new ModelError("options.fetch must resolve with a Response.", detailsOf("invalid_request", { code: "bad_option" }));

/**
 * Ids of the tool calls in a conversation, of which anything may be rubbish. Never throws: it is asked while the answer streams or the
 * call is being aborted, and by then the caller may have done anything to the conversation.
 */
function toolCallIdsOf(context: Context): Set<string> {
  const ids = new Set<string>();
  try {
    for (const message of context.messages) {
      if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) continue;
      for (const block of message.content) if (isObject(block) && block.type === "toolCall") ids.add(block.id);
    }
  } catch {
    // What cannot be read any more holds no id to collide with.
  }
  return ids;
}

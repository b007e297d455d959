// One model turn: transform, convert, key, stream function, events; and the attempts that a turn may take. It runs no
// tool and never throws but for fatal errors: every failure becomes the turn's message.
// Invariant: one message_start, then updates, then one message_end, whatever the stream did.
import {
  type AssistantMessage,
  type AssistantMessageEvent,
  type Context,
  type Model,
  type SimpleStreamOptions,
  thinkingLevels,
} from "@rondo/ai";
import { isAssistantMessage } from "./failure.ts";
import { inspectJson } from "./plain-json.ts";
import { planRetry } from "./retry.ts";
import type { Run } from "./run.ts";
import { StreamedMessage } from "./streamed-message.ts";
import type { AgentLoopConfig } from "./types.ts";

/** Calls the model, again where the policy says so, and adds its message to the conversation. */
export async function streamAssistantResponse(run: Run): Promise<AssistantMessage> {
  const streamed = new StreamedMessage(run);
  let overflowHandled = false;
  for (let attempt = 1; ; attempt++) {
    const message = await callModel(run, streamed);
    streamed.hide();
    run.ledger.bookAnswer(message);
    if (message.error?.kind === "context_overflow" && !overflowHandled) {
      overflowHandled = true;
      if (await makeRoom(run)) {
        await streamed.discard(message);
        continue;
      }
    }
    const retry = planRetry(run, message, attempt);
    if (!retry) {
      run.ledger.bookTurn();
      return await streamed.finish(message);
    }
    await streamed.discard(message, retry);
    await run.interruption.sleep(retry.delayMs);
  }
}

/** One attempt. */
async function callModel(run: Run, streamed: StreamedMessage): Promise<AssistantMessage> {
  const { model } = run.config;
  const call = run.interruption.branch();
  try {
    if (!run.mayGoOn(true)) return run.failureMessage(model, streamed.partial, undefined);
    const { context, options } = await prepareRequest(run, call.signal);
    // Preparing it may have taken model calls of its own.
    if (!run.mayGoOn(true)) return run.failureMessage(model, streamed.partial, undefined);
    const response: unknown = await run.wait(() => run.streamFn(model, context, options));
    return await readResponse(run, response, streamed);
  } catch (error) {
    if (run.isFatal(error)) throw error;
    return run.failureMessage(model, streamed.partial, error);
  } finally {
    call.dispose();
  }
}

/** What the model is asked. The signal is the call's own, so that what listens to it goes with the call. */
async function prepareRequest(
  run: Run,
  signal: AbortSignal,
): Promise<{ context: Context; options: SimpleStreamOptions }> {
  const { config } = run;
  const { systemPrompt, messages, tools } = run.context;
  const given = await run.wait(() => config.transformContext?.([...messages], signal, run.scope) ?? [...messages]);
  const transformed = requireList(given, "transformContext");
  const converted = requireList(await run.wait(() => config.convertToLlm(transformed)), "convertToLlm");
  const apiKey = await run.wait(() => config.getApiKey?.(config.model.provider));
  const context: Context = { systemPrompt, messages: converted, ...(tools ? { tools: run.tools } : {}) };
  return { context, options: { ...streamOptions(config), ...(apiKey ? { apiKey } : {}), signal } };
}

function requireList<T>(value: T[], hook: string): T[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${hook} must return a list of messages, and returned ${value === null ? "null" : typeof value}.`);
}

/** What of the configuration is the model layer's: all that is not the loop's own. */
function streamOptions(config: AgentLoopConfig): SimpleStreamOptions {
  const {
    model,
    convertToLlm: _convertToLlm,
    transformContext: _transformContext,
    getApiKey: _getApiKey,
    shouldStopAfterTurn: _shouldStopAfterTurn,
    prepareNextTurn: _prepareNextTurn,
    getSteeringMessages: _getSteeringMessages,
    getFollowUpMessages: _getFollowUpMessages,
    watchSteering: _watchSteering,
    toolExecution: _toolExecution,
    beforeToolCall: _beforeToolCall,
    afterToolCall: _afterToolCall,
    onContextOverflow: _onContextOverflow,
    budget: _budget,
    parentLedger: _parentLedger,
    retry: _retry,
    maxRetryDelayMs: _maxRetryDelayMs,
    abortGraceMs: _abortGraceMs,
    isFatal: _isFatal,
    clock: _clock,
    random: _random,
    reasoning,
    ...options
  } = config;
  const isSaid = reasoning !== undefined && (reasoning !== "off" || canBeOff(model));
  return isSaid ? { ...options, reasoning } : options;
}

/** `off` is also the level of an agent that was told nothing, so a model that cannot be off is left as it is. */
function canBeOff(model: Model): boolean {
  return model.reasoning === true && thinkingLevels(model).includes("off");
}

/** Follows the stream to its terminal event and gives the final message. A stream of no such kind is a failure. */
async function readResponse(run: Run, response: unknown, streamed: StreamedMessage): Promise<AssistantMessage> {
  const iterator = iteratorOf(response);
  if (!iterator) throw new Error("The stream function returned something that is no event stream.");
  try {
    while (true) {
      const next = await run.wait(() => iterator.next());
      if (next?.done !== false) return await resultOf(run, response, streamed);
      const event: unknown = next.value;
      if (isTerminal(event)) return keepable(run, event.type === "done" ? event.message : event.error, streamed);
      if (isUpdate(event)) await streamed.update(event);
      if (run.interruption.cause?.kind === "error") return leave(run, iterator, streamed);
    }
  } catch (error) {
    letGo(iterator);
    throw error;
  }
}

/** A listener failed: there is nobody to stream for any longer. */
function leave(run: Run, iterator: AsyncIterator<unknown>, streamed: StreamedMessage): AssistantMessage {
  letGo(iterator);
  return run.failureMessage(run.config.model, streamed.partial, undefined);
}

/** Tells the producer to stop, without waiting for it. */
function letGo(iterator: AsyncIterator<unknown>): void {
  Promise.resolve()
    .then(() => iterator.return?.())
    .catch(() => {});
}

/** The stream ended without a terminal event: its own result, if it has one, else what had arrived. */
async function resultOf(run: Run, response: unknown, streamed: StreamedMessage): Promise<AssistantMessage> {
  const result = (response as { result?: unknown }).result;
  const message: unknown = typeof result === "function" ? await run.wait(() => result.call(response)) : undefined;
  if (message === undefined) throw new Error("The stream ended before the model had finished.");
  return keepable(run, message, streamed);
}

/** A stream's final message as plain JSON, which is what the history holds; a failure if it cannot be that. */
function keepable(run: Run, message: unknown, streamed: StreamedMessage): AssistantMessage {
  const { plain, problem } = inspectJson(message);
  const whole = isAssistantMessage(plain);
  if (whole && problem === undefined) return plain;
  const sentence =
    problem === undefined
      ? "The stream ended with something that is no message."
      : `The model's message cannot be kept: ${problem}. A stream function must give plain JSON, and not too much of it.`;
  return run.failureMessage(run.config.model, whole ? plain : streamed.partial, sentence);
}

/** Asks the caller to shorten the context. */
async function makeRoom(run: Run): Promise<boolean> {
  if (run.interrupted) return false;
  const { signal } = run.interruption;
  try {
    return (
      (await run.wait(() => run.config.onContextOverflow?.([...run.context.messages], signal, run.scope))) === true
    );
  } catch (error) {
    if (run.isFatal(error)) throw error;
    return false;
  }
}

type TerminalEvent = Extract<AssistantMessageEvent, { type: "done" | "error" }>;
type UpdateEvent = Exclude<AssistantMessageEvent, TerminalEvent>;

const UPDATES: ReadonlySet<unknown> = new Set<UpdateEvent["type"]>([
  "start",
  "text_start",
  "text_delta",
  "text_end",
  "thinking_start",
  "thinking_delta",
  "thinking_end",
  "toolcall_start",
  "toolcall_delta",
  "toolcall_end",
]);

function isUpdate(event: unknown): event is UpdateEvent {
  const { type, partial } = (event ?? {}) as { type?: unknown; partial?: Partial<AssistantMessage> | null };
  return UPDATES.has(type) && partial?.role === "assistant" && Array.isArray(partial.content);
}

function isTerminal(event: unknown): event is TerminalEvent {
  const type = (event as { type?: unknown } | null | undefined)?.type;
  return type === "done" || type === "error";
}

function iteratorOf(response: unknown): AsyncIterator<unknown> | undefined {
  const iterable = response as AsyncIterable<unknown> | null | undefined;
  const start = iterable?.[Symbol.asyncIterator];
  return typeof start === "function" ? start.call(iterable) : undefined;
}

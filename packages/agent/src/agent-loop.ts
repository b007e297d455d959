// The loop: an inner one that alternates between the model and its tools, an outer one that picks up follow-ups. What is
// intricate lives beside it. Invariant: whatever happens, a run closes the turn it opened and ends in one agent_end.
import { type AssistantMessage, EventStream, type ToolResultMessage } from "@rondo/ai";
import { streamAssistantResponse } from "./assistant-turn.ts";
import { resolveStreamFn } from "./default-stream-fn.ts";
import { requireMessage } from "./given-messages.ts";
import { requireKnownOptions } from "./known-options.ts";
import { isEmptyAnswer } from "./retry.ts";
import { Run, type RunInput } from "./run.ts";
import { executeToolCalls } from "./tool-calls.ts";
import type {
  AgentContext,
  AgentEndReason,
  AgentEvent,
  AgentEventSink,
  AgentLoopConfig,
  AgentLoopTurnUpdate,
  AgentMessage,
  ShouldStopAfterTurnContext,
  StreamFn,
} from "./types.ts";

/**
 * Runs the loop on new prompts and gives its events as a stream; the result is what the run added to the conversation.
 * Leaving the stream early aborts the run. For engines whose errors are fatal, use `runAgentLoop`, which can reject.
 */
export function agentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  signal?: AbortSignal,
  streamFn?: StreamFn,
): EventStream<AgentEvent, AgentMessage[]> {
  const callModel = resolveStreamFn(streamFn);
  for (const prompt of prompts) requireMessage(prompt, "agentLoop()");
  requireKnownOptions(config);
  return asStream(signal, (emit, ownSignal) => runAgentLoop(prompts, context, config, emit, ownSignal, callModel));
}

/** The same without a new prompt, for a conversation whose last message a model can answer. */
export function agentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  signal?: AbortSignal,
  streamFn?: StreamFn,
): EventStream<AgentEvent, AgentMessage[]> {
  requireSomethingToAnswer(context);
  return agentLoop([], context, config, signal, streamFn);
}

/**
 * Runs the loop on new prompts and hands each event to `emit`, which is awaited. Resolves with what the run added to the
 * conversation. Rejects only with an error that `isFatal` claims, or that `emit` threw at `agent_end`, when no event is
 * left to tell it with, and with a TypeError for a prompt that is no message in plain JSON or a `budget` or `retry` with
 * a name that means nothing. `context` is not changed.
 */
export async function runAgentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal?: AbortSignal,
  streamFn?: StreamFn,
): Promise<AgentMessage[]> {
  for (const prompt of prompts) requireMessage(prompt, "runAgentLoop()");
  return startRun(prompts, {
    context: { ...context, messages: [...context.messages] },
    config,
    signal,
    streamFn: resolveStreamFn(streamFn),
    listeners: [emit],
  });
}

/** The same without a new prompt. Throws if the last message is an assistant's, which no model can answer. */
export async function runAgentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal?: AbortSignal,
  streamFn?: StreamFn,
): Promise<AgentMessage[]> {
  requireSomethingToAnswer(context);
  return runAgentLoop([], context, config, emit, signal, streamFn);
}

/** One whole run, for callers that hold a context of their own. */
export async function startRun(prompts: AgentMessage[], input: RunInput): Promise<AgentMessage[]> {
  requireKnownOptions(input.config);
  const run = new Run(input);
  try {
    await run.emit({ type: "agent_start" });
    await run.startTurn();
    for (const prompt of prompts) await run.say(prompt);
    const reason = await runLoop(run).catch((error: unknown): AgentEndReason => {
      run.fail(error, "The loop failed.");
      return "error";
    });
    await run.finish(await closeTurns(run, reason));
    return run.newMessages;
  } catch (error) {
    run.suspend();
    throw error;
  } finally {
    run.dispose();
  }
}

async function runLoop(run: Run): Promise<AgentEndReason> {
  let reason: AgentEndReason = "completed";
  let pending = await messagesFrom(run, "getSteeringMessages");

  while (true) {
    let hasMoreToolCalls = true;

    while (hasMoreToolCalls || pending.length > 0) {
      if (!run.turnOpen) await run.startTurn();
      await inject(run, pending);

      const message = await streamAssistantResponse(run);
      const { results, terminate } = await executeToolCalls(run, message);
      hasMoreToolCalls = results.length > 0 && !terminate;
      await run.endTurn(message, results);

      if (message.stopReason === "error" || message.stopReason === "aborted") return message.stopReason;
      if (await shouldStop(run, message, results)) return "stopped";
      reason = terminate ? "terminated" : isEmptyAnswer(message) ? "empty" : "completed";

      pending = await messagesFrom(run, "getSteeringMessages");
      if (!run.mayGoOn(hasMoreToolCalls || pending.length > 0)) return "aborted";
    }

    pending = await messagesFrom(run, "getFollowUpMessages");
    if (!run.mayGoOn(pending.length > 0)) return "aborted";
    if (pending.length === 0) return reason;
  }
}

/** Puts queued messages into the conversation. After an abort they stay where they came from. */
async function inject(run: Run, pending: AgentMessage[]): Promise<void> {
  for (const message of pending) {
    if (run.interrupted) return;
    await run.say(message);
  }
}

/** `prepareNextTurn`, then `shouldStopAfterTurn`. */
async function shouldStop(run: Run, message: AssistantMessage, toolResults: ToolResultMessage[]): Promise<boolean> {
  const turn = (): ShouldStopAfterTurnContext => {
    return { message, toolResults, context: run.context, newMessages: [...run.newMessages] };
  };
  try {
    if (!run.interrupted) applyUpdate(run, await run.wait(() => run.config.prepareNextTurn?.(turn())));
    return run.interrupted || (await run.wait(() => run.config.shouldStopAfterTurn?.(turn()))) === true;
  } catch (error) {
    run.fail(error, "A hook failed after the turn.");
    return true;
  }
}

function applyUpdate(run: Run, update: AgentLoopTurnUpdate | undefined): void {
  if (update?.context) {
    const { messages, tools } = update.context;
    run.context = { ...update.context, messages: [...messages], ...(tools ? { tools: [...tools] } : {}) };
  }
  if (update?.model) run.config = { ...run.config, model: update.model };
  if (update?.thinkingLevel) run.config = { ...run.config, reasoning: update.thinkingLevel };
}

async function messagesFrom(run: Run, queue: "getSteeringMessages" | "getFollowUpMessages"): Promise<AgentMessage[]> {
  if (run.interrupted) return [];
  try {
    const messages = await run.wait(() => run.config[queue]?.());
    if (!Array.isArray(messages)) return [];
    const given = messages.filter((message) => typeof message === "object" && message !== null);
    for (const message of given) requireMessage(message, queue);
    return given;
  } catch (error) {
    run.fail(error, `${queue} failed.`);
    return [];
  }
}

/** What ended the run early outranks the loop's own reason. A failure outside a model call gets a message of its own. */
async function closeTurns(run: Run, reason: AgentEndReason): Promise<AgentEndReason> {
  const cause = run.interruption.cause;
  if (!cause) return reason;
  if (cause.kind !== "error") return cause.kind === "budget" ? "budget" : "aborted";
  if (run.lastAnswer()?.errorMessage !== cause.message) {
    const failure = run.failureMessage(run.config.model, undefined, undefined);
    if (!run.turnOpen) await run.startTurn();
    await run.say(failure);
    await run.endTurn(failure, []);
  }
  return "error";
}

function requireSomethingToAnswer(context: AgentContext): void {
  const last = context.messages.at(-1);
  if (!last) throw new Error("Cannot continue: no messages in context");
  if (last.role === "assistant") throw new Error("Cannot continue from message role: assistant");
}

function asStream(
  signal: AbortSignal | undefined,
  start: (emit: AgentEventSink, signal: AbortSignal) => Promise<AgentMessage[]>,
): EventStream<AgentEvent, AgentMessage[]> {
  const stream = new EventStream<AgentEvent, AgentMessage[]>(
    (event) => event.type === "agent_end",
    (event) => (event.type === "agent_end" ? event.messages : []),
  );
  const left = new AbortController();
  stream.onCancel(() => left.abort("its events are no longer read"));
  const ownSignal = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  start((event) => stream.push(event), ownSignal).then(
    (messages) => stream.end(messages),
    () => stream.end([]),
  );
  return stream;
}

// Steps five and six of a tool call: run the tool under its own deadline, pass on its progress, ask afterToolCall.
// Invariant: settles within the grace period after an abort, a time-out or an interruption, and never throws but for
// fatal errors.
import type { AssistantMessage } from "@rondo/ai";
import { durationText } from "./clock.ts";
import { isA, sentenceOf } from "./failure.ts";
import { AbandonedError, type Interruption } from "./interruption.ts";
import type { Run } from "./run.ts";
import type { PreparedCall } from "./tool-preparation.ts";
import { errorOutcome, overrideOutcome, type ToolOutcome, toolOutcome } from "./tool-result.ts";

/** Runs a prepared call. `parent` ends it early: the run's own end or, for an interruptible tool, steering too. */
export async function executeTool(
  run: Run,
  assistantMessage: AssistantMessage,
  prepared: PreparedCall,
  parent: Interruption,
): Promise<ToolOutcome> {
  const call = parent.branch();
  const stopTimer = startTimeout(run, prepared, call);
  let outcome: ToolOutcome;
  try {
    outcome = await runTool(run, prepared, call);
  } finally {
    stopTimer();
    call.dispose();
  }
  return askAfter(run, assistantMessage, prepared, outcome);
}

async function runTool(run: Run, prepared: PreparedCall, call: Interruption): Promise<ToolOutcome> {
  const { tool, toolCall, args } = prepared;
  const scope = { ledger: run.ledger.branch() };
  const progress = new Progress(run, prepared);
  let outcome: ToolOutcome;
  try {
    if (call.cause) return errorOutcome(toolCall, `"${toolCall.name}" was not run: ${call.cause.message}`);
    const work = () => tool.execute(toolCall.id, args, call.signal, progress.report, scope);
    outcome = toolOutcome(toolCall, await call.wait(work));
  } catch (error) {
    if (run.isFatal(error)) throw error;
    outcome = errorOutcome(toolCall, failureText(prepared, call, error));
  } finally {
    await progress.close();
  }
  if (outcome.result.usage && !scope.ledger.touched) run.ledger.bookUsage(outcome.result.usage);
  return outcome;
}

/** Says honestly what is known: a tool that was left alone may still be at work. */
function failureText({ toolCall }: PreparedCall, call: Interruption, error: unknown): string {
  const { name } = toolCall;
  if (isA(error, AbandonedError))
    return `"${name}" did not stop when it was told to and may still be running. ${call.cause?.message ?? ""}`.trim();
  if (call.cause && isAbort(error)) return `"${name}" was stopped before it was done. ${call.cause.message}`;
  return sentenceOf(error, `"${name}" failed without saying why.`);
}

function isAbort(error: unknown): boolean {
  return isA(error, Error) && error.name === "AbortError";
}

function startTimeout(run: Run, { toolCall }: PreparedCall, call: Interruption): () => void {
  const timeoutMs = run.config.budget?.toolTimeoutMs;
  if (timeoutMs === undefined) return () => {};
  const message = `"${toolCall.name}" took longer than ${durationText(timeoutMs)}.`;
  const timer = run.clock.setTimeout(() => call.interrupt({ kind: "timeout", message }), timeoutMs);
  return () => run.clock.clearTimeout(timer);
}

async function askAfter(
  run: Run,
  assistantMessage: AssistantMessage,
  { toolCall, args }: PreparedCall,
  outcome: ToolOutcome,
): Promise<ToolOutcome> {
  const { afterToolCall } = run.config;
  if (!afterToolCall) return outcome;
  const { result, isError } = outcome;
  const { context } = run;
  const hookContext = { assistantMessage, toolCall, args, result, isError, context };
  try {
    return overrideOutcome(outcome, await run.wait(() => afterToolCall(hookContext, run.interruption.signal)));
  } catch (error) {
    if (run.isFatal(error)) throw error;
    if (isA(error, AbandonedError)) return outcome;
    return errorOutcome(toolCall, sentenceOf(error, `The hook after "${toolCall.name}" failed.`));
  }
}

/** Passes a tool's progress on while it runs; what it reports later is ignored. */
class Progress {
  readonly #run: Run;
  readonly #prepared: PreparedCall;
  #open = true;
  #last: Promise<void> = Promise.resolve();

  constructor(run: Run, prepared: PreparedCall) {
    this.#run = run;
    this.#prepared = prepared;
  }

  // biome-ignore lint/suspicious/noExplicitAny: details belong to the tool
  readonly report = (partialResult: any): void => {
    if (!this.#open) return;
    const { id, name, arguments: args } = this.#prepared.toolCall;
    this.#last = this.#run.emit({ type: "tool_execution_update", toolCallId: id, toolName: name, args, partialResult });
    this.#last.catch(() => {});
  };

  /** Ends the reporting; resolves when everything reported was delivered. */
  async close(): Promise<void> {
    this.#open = false;
    await this.#last;
  }
}

// Steps one to four of a tool call: find the tool, mend and validate the arguments, ask beforeToolCall. Says why a call
// is not to be run, in words that a model can act on.
import { type AssistantMessage, type ToolCall, validateToolArguments } from "@rondo/ai";
import { sentenceOf } from "./failure.ts";
import type { Run } from "./run.ts";
import { errorOutcome, type ToolOutcome } from "./tool-result.ts";
import type { AgentTool, ToolResources } from "./types.ts";

/** A call that may run. */
export interface PreparedCall {
  toolCall: ToolCall;
  tool: AgentTool;
  args: Record<string, unknown>;
  resources: ToolResources;
  /** Whether steering may stop it. */
  interruptible: boolean;
}

/** The call ready to run, or the result that answers it without running. */
export async function prepareCall(
  run: Run,
  assistantMessage: AssistantMessage,
  toolCall: ToolCall,
): Promise<PreparedCall | ToolOutcome> {
  try {
    const tool = run.tools.find((candidate) => candidate.name === toolCall.name);
    const refusal = refuseCall(run, assistantMessage, toolCall, tool);
    if (refusal !== undefined || !tool) return errorOutcome(toolCall, refusal ?? "");
    const args = validArguments(tool, toolCall);
    const context = run.context;
    const { signal } = run.interruption;
    const before = await run.wait(() =>
      run.config.beforeToolCall?.({ assistantMessage, toolCall, args, context }, signal),
    );
    if (run.interrupted) return errorOutcome(toolCall, run.notRun(toolCall));
    if (before?.block) return errorOutcome(toolCall, before.reason || `Running "${toolCall.name}" was not allowed.`);
    const prepared = {
      toolCall,
      tool,
      args,
      resources: resourcesOf(tool, args),
      interruptible: tool.interruptible === true,
    };
    const overrun = run.ledger.admitCall(toolCall);
    return overrun === undefined ? prepared : errorOutcome(toolCall, overrun);
  } catch (error) {
    if (run.isFatal(error)) throw error;
    if (run.interrupted) return errorOutcome(toolCall, run.notRun(toolCall));
    return errorOutcome(toolCall, sentenceOf(error, `Preparing "${toolCall.name}" failed.`));
  }
}

/** Why a call is out of the question, whatever its arguments and hooks say. */
function refuseCall(
  run: Run,
  { stopReason }: AssistantMessage,
  toolCall: ToolCall,
  tool: AgentTool | undefined,
): string | undefined {
  const { name } = toolCall;
  if (run.interrupted) return run.notRun(toolCall);
  if (stopReason === "error" || stopReason === "aborted")
    return `"${name}" was not run, since the answer that asked for it did not arrive whole.`;
  if (stopReason === "length")
    return `"${name}" was not run: the answer reached the token limit, so its arguments may be cut off. Make the call again, with all of its arguments and in fewer tokens.`;
  if (!tool) return `There is no tool "${name}". ${listTools(run)}`;
  return undefined;
}

function listTools(run: Run): string {
  const names = run.tools.map((tool) => tool.name);
  return names.length === 0 ? "No tools can be called." : `These can be called: ${names.join(", ")}.`;
}

/** What the call touches, as far as the tool says it in lists. */
function resourcesOf(tool: AgentTool, args: Record<string, unknown>): ToolResources {
  const { reads, writes } = tool.resources?.(args) ?? {};
  return { ...(Array.isArray(reads) ? { reads } : {}), ...(Array.isArray(writes) ? { writes } : {}) };
}

/** Mended and validated. `prepareArguments` gets a copy, so that nothing it does changes the history. */
function validArguments(tool: AgentTool, toolCall: ToolCall): Record<string, unknown> {
  if (!tool.prepareArguments || toolCall.malformedArguments !== undefined) return validateToolArguments(tool, toolCall);
  const mended: unknown = tool.prepareArguments(structuredClone(toolCall.arguments));
  return validateToolArguments(tool, { ...toolCall, arguments: mended as ToolCall["arguments"] });
}

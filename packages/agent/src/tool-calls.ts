// The tool calls of one message: find, prepare, validate, ask, execute, ask again, answer. Preparation is always one by
// one; execution is parallel unless somebody asked for sequential.
// Invariant: every call of the message gets exactly one tool_execution_start, one tool_execution_end and one result
// message, in whatever way the run goes.
import type { AssistantMessage, ToolCall, ToolResultMessage } from "@rondo/ai";
import type { Interruption } from "./interruption.ts";
import { ResourceLanes } from "./resources.ts";
import type { Run } from "./run.ts";
import { executeTool } from "./tool-execution.ts";
import { type PreparedCall, prepareCall } from "./tool-preparation.ts";
import { errorOutcome, type ToolOutcome, toolResultMessage } from "./tool-result.ts";
import type { AgentTool } from "./types.ts";

/** The results of a message's calls, in their order, and whether all of them ask the agent to stop. */
export interface ToolBatch {
  results: ToolResultMessage[];
  terminate: boolean;
}

/** Runs, or refuses, and answers all calls of a message. */
export async function executeToolCalls(run: Run, message: AssistantMessage): Promise<ToolBatch> {
  const calls = message.content.filter((block) => block.type === "toolCall");
  const batch = new Batch(run, message);
  try {
    if (isSequential(run, calls)) await batch.runSequential(calls);
    else await batch.runParallel(calls);
  } finally {
    batch.dispose();
  }
  const { results, outcomes } = batch;
  return { results, terminate: outcomes.length > 0 && outcomes.every(({ result }) => result.terminate === true) };
}

function isSequential(run: Run, calls: ToolCall[]): boolean {
  if (run.config.toolExecution === "sequential") return true;
  const sequential = new Set(run.tools.filter(wantsSequential).map((tool) => tool.name));
  return calls.some((call) => sequential.has(call.name));
}

/** A tool that cannot be asked is better not run beside others. */
function wantsSequential(tool: AgentTool): boolean {
  try {
    return tool.executionMode === "sequential";
  } catch {
    return true;
  }
}

/** One message's calls on their way through. */
class Batch {
  readonly outcomes: ToolOutcome[] = [];
  readonly results: ToolResultMessage[] = [];
  readonly #run: Run;
  readonly #message: AssistantMessage;
  readonly #lanes: ResourceLanes;
  /** Ends early what may be ended by steering. */
  readonly #interruptible: Interruption;
  readonly #stopWatching: () => void;

  constructor(run: Run, message: AssistantMessage) {
    this.#run = run;
    this.#message = message;
    this.#lanes = new ResourceLanes(run.config.budget?.concurrentToolsMax);
    this.#interruptible = run.interruption.branch();
    this.#stopWatching = this.#watchSteering();
  }

  async runSequential(calls: ToolCall[]): Promise<void> {
    for (const call of calls) {
      const prepared = await this.#prepare(call);
      await this.#answer("tool" in prepared ? await this.#execute(prepared) : prepared);
    }
  }

  async runParallel(calls: ToolCall[]): Promise<void> {
    const prepared: (PreparedCall | ToolOutcome)[] = [];
    for (const call of calls) prepared.push(await this.#prepare(call));
    const outcomes = await Promise.all(
      prepared.map((call) => ("tool" in call ? this.#lanes.run(call.resources, () => this.#execute(call)) : call)),
    );
    for (const outcome of outcomes) await this.#answer(outcome);
  }

  dispose(): void {
    this.#interruptible.dispose();
    try {
      this.#stopWatching();
    } catch (error) {
      this.#run.fail(error, "watchSteering failed.");
    }
  }

  /** One that fails ends the run, but not before every call has its answer. */
  #watchSteering(): () => void {
    const onArrival = () => this.#interruptible.interrupt({ kind: "steering", message: "A new message arrived." });
    try {
      return this.#run.config.watchSteering?.(onArrival) ?? (() => {});
    } catch (error) {
      this.#run.fail(error, "watchSteering failed.");
      return () => {};
    }
  }

  /** Steps one to four. A call that is not to be run is over with this. */
  async #prepare(toolCall: ToolCall): Promise<PreparedCall | ToolOutcome> {
    const { id, name, arguments: args } = toolCall;
    await this.#run.emit({ type: "tool_execution_start", toolCallId: id, toolName: name, args });
    const prepared = await prepareCall(this.#run, this.#message, toolCall);
    if (!("tool" in prepared)) await this.#end(prepared);
    return prepared;
  }

  /** Steps five and six. */
  async #execute(prepared: PreparedCall): Promise<ToolOutcome> {
    const { toolCall, interruptible } = prepared;
    const parent = interruptible ? this.#interruptible : this.#run.interruption;
    const outcome = this.#run.interrupted
      ? errorOutcome(toolCall, this.#run.notRun(toolCall))
      : await executeTool(this.#run, this.#message, prepared, parent);
    await this.#end(outcome);
    return outcome;
  }

  async #end({ toolCall, result, isError }: ToolOutcome): Promise<void> {
    const { id, name } = toolCall;
    await this.#run.emit({ type: "tool_execution_end", toolCallId: id, toolName: name, result, isError });
  }

  /** Step seven. */
  async #answer(outcome: ToolOutcome): Promise<void> {
    const result = toolResultMessage(outcome, this.#run.clock.now());
    this.outcomes.push(outcome);
    this.results.push(result);
    await this.#run.say(result);
  }
}

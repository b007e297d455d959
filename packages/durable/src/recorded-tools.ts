// Tools and their hooks as recorded steps. Invariant: a tool without `replay: "safe"` is never started twice: that it is
// about to start is recorded first, and a start without a recorded end is told to the model as an interruption.
import type { AgentLoopConfig, AgentTool, AgentToolResult } from "@rondo/agent";
import type { Recorder } from "./recorder.ts";
import { capResult } from "./result-cap.ts";
import type { CallStep, StepNames } from "./step-names.ts";
import type { DurableTool, DurableToolScope } from "./types.ts";

const INTERRUPTED =
  "was interrupted: the process that ran it died. It was not started again, since doing it twice could do harm. It may have had its effect, or a part of it: check before you repeat it.";

type Hooks = Pick<AgentLoopConfig, "beforeToolCall" | "afterToolCall">;

export class RecordedTools {
  readonly #recorder: Recorder;
  readonly #names: StepNames;
  readonly #maxBytes: number;
  readonly #wrapped = new WeakMap<AgentTool, AgentTool>();
  readonly #tools = new Map<string, DurableTool>();

  constructor(recorder: Recorder, names: StepNames, maxBytes: number) {
    this.#recorder = recorder;
    this.#names = names;
    this.#maxBytes = maxBytes;
  }

  /** The tools for the loop. Wrapping one twice gives the same. */
  wrap(tools: AgentTool[]): AgentTool[] {
    return tools.map((tool) => {
      const known = this.#wrapped.get(tool);
      if (known) return known;
      const wrapped: AgentTool = { ...tool, execute: (...call) => this.#execute(tool, ...call) };
      this.#wrapped.set(tool, wrapped);
      this.#wrapped.set(wrapped, wrapped);
      this.#tools.set(tool.name, tool);
      return wrapped;
    });
  }

  /** The hooks for the loop. */
  hooks({ beforeToolCall, afterToolCall }: Hooks): Hooks {
    const name = (step: CallStep, { toolCall }: { toolCall: { id: string } }) => this.#names.call(step, toolCall.id);
    return {
      ...(beforeToolCall && {
        beforeToolCall: async (context, signal) => {
          const ask = async () => (await beforeToolCall(context, signal)) ?? null;
          return (await this.#recorder.run(name("before", context), ask)) ?? undefined;
        },
      }),
      ...(afterToolCall && {
        afterToolCall: async (context, signal) => {
          const ask = async () => (await afterToolCall(context, signal)) ?? null;
          return (await this.#recorder.run(name("after", context), ask)) ?? undefined;
        },
      }),
    };
  }

  /** What can be recorded about a call of this tool. */
  stepsOf(toolName: string, { beforeToolCall, afterToolCall }: Hooks): CallStep[] {
    const tool = this.#tools.get(toolName);
    if (!tool) return [];
    const steps: CallStep[] = tool.replay === "safe" ? ["tool"] : ["intent", "tool"];
    return [...(beforeToolCall ? ["before" as const] : []), ...steps, ...(afterToolCall ? ["after" as const] : [])];
  }

  /** Both steps are asked for at once, so that engines that number steps number them alike in every attempt. */
  #execute(tool: DurableTool, ...call: Parameters<AgentTool["execute"]>): Promise<AgentToolResult> {
    const [toolCallId, params, signal, onUpdate, scope] = call;
    let started = tool.replay === "safe";
    const intent = started ? undefined : this.#recordIntent(toolCallId, () => (started = true));
    const name = this.#names.call("tool", toolCallId);
    const { runId, segment } = this.#recorder.steps;
    const durable = scope ? { ...scope, idempotencyKey: `${runId}:${segment}:${name}` } : undefined;
    const done = this.#recorder.run(name, async () => {
      await intent;
      if (!started) throw new Error(`"${tool.name}" ${INTERRUPTED}`);
      await this.#recorder.confirm();
      if (signal?.aborted) throw new Error(`"${tool.name}" was not run, since the run was aborted.`);
      const result = await tool.execute(toolCallId, params, signal, onUpdate, durable as DurableToolScope);
      return typeof result === "object" && result !== null ? capResult(result, this.#maxBytes) : result;
    });
    return Promise.all([done, intent]).then(([result]) => result);
  }

  /** Resolves when it is on record that the tool starts; `onNew` tells that this attempt is the one that recorded it. */
  async #recordIntent(toolCallId: string, onNew: () => void): Promise<void> {
    await this.#recorder.run(this.#names.call("intent", toolCallId), async () => {
      onNew();
      return true;
    });
  }
}

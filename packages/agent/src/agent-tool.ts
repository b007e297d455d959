// A tool that is an agent: each call is a conversation of its own, whose final answer is the result. What it spends counts
// against the run that called it, an abort reaches it, and its events are the tool's progress.
import { type Static, type TSchema, Type } from "@rondo/ai";
import { Agent } from "./agent.ts";
import type { AgentOptions } from "./agent-settings.ts";
import type { AgentEvent, AgentMessage, AgentTool, AgentToolResult } from "./types.ts";

/** What the caller of a sub-agent sees of it besides its answer. */
export interface AgentToolDetails {
  /** In updates: what just happened inside. */
  event?: AgentEvent;
  /** In the result: what the sub-agent added to its conversation. */
  messages?: AgentMessage[];
  /** In the result: why it ended. */
  reason?: string;
}

/** How an agent is offered to another as a tool. */
export interface AgentToolOptions<TParameters extends TSchema = TSchema> {
  name: string;
  /** Default: the name. */
  label?: string;
  /** Tells the calling model what to use it for. */
  description: string;
  /** Sets up the agent of one call. Its `budget` holds beside the caller's. */
  agent: AgentOptions | ((params: Static<TParameters>) => AgentOptions | Promise<AgentOptions>);
  /** Default: one text, `prompt`. */
  parameters?: TParameters;
  /** Makes the prompt. Default: the parameter `prompt`. */
  prompt?: (params: Static<TParameters>) => string;
}

const PROMPT_PARAMETERS = Type.Object({
  prompt: Type.String({ description: "The task, with all that is needed for it" }),
});

/** Makes a tool of an agent. */
export function agentTool<TParameters extends TSchema = typeof PROMPT_PARAMETERS>(
  options: AgentToolOptions<TParameters>,
): AgentTool<TParameters, AgentToolDetails> {
  const { name, description, label = name } = options;
  const parameters = (options.parameters ?? PROMPT_PARAMETERS) as TParameters;
  return {
    name,
    label,
    description,
    parameters,
    execute: async (_id, params, signal, onUpdate, scope) => {
      const setup = typeof options.agent === "function" ? await options.agent(params) : options.agent;
      const agent = new Agent({ ...setup, ...(scope ? { parentLedger: scope.ledger } : {}) });
      const ended = new Promise<EndEvent>((resolve) => {
        agent.subscribe((event) => {
          onUpdate?.({ content: [], details: { event } });
          if (event.type === "agent_end") resolve(event);
        });
      });
      const stop = () => agent.abort(signal?.reason);
      signal?.addEventListener("abort", stop, { once: true });
      try {
        const running = agent.prompt(options.prompt?.(params) ?? String((params as { prompt?: unknown }).prompt));
        if (signal?.aborted) stop();
        await running;
      } finally {
        signal?.removeEventListener("abort", stop);
      }
      return resultOf(await ended);
    },
  };
}

type EndEvent = Extract<AgentEvent, { type: "agent_end" }>;

/** The last answer; why there is none, if that is so. */
function resultOf({ messages, reason, usage, errorMessage }: EndEvent): AgentToolResult<AgentToolDetails> {
  const answer = messages.findLast((message) => message.role === "assistant");
  const texts =
    answer?.role === "assistant" ? answer.content.map((block) => (block.type === "text" ? block.text : "")) : [];
  const text = texts.join("").trim();
  const failed = reason === "error" || reason === "aborted" || reason === "budget" || text === "";
  const problem = failed ? (errorMessage ?? "The agent ended without an answer.") : "";
  return {
    content: [{ type: "text", text: [text, problem].filter((part) => part !== "").join("\n\n") }],
    details: { messages, reason },
    usage,
    isError: failed,
  };
}

// What the tests of this package share: short ways to write calls, tools and messages, and to read back what happened.
import {
  Agent,
  type AgentContext,
  type AgentEvent,
  type AgentLoopConfig,
  type AgentMessage,
  type AgentOptions,
  type AgentTool,
  type AgentToolResult,
  runAgentLoop,
} from "@rondo/agent";
import { type AssistantMessage, type Message, type ToolCall, Type, type Usage, type UserMessage } from "@rondo/ai";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { EventChecker } from "./simulation/event-checker.ts";

declare module "@rondo/agent" {
  interface CustomAgentMessages {
    note: { role: "note"; content: string; timestamp: number };
  }
}

export function call(id: string, name: string, args: Record<string, unknown> = {}): ToolCall {
  return { type: "toolCall", id, name, arguments: args };
}

/** An answer of a model. */
export function answer(content: string | AssistantMessage["content"], usage: Usage = { cost: {} }): AssistantMessage {
  return {
    role: "assistant",
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
    api: "x",
    provider: "x",
    model: "x",
    usage,
    stopReason: "stop",
    timestamp: 0,
  };
}

export function user(text: string): UserMessage {
  return { role: "user", content: text, timestamp: 0 };
}

export function textResult(text: string): AgentToolResult {
  return { content: [{ type: "text", text }], details: {} };
}

const ANYTHING = Type.Object({}, { additionalProperties: true });
type AnyTool = AgentTool<typeof ANYTHING>;

/** A tool that takes any arguments and, unless told otherwise, answers with its own name. */
export function tool(name: string, rest: Partial<AnyTool> = {}): AnyTool {
  const execute = async () => textResult(`${name} done`);
  return { name, label: name, description: name, parameters: ANYTHING, execute, ...rest };
}

/** The events of an agent in short form, without the updates of messages. */
export function record(agent: Agent): string[] {
  const events: string[] = [];
  agent.subscribe((event) => {
    if (event.type !== "message_update") events.push(brief(event));
  });
  return events;
}

/** An event in short form: its type and what it is about. */
export function brief(event: AgentEvent): string {
  switch (event.type) {
    case "message_start":
    case "message_update":
    case "message_end":
      return `${event.type} ${event.message.role}`;
    case "tool_execution_start":
    case "tool_execution_update":
      return `${event.type} ${event.toolCallId}`;
    case "tool_execution_end":
      return `${event.type} ${event.toolCallId}${event.isError ? " error" : ""}`;
    case "agent_end":
      return `agent_end ${event.reason}`;
    default:
      return event.type;
  }
}

/** A message in short form: who said what. */
export function say(message: AgentMessage): string {
  const { content } = message as { content: unknown };
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }];
  const parts = blocks.map((block) => block.text ?? block.thinking ?? `${block.name}#${block.id}`);
  const failed = "isError" in message && message.isError ? " error" : "";
  return `${message.role}${failed}: ${parts.join(" | ")}`;
}

/** A promise and the way to settle it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The last event of a run, told by an agent. */
export function endOf(agent: Agent): Promise<Extract<AgentEvent, { type: "agent_end" }>> {
  return new Promise((resolve) => {
    agent.subscribe((event) => {
      if (event.type === "agent_end") resolve(event);
    });
  });
}

/** An agent whose events are checked as they come. */
export function watched(options: AgentOptions): { agent: Agent; checker: EventChecker } {
  const agent = new Agent(options);
  const checker = new EventChecker();
  agent.subscribe((event) => checker.check(event));
  return { agent, checker };
}

/** A loop with a scripted model: its events, and short ways to run it and to read them. */
export function setUp(
  steps: ScriptedStep[],
  config: Partial<AgentLoopConfig> = {},
  tools = [tool("look"), tool("stop")],
) {
  const script = scriptedModel(steps);
  const events: AgentEvent[] = [];
  const context: AgentContext = { systemPrompt: "Be brief.", messages: [], tools };
  const fullConfig: AgentLoopConfig = {
    model: script.model,
    convertToLlm: (messages) => messages.filter((message): message is Message => message.role !== "note"),
    ...config,
  };
  const run = (prompts: AgentMessage[], signal?: AbortSignal) =>
    runAgentLoop(prompts, context, fullConfig, (event) => void events.push(event), signal, script.streamFn);
  const order = () => events.filter((event) => event.type !== "message_update").map(brief);
  return { script, events, context, config: fullConfig, run, order };
}

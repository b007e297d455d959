import { Agent, type AgentEvent, type AgentTool } from "@rondo/agent";
import { Type } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";

const CITY = Type.Object({ city: Type.String() });
const weather: AgentTool<typeof CITY> = {
  name: "get_weather",
  label: "Weather",
  description: "The weather of a city",
  parameters: CITY,
  execute: async (_id, { city }) => ({ content: [{ type: "text", text: `${city}: sunny` }], details: {} }),
};

const call = (id: string, name: string, args: Record<string, unknown> = {}) => {
  return { type: "toolCall" as const, id, name, arguments: args };
};

test("two parallel calls and an answer make two turns", async () => {
  const script = scriptedModel([
    [call("1", "get_weather", { city: "Beijing" }), call("2", "get_weather", { city: "Shanghai" })],
    "Sunny in both.",
  ]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [weather] } });
  const events: string[] = [];
  agent.subscribe((event: AgentEvent) => {
    if (event.type !== "message_update") events.push(event.type);
  });
  await agent.prompt("How is the weather?");
  expect(events).toEqual([
    "agent_start",
    "turn_start",
    "message_start",
    "message_end",
    "message_start",
    "message_end",
    "tool_execution_start",
    "tool_execution_start",
    "tool_execution_end",
    "tool_execution_end",
    "message_start",
    "message_end",
    "message_start",
    "message_end",
    "turn_end",
    "turn_start",
    "message_start",
    "message_end",
    "turn_end",
    "agent_end",
  ]);
  expect(agent.state.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "toolResult",
    "assistant",
  ]);
  script.finish();
});

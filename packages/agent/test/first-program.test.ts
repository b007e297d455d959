// The program that a newcomer writes first, against a server that speaks each API's wire: two tools asked for at once, two turns,
// and the same with an abort in the middle. The order of events is the promise that everything above the loop builds on.
import { Agent, setDefaultStreamFn } from "@rondo/agent";
import { getModel, type Model, streamSimple, Type } from "@rondo/ai";
import { replayScript, type ScriptedReply, startReplayServer, type WireRequest } from "@rondo/test-fixtures";
import { expect, test } from "vitest";

const weatherTool = {
  name: "get_weather",
  label: "Weather",
  description: "Tells the weather of a city",
  parameters: Type.Object({ city: Type.String() }),
  execute: async (_id: string, { city }: { city: string }) => ({
    content: [{ type: "text" as const, text: `${city}: sunny, 26 °C` }],
    details: {},
  }),
};

/** Asks for two cities, then reports what it was told. */
function forecaster({ messages }: WireRequest): ScriptedReply {
  const results = messages.flatMap((message) => (message.role === "toolResult" ? [message.text] : []));
  if (results.length > 0) return { content: [{ type: "text", text: results.join(". ") }] };
  const call = (id: string, city: string) => ({
    type: "toolCall" as const,
    id,
    name: "get_weather",
    arguments: { city },
  });
  return { content: [{ type: "text", text: "I will look." }, call("call_1", "北京"), call("call_2", "上海")] };
}

const models: [string, string][] = [
  ["anthropic", "claude-sonnet-4-5"],
  ["openai", "gpt-5"],
  ["google", "gemini-2.5-flash"],
];

async function runProgram(model: Model, abortAtFirstUpdate: boolean): Promise<{ printed: string[]; agent: Agent }> {
  setDefaultStreamFn(streamSimple);
  const agent = new Agent({
    streamFn: (model, context, options) => streamSimple(model, context, { ...options, apiKey: "test-key" }),
    initialState: { model, systemPrompt: "Use the tool for the weather.", tools: [weatherTool] },
  });
  const printed: string[] = [];
  agent.subscribe((event) => {
    if (event.type === "message_update") {
      if (abortAtFirstUpdate) agent.abort();
      return;
    }
    printed.push([event.type, "toolName" in event ? event.toolName : ""].join(" ").trim());
  });
  await agent.prompt("北京和上海天气怎么样？可以并行查。");
  return { printed, agent };
}

for (const [provider, id] of models) {
  test(`two tools in parallel take two turns (${provider})`, async () => {
    const server = await startReplayServer(replayScript(forecaster), { chunks: 7 });
    const { printed, agent } = await runProgram({ ...getModel(provider, id), baseUrl: server.url }, false);
    await server.close();
    expect(printed).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "tool_execution_start get_weather",
      "tool_execution_start get_weather",
      "tool_execution_end get_weather",
      "tool_execution_end get_weather",
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
    const last = agent.state.messages.at(-1);
    expect(last?.role === "assistant" && last.content).toEqual([
      expect.objectContaining({ type: "text", text: "北京: sunny, 26 °C. 上海: sunny, 26 °C" }),
    ]);
  });

  test(`an abort at the first update ends in a whole sequence (${provider})`, async () => {
    const server = await startReplayServer(replayScript(forecaster), { chunks: 7 });
    const { printed, agent } = await runProgram({ ...getModel(provider, id), baseUrl: server.url }, true);
    await server.close();
    expect(printed).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    expect(agent.state.messages.at(-1)).toMatchObject({ role: "assistant", stopReason: "aborted" });
    expect(server.requests).toHaveLength(1);
  });
}

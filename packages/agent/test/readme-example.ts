// The program that the README shows, word for word from here on. It is compiled and not run, since it needs a key.
import { Agent, type AgentTool } from "@rondo/agent";
import { getModel, streamSimple, Type } from "@rondo/ai";

const parameters = Type.Object({ city: Type.String() });
const weather: AgentTool<typeof parameters> = {
  name: "get_weather",
  label: "Weather",
  description: "Tells the weather of a city",
  parameters,
  execute: async (_id, { city }) => ({ content: [{ type: "text", text: `${city}: sunny, 26 °C` }], details: {} }),
};

const agent = new Agent({
  streamFn: streamSimple,
  initialState: {
    model: getModel("anthropic", "claude-sonnet-4-5"), // ANTHROPIC_API_KEY
    systemPrompt: "Use the tool for the weather.",
    tools: [weather],
  },
  budget: { turnsMax: 20, costMax: 0.5 },
  retry: { attemptsMax: 3 },
});

agent.subscribe((event) => {
  if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta")
    process.stdout.write(event.assistantMessageEvent.delta);
  if (event.type === "tool_execution_start") console.log(`\n[${event.toolName}]`);
  if (event.type === "agent_end") console.log(`\n${event.reason}, $${event.usage.cost.total ?? "?"}`);
});

const running = agent.prompt("How is the weather in Beijing and Shanghai?");
agent.steer({ role: "user", content: "In Fahrenheit, please.", timestamp: Date.now() });
await running;

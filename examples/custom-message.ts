// A message kind of your own: it lives in the history beside the others, and you decide what a model gets to see of it.
import { Agent } from "@rondo/agent";
import { getModel, type Message, type Model, streamSimple } from "@rondo/ai";

interface SensorMessage {
  role: "sensor";
  celsius: number;
  timestamp: number;
}

declare module "@rondo/agent" {
  interface CustomAgentMessages {
    sensor: SensorMessage;
  }
}

export async function main(
  model: Model = getModel("google", "gemini-pro-latest"), // GEMINI_API_KEY
  print = console.log,
): Promise<void> {
  const agent = new Agent({
    streamFn: streamSimple,
    initialState: { model },
    convertToLlm: (messages) =>
      messages.map((message): Message => {
        if (message.role !== "sensor") return message;
        const { celsius, timestamp } = message;
        return { role: "user", content: `<sensor>It is ${celsius} °C in the greenhouse.</sensor>`, timestamp };
      }),
  });
  await agent.prompt([
    { role: "sensor", celsius: 34, timestamp: Date.now() },
    { role: "user", content: "Do I have to open a window?", timestamp: Date.now() },
  ]);
  for (const message of agent.state.messages) {
    if (message.role === "sensor") print(`sensor: ${message.celsius} °C`);
    else print(`${message.role}: ${JSON.stringify(message.content)}`);
  }
}

if (process.argv[1] === import.meta.filename) await main();

// Tools without an agent: the model asks, your program answers, until the model has all it needs. `Agent` does this for you.
import { completeSimple, getModel, type Message, type Model, type Tool, Type, validateToolArguments } from "@rondo/ai";

const weather: Tool = {
  name: "get_weather",
  description: "Tells the weather of a city",
  parameters: Type.Object({ city: Type.String() }),
};

export async function main(model: Model = getModel("openai", "gpt-6.1-sol"), print = console.log): Promise<void> {
  const messages: Message[] = [{ role: "user", content: "Is it warmer in Lisbon or in Oslo?", timestamp: Date.now() }];
  for (let turn = 0; turn < 5; turn++) {
    const answer = await completeSimple(model, { messages, tools: [weather] });
    messages.push(answer);
    for (const block of answer.content) {
      if (block.type === "text") print(block.text);
      if (block.type !== "toolCall") continue;
      let text: string;
      let isError = false;
      try {
        const { city } = validateToolArguments(weather, block); // throws words that the model understands
        text = city === "Oslo" ? "4 °C" : "21 °C";
      } catch (error) {
        text = String(error);
        isError = true;
      }
      print(`${block.name} ${JSON.stringify(block.arguments)}: ${text}`);
      messages.push({
        role: "toolResult",
        toolCallId: block.id,
        toolName: block.name,
        content: [{ type: "text", text }],
        isError,
        timestamp: Date.now(),
      });
    }
    if (answer.stopReason !== "toolUse") return print(answer.errorMessage ?? "done");
  }
}

if (process.argv[1] === import.meta.filename) await main();

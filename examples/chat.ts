// A chat in a terminal: what you type goes in, the answer comes out word by word, and the history is a list that you keep.
import { createInterface } from "node:readline";
import { getModel, type Message, type Model, streamSimple } from "@rondo/ai";

export async function main(
  model: Model = getModel("anthropic", "claude-sonnet-5-5"), // the key comes from ANTHROPIC_API_KEY
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  const messages: Message[] = [];
  output.write("> ");
  for await (const line of createInterface({ input })) {
    messages.push({ role: "user", content: line, timestamp: Date.now() });
    const stream = streamSimple(model, { messages });
    for await (const event of stream) {
      if (event.type === "text_delta") output.write(event.delta);
    }
    const answer = await stream.result(); // never rejects
    if (answer.errorMessage) output.write(answer.errorMessage);
    messages.push(answer);
    output.write("\n> ");
  }
}

if (process.argv[1] === import.meta.filename) await main();

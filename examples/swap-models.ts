// One conversation, three makers: each model reads what the others said, thinking and all, and goes on from there.
import { completeSimple, getModel, type Message, type Model } from "@rondo/ai";

export async function main(
  models: Model[] = [
    getModel("anthropic", "claude-sonnet-5-5"), // ANTHROPIC_API_KEY
    getModel("openai", "gpt-6.1-sol"), // OPENAI_API_KEY
    getModel("google", "gemini-pro-latest"), // GEMINI_API_KEY
  ],
  print = console.log,
): Promise<void> {
  const messages: Message[] = [];
  for (const model of models) {
    messages.push({ role: "user", content: "Add a line to our poem about the sea.", timestamp: Date.now() });
    const answer = await completeSimple(model, { messages }, { reasoning: "low" });
    messages.push(answer);
    const text = answer.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    print(`${model.name}: ${answer.errorMessage ?? text}`);
  }
}

if (process.argv[1] === import.meta.filename) await main();

// What to do when a provider is down: try again twice, then ask the next model. The caller sees one answer.
import { getModel, type Model, streamSimple, withFallback, withRetry } from "@rondo/ai";

export async function main(
  first: Model = getModel("anthropic", "claude-sonnet-5-5"), // ANTHROPIC_API_KEY
  others: Model[] = [getModel("openai", "gpt-6.1-sol"), getModel("google", "gemini-flash-latest")],
  print = console.log,
): Promise<void> {
  const patient = withRetry(streamSimple, {
    attemptsMax: 3,
    delayBaseMs: 500,
    onRetry: ({ attempt, failure }) => print(`attempt ${attempt}: ${failure.errorMessage}`),
  });
  const call = withFallback(patient, others, {
    onFallback: ({ from, to, failure }) => print(`${from.name} → ${to.name}: ${failure.errorMessage}`),
  });
  const context = { messages: [{ role: "user" as const, content: "Say hello.", timestamp: Date.now() }] };
  const answer = await call(first, context).result();
  const text = answer.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  print(`${answer.model}: ${answer.errorMessage ?? text}`);
}

if (process.argv[1] === import.meta.filename) await main();

// An answer as data: the schema goes to the model, and what comes back has that type or is an error.
import { completeSimple, getModel, type Model, type Static, Type } from "@rondo/ai";

const Recipe = Type.Object({
  title: Type.String(),
  minutes: Type.Integer(),
  ingredients: Type.Array(Type.String()),
});

export async function main(
  model: Model = getModel("openai", "gpt-6.1-sol"), // OPENAI_API_KEY
  print = console.log,
): Promise<void> {
  const answer = await completeSimple(
    model,
    { messages: [{ role: "user", content: "A quick soup, please.", timestamp: Date.now() }] },
    { responseSchema: { name: "recipe", schema: Recipe } },
  );
  if (answer.stopReason !== "stop") return print(answer.errorMessage ?? "The answer was cut off.");
  const text = answer.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const recipe = JSON.parse(text) as Static<typeof Recipe>;
  print(`${recipe.title}, ${recipe.minutes} minutes`);
  for (const ingredient of recipe.ingredients) print(`- ${ingredient}`);
}

if (process.argv[1] === import.meta.filename) await main();

// The main entry must be cheap to import and fit for a web page: no catalog data, no SDK, nothing of Node.
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

test("the main entry, bundled for a browser, holds no model data, no SDK and no module of Node", async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("../../src/index.ts", import.meta.url)),
    platform: "browser",
    external: [/^node:/, "openai", "@anthropic-ai/sdk", "@google/genai"],
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const chunks = output.filter((file) => file.type === "chunk");
  const entry = chunks.find((chunk) => chunk.isEntry);
  expect(chunks.flatMap((chunk) => chunk.imports).filter((name) => name.startsWith("node:"))).toEqual([]);
  expect(entry?.imports.filter((name) => !name.endsWith(".js"))).toEqual([]);
  const code = chunks.map((chunk) => chunk.code).join("\n");
  for (const id of ["claude-fable-5-2", "gpt-6-astra", "gemini-4-neon", "MiniMax-M3"]) {
    expect([id, code.includes(id)]).toEqual([id, false]);
  }
  expect(output.filter((file) => file.type === "asset").map((file) => file.fileName)).toEqual([]);
});

// The main entry must be cheap to import and fit for a web page: no catalog data, no SDK, nothing of Node.
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { HISTORY_MODELS, pngOfSize } from "@rondo/test-fixtures";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { modelOf } from "../transcript/targets.ts";

/** The main entry for a browser, with all of its parts in one file. */
async function wholeBundle(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("../../src/index.ts", import.meta.url)),
    platform: "browser",
    external: [/^node:/, "openai", "@anthropic-ai/sdk", "@google/genai"],
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "iife", name: "rondo", codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

test("a history with images and tools is prepared without anything of Node", async () => {
  const web = { atob, TextEncoder, TextDecoder, URL, AbortController, Headers, structuredClone };
  const page = createContext(web);
  runInContext(await wholeBundle(), page);
  const image = { type: "image", mimeType: "image/jpeg", data: pngOfSize(3, 2) };
  const messages = [{ role: "user", content: [image], timestamp: 0 }];
  for (const identity of HISTORY_MODELS) {
    page["messages"] = messages;
    page["model"] = modelOf(identity);
    const prepared = runInContext("JSON.stringify(rondo.prepareTranscript(messages, model).messages)", page);
    expect(JSON.parse(prepared as string)).toEqual([
      { role: "user", content: [{ ...image, mimeType: "image/png" }], timestamp: 0 },
    ]);
  }
  page["tool"] = { name: "t", description: "", parameters: { type: "object", properties: { n: { type: "integer" } } } };
  page["call"] = { type: "toolCall", id: "c", name: "t", arguments: { n: "3" } };
  expect(runInContext("JSON.stringify(rondo.validateToolArguments(tool, call))", page)).toBe('{"n":3}');
});

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

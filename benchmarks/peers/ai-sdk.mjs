import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { streamText, tool } from "ai";
import { z } from "zod";

globalThis.AI_SDK_LOG_WARNINGS = false;
const MODELS = {
  "anthropic-messages": (baseURL) => createAnthropic({ baseURL, apiKey: "none" })("m"),
  "openai-completions": (baseURL) => createOpenAI({ baseURL, apiKey: "none" }).chat("m"),
  "openai-responses": (baseURL) => createOpenAI({ baseURL, apiKey: "none" }).responses("m"),
  "google-generative-ai": (baseURL) => createGoogleGenerativeAI({ baseURL, apiKey: "none" })("m"),
};
const inputSchema = z.object({ path: z.string(), content: z.string() });

export const name = "AI SDK";
export const apis = Object.keys(MODELS);

/** Streams one answer and gives the number of characters in its deltas. */
export async function streamAnswer({ api, url }) {
  const tools = { write: tool({ description: "Writes a file", inputSchema }) };
  const { fullStream } = streamText({ model: MODELS[api](url), prompt: "Hello", tools, maxRetries: 0 });
  let characters = 0;
  for await (const part of fullStream) {
    if (part.type === "text-delta") characters += part.text.length;
    else if (part.type === "tool-input-delta") characters += part.delta.length;
    else if (part.type === "error") throw part.error;
  }
  return characters;
}

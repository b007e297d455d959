import { ChatAnthropic } from "@langchain/anthropic";
import { tool } from "@langchain/core/tools";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";

const openai = (baseURL, useResponsesApi) =>
  new ChatOpenAI({ model: "m", apiKey: "none", maxRetries: 0, useResponsesApi, configuration: { baseURL } });
const MODELS = {
  "anthropic-messages": (url) =>
    new ChatAnthropic({ model: "m", apiKey: "none", anthropicApiUrl: url, maxRetries: 0, maxTokens: 1000 }),
  "openai-completions": (url) => openai(url, false),
  "openai-responses": (url) => openai(url, true),
  "google-generative-ai": (url) =>
    new ChatGoogleGenerativeAI({ model: "m", apiKey: "none", baseUrl: url, maxRetries: 0 }),
};
const write = tool(() => "", {
  name: "write",
  description: "Writes a file",
  schema: z.object({ path: z.string(), content: z.string() }),
});

export const name = "LangChain";
export const apis = Object.keys(MODELS);

/** Streams one answer and gives the number of characters in its deltas. */
export async function streamAnswer({ api, url }) {
  let characters = 0;
  for await (const chunk of await MODELS[api](url).bindTools([write]).stream("Hello")) {
    characters += chunk.text.length;
    for (const call of chunk.tool_call_chunks ?? []) characters += call.args?.length ?? 0;
  }
  return characters;
}

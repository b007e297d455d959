import { Type } from "@earendil-works/pi-ai";
import { streamSimple as anthropic } from "@earendil-works/pi-ai/api/anthropic-messages";
import { streamSimple as google } from "@earendil-works/pi-ai/api/google-generative-ai";
import { streamSimple as completions } from "@earendil-works/pi-ai/api/openai-completions";
import { streamSimple as responses } from "@earendil-works/pi-ai/api/openai-responses";
import { countDeltas } from "../subjects/stream-events.mjs";

const STREAMS = {
  "anthropic-messages": anthropic,
  "openai-completions": completions,
  "openai-responses": responses,
  "google-generative-ai": google,
};
const parameters = Type.Object({ path: Type.String(), content: Type.String() });
const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const name = "pi-ai";
export const apis = Object.keys(STREAMS);

/** Streams one answer and gives the number of characters in its deltas. */
export function streamAnswer({ api, url }) {
  const limits = { contextWindow: 100_000, maxTokens: 10_000 };
  const place = { id: "m", name: "m", api, provider: "benchmark", baseUrl: url };
  const model = { ...place, ...limits, reasoning: false, input: ["text"], cost: free };
  const context = {
    messages: [{ role: "user", content: "Hello", timestamp: 0 }],
    tools: [{ name: "write", description: "Writes a file", parameters }],
  };
  return countDeltas(STREAMS[api](model, context, { apiKey: "none" }));
}

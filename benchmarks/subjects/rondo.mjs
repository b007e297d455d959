import { customModel, streamSimple, Type } from "@rondo/ai";
import { APIS } from "../wire-bodies.mjs";
import { countDeltas } from "./stream-events.mjs";

const parameters = Type.Object({ path: Type.String(), content: Type.String() });

export const name = "Rondo";
export const apis = APIS;

/** Streams one answer and gives the number of characters in its deltas. */
export function streamAnswer({ api, url }) {
  const model = customModel({ id: "m", api, baseUrl: url, provider: "benchmark", name: "m" });
  const context = {
    messages: [{ role: "user", content: "Hello", timestamp: 0 }],
    tools: [{ name: "write", description: "Writes a file", parameters }],
  };
  return countDeltas(streamSimple(model, context, { apiKey: "none" }));
}

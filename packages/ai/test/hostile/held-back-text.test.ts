// A model that may write its thinking inline makes the decoder hold back what could be the beginning of a tag.
import { createModelLayer, type Model } from "@rondo/ai";
import { checkEventGrammar } from "@rondo/ai/testing";
import { describe, expect, it } from "vitest";
import { serveBody } from "../../src/testing/served-bodies.ts";
import { collect } from "../compose/collect.ts";

const { streamSimple } = createModelLayer({ env: {} });
const model: Model = {
  id: "m",
  name: "m",
  api: "openai-completions",
  provider: "p",
  baseUrl: "http://127.0.0.1:9/v1",
  reasoning: true,
  input: ["text"],
  cost: {},
  quirks: { inlineThinkTags: true },
};
const chunk = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };

describe("text that was held back", () => {
  const rows: [deltas: string[], content: object[]][] = [
    [["<thi"], [{ type: "text", text: "<thi" }]],
    [["<think>Hm", "</thi"], [{ type: "thinking", thinking: "Hm</thi" }]],
  ];
  for (const [deltas, content] of rows) {
    for (const ending of ["end", "break", "stall"] as const) {
      it(`is kept when the stream ends early (${ending}) after ${deltas.join("")}`, async () => {
        const controller = new AbortController();
        const served = serveBody({
          chunks: deltas.map(chunk),
          ending,
          onDrained: () => ending === "stall" && controller.abort(),
        });
        const call = streamSimple(model, context, {
          apiKey: "test-key",
          fetch: served.fetch,
          signal: controller.signal,
        });
        const { events, message } = await collect(call);
        expect(message.content).toEqual(content);
        expect(message.error?.kind).toBe({ end: "truncated", break: "network", stall: "aborted" }[ending]);
        expect(checkEventGrammar(events)).toEqual([]);
      });
    }
  }
});

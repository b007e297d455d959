// The guide for those who add a provider, followed to its end: from nothing to one that keeps every promise.
import { readFileSync } from "node:fs";
import { createModelLayer, Type } from "@rondo/ai";
import { describeProviderContract } from "@rondo/ai/testing";
import { startReplayServer } from "@rondo/test-fixtures";
import { describe, expect, it } from "vitest";
import { parrot } from "./parrot.ts";

const { streamSimple, completeSimple } = createModelLayer({ apis: { parrot }, env: {} });
const frames = (...payloads: unknown[]): string =>
  payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join("");
const model = {
  id: "polly",
  name: "Polly",
  api: "parrot",
  provider: "aviary",
  baseUrl: "",
  reasoning: false,
  input: ["text" as const],
  cost: {},
};
const fixtures = {
  text: frames({ say: "Polly wants " }, { say: "a crücker 🎵" }, { spent: { in: 3, out: 5 } }, { bye: "done" }),
  tools: frames(
    { ponder: "Shiny!" },
    { say: "Look:" },
    { use: { id: "t1", tool: "fetch", with: { what: "nut" } } },
    { use: { id: "t2", tool: "dance" } },
    { bye: "done" },
  ),
};

describeProviderContract({
  name: "parrot",
  streamFn: streamSimple,
  model,
  fixtures,
  stopFrame: /"bye"/,
  ping: frames({ squawk: "!" }),
  errorFrame: {
    text: frames({ error: { code: "overloaded", message: "Too many parrots. The server is busy." } }),
    kind: "overloaded",
  },
  errors: {
    auth: '{"error":{"message":"Who is {key}?"}}',
    rateLimit: '{"error":{"message":"Not so fast."}}',
    overflow: '{"error":{"message":"The prompt is too long for a parrot."}}',
  },
  visibleText: (payload) => {
    const { say = "", ponder = "" } = payload as { say?: string; ponder?: string };
    return ponder + say;
  },
  describe,
  it,
});

describe("an invented API", () => {
  it("is sent what was asked, and answers as any other", async () => {
    const server = await startReplayServer(() => ({ body: fixtures.tools }));
    const message = await completeSimple(
      { ...model, baseUrl: server.url },
      {
        messages: [{ role: "user", content: "Hello", timestamp: 0 }],
        tools: [{ name: "fetch", description: "", parameters: Type.Object({ what: Type.String() }) }],
      },
      { apiKey: "seed-key", temperature: 1 },
    );
    await server.close();
    expect([server.requests[0]?.path, server.requests[0]?.headers.authorization, server.requests[0]?.body]).toEqual([
      "/talk",
      "Bearer seed-key",
      {
        bird: "polly",
        heard: [{ from: "user", words: "Hello" }],
        toys: [
          { name: "fetch", takes: { type: "object", properties: { what: { type: "string" } }, required: ["what"] } },
        ],
      },
    ]);
    expect({ ...message, timestamp: 0 }).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Shiny!" },
        { type: "text", text: "Look:" },
        { type: "toolCall", id: "t1", name: "fetch", arguments: { what: "nut" } },
        { type: "toolCall", id: "t2", name: "dance", arguments: {} },
      ],
      api: "parrot",
      provider: "aviary",
      model: "polly",
      usage: { cost: {} },
      stopReason: "toolUse",
      rawStopReason: "done",
      diagnostics: [{ code: "option_ignored", message: "Parrots have no temperature." }],
      timestamp: 0,
    });
  });

  it("is the one that the guide shows", () => {
    const guide = readFileSync(new URL("../../../../../docs/adding-a-provider.md", import.meta.url), "utf8");
    const source = readFileSync(new URL("parrot.ts", import.meta.url), "utf8");
    const shown = /```ts file=parrot\.ts\n([\s\S]*?)```/.exec(guide)?.[1];
    expect(shown).toBe(source);
  });
});

// Servers and proxies that do not stream: the whole answer comes as JSON, or as lines of JSON without any events.
import { createModelLayer } from "@rondo/ai";
import type { WireApi } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";
import { observe, visibleTextOf } from "../../src/testing/observed-call.ts";
import { serveBody } from "../../src/testing/served-bodies.ts";
import { frameData, splitFrames } from "../../src/testing/wire-frames.ts";
import { WIRES } from "../contract/wires.ts";

const { streamSimple } = createModelLayer({ env: {} });
const ARGUMENTS = { path: "a" };

/** The same answer as each API sends it when it is not asked to stream. */
const WHOLE: Record<WireApi, object> = {
  "anthropic-messages": {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [
      { type: "text", text: "Hello" },
      { type: "tool_use", id: "call_1", name: "read", input: ARGUMENTS },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 5, output_tokens: 2 },
  },
  "openai-completions": {
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Hello",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "read", arguments: JSON.stringify(ARGUMENTS) } },
          ],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  },
  "openai-responses": {
    id: "resp_1",
    object: "response",
    status: "completed",
    output: [
      { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: JSON.stringify(ARGUMENTS) },
    ],
    usage: { input_tokens: 5, output_tokens: 2 },
  },
  // Without alt=sse the chunks come as an array.
  "google-generative-ai": [
    { candidates: [{ content: { role: "model", parts: [{ text: "Hello" }] } }] },
    {
      candidates: [
        {
          content: { parts: [{ functionCall: { id: "call_1", name: "read", args: ARGUMENTS } }] },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 },
    },
  ],
};

describe.each(Object.values(WIRES))("$name", ({ model, basePath = "", fixtures }) => {
  const api = model.api as WireApi;
  const call = (body: string, frames: string[] = []) => {
    const { fetch } = serveBody({ chunks: body === "" ? [] : [body] });
    const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };
    const onFrame = ({ data }: { data: string }): void => void frames.push(data);
    const options = { apiKey: "test-key", fetch, onFrame };
    return observe(streamSimple({ ...model, baseUrl: `http://127.0.0.1:9${basePath}` }, context, options));
  };
  const lines = splitFrames(new TextDecoder().decode(fixtures["text"] as Uint8Array)).flatMap(
    (frame) => frameData(frame) ?? [],
  );

  test.each([
    ["on one line", (value: object) => JSON.stringify(value)],
    ["on many lines", (value: object) => `${JSON.stringify(value, null, 2)}\n`],
    ["as the only event", (value: object) => `data: ${JSON.stringify(value)}\n\n`],
    ["of more than 64 KB", (value: object) => JSON.stringify(value).replace("Hello", "Hello".repeat(20_000))],
  ])("a whole answer %s", async (_how, write) => {
    const { message, faults } = await call(write(WHOLE[api]));
    expect(faults).toEqual([]);
    expect(message.errorMessage).toBeUndefined();
    expect(message.content).toMatchObject([
      { type: "text", text: expect.stringMatching(/^(Hello)+$/) },
      { type: "toolCall", id: "call_1", name: "read", arguments: ARGUMENTS },
    ]);
    expect([message.stopReason, message.usage.input, message.usage.output]).toEqual(["toolUse", 5, 2]);
  });

  test("lines of JSON, as some proxies send them", async () => {
    const frames: string[] = [];
    const { message, faults } = await call(`${lines.join("\n")}\n`, frames);
    expect(faults).toEqual([]);
    expect([message.stopReason, visibleTextOf(message)]).toEqual(["stop", "Grüße aus Köln — 北京 und 🎼."]);
    expect(frames.length).toBeGreaterThan(2);
  });

  test("cut anywhere, neither is an answer", async () => {
    const whole = JSON.stringify(WHOLE[api]);
    for (let length = 0; length < whole.length; length += 41) {
      const { message, faults } = await call(whole.slice(0, length));
      expect(faults).toEqual([]);
      expect(["truncated", "malformed_response"]).toContain(message.error?.kind);
    }
    for (let count = 1; count < lines.length - 2; count++) {
      const { message } = await call(lines.slice(0, count).join("\n"));
      expect(message.error?.kind).toBe(message.content.length > 0 ? "truncated" : "malformed_response");
    }
  });

  test("an error in its place is told", async () => {
    const { message } = await call(JSON.stringify({ error: { message: "Too many requests", code: 429 } }, null, 2));
    expect([message.error?.kind, message.error?.status]).toEqual(["rate_limit", 429]);
  });

  test("JSON that is no answer is no answer", async () => {
    for (const body of ["{}", "[]", '{"hello":"world"}', "5", '"Hello"', "null", "[[[]]]", '{"choices":[]}']) {
      const { message } = await call(body);
      expect(["truncated", "malformed_response"]).toContain(message.error?.kind);
    }
  });
});

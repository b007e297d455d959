import { arbitraryHistory, checkOpenaiCompletionsRequest } from "@rondo/test-fixtures";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import type { RequestOptions } from "../../../src/protocol.ts";
import { prepareTranscript } from "../../../src/transcript/prepare.ts";
import type { Message, Model, Quirks } from "../../../src/types.ts";
import { answer, changed, effectOf, ignored, input, PNG, READ, readParameters, user } from "../conversation.ts";

const API = "openai-completions";
const build = (more: Parameters<typeof input>[1] = {}, model: Partial<Model> = {}) =>
  openaiCompletions.buildRequest(input(API, more, model));
const readTool = {
  type: "function",
  function: { name: "read", description: "Reads a file.", parameters: readParameters },
};

describe("options", () => {
  test.each<{ name: string; options: RequestOptions; model?: Partial<Model>; body: object; said?: string[] }>([
    { name: "temperature", options: { temperature: 0 }, body: { temperature: 0 } },
    {
      name: "temperature that is too high",
      options: { temperature: 3 },
      body: { temperature: 2 },
      said: changed("temperature", "it was lowered to 2, the most"),
    },
    {
      name: "temperature for a model without it",
      options: { temperature: 0 },
      model: { quirks: { supportsTemperature: false } },
      body: {},
      said: ignored("temperature"),
    },
    { name: "maxTokens", options: { maxTokens: 100 }, body: { max_completion_tokens: 100 } },
    {
      name: "maxTokens above the model's own",
      options: { maxTokens: 100_000 },
      model: { maxTokens: 8192, quirks: { maxTokensField: "max_tokens" } },
      body: { max_tokens: 8192 },
      said: changed("maxTokens", "it was lowered to 8192, the most that model-1 gives"),
    },
    { name: "stop sequences", options: { stopSequences: ["a", "", "b"] }, body: { stop: ["a", "b"] } },
    {
      name: "too many stop sequences",
      options: { stopSequences: ["a", "b", "c", "d", "e"] },
      body: { stop: ["a", "b", "c", "d"] },
      said: changed("stopSequences", "only the first 4 were sent"),
    },
    {
      name: "stop sequences for a model without them",
      options: { stopSequences: ["a"] },
      model: { quirks: { supportsStopSequences: false } },
      body: {},
      said: ignored("stopSequences"),
    },
    { name: "tool choice auto", options: { toolChoice: "auto" }, body: { tool_choice: "auto" } },
    { name: "tool choice none", options: { toolChoice: "none" }, body: { tool_choice: "none" } },
    { name: "tool choice required", options: { toolChoice: "required" }, body: { tool_choice: "required" } },
    {
      name: "tool choice of one tool",
      options: { toolChoice: { name: "read" } },
      body: { tool_choice: { type: "function", function: { name: "read" } } },
    },
    {
      name: "tool choice of an unknown tool",
      options: { toolChoice: { name: "write" } },
      body: {},
      said: ignored("toolChoice", "there is no tool of that name"),
    },
    {
      name: "tool choice for a server without it",
      options: { toolChoice: "required" },
      model: { quirks: { supportsToolChoice: false } },
      body: {},
      said: ignored("toolChoice"),
    },
    { name: "no parallel calls", options: { parallelToolCalls: false }, body: { parallel_tool_calls: false } },
    {
      name: "no parallel calls from a server that cannot be told",
      options: { parallelToolCalls: false },
      model: { quirks: { supportsParallelToolCalls: false } },
      body: {},
      said: ignored("parallelToolCalls"),
    },
    {
      name: "metadata",
      options: { metadata: { user_id: "u" } },
      body: {},
      said: ignored("metadata", "Chat Completions takes it only with answers that the server stores"),
    },
    { name: "a session", options: { sessionId: "s".repeat(80) }, body: { prompt_cache_key: "s".repeat(64) } },
    {
      name: "a session without a cache",
      options: { sessionId: "s", cacheRetention: "none" },
      body: {},
    },
    {
      name: "a long cache",
      options: { sessionId: "s", cacheRetention: "long" },
      body: { prompt_cache_key: "s", prompt_cache_retention: "24h" },
    },
    {
      name: "a long cache at a server without one",
      options: { sessionId: "s", cacheRetention: "long" },
      model: { quirks: { supportsLongCacheRetention: false } },
      body: {},
      said: changed("cacheRetention", "this server keeps caches for minutes only"),
    },
  ])("$name", ({ options, model, body, said = [] }) => {
    expect(effectOf(openaiCompletions, options, model)).toEqual({ body, said });
  });

  test("without tools, options about them are left out", () => {
    expect(effectOf(openaiCompletions, { toolChoice: "auto", parallelToolCalls: false }, {}, [])).toEqual({
      body: {},
      said: [],
    });
    expect(effectOf(openaiCompletions, { toolChoice: "required" }, {}, []).said).toEqual(
      ignored("toolChoice", "there are no tools"),
    );
  });

  test("tools, strict ones where the server takes them", () => {
    expect(build({ tools: [READ] }).body["tools"]).toEqual([readTool]);
    const strict = {
      ...readTool.function,
      parameters: { ...readParameters, additionalProperties: false },
      strict: true,
    };
    expect(build({ tools: [READ] }, { quirks: { supportsStrictTools: true } }).body["tools"]).toEqual([
      { type: "function", function: strict },
    ]);
  });

  test("what servers differ in: usage, storage, the session's header", () => {
    const quirks = { supportsUsageInStream: false, supportsStore: true, sessionAffinityHeader: "x-session" };
    const { body, headers } = build({ options: { sessionId: "s" } }, { quirks });
    expect(body).toEqual({
      model: "model-1",
      messages: [{ role: "user", content: "Hi" }],
      store: false,
      prompt_cache_key: "s",
    });
    expect(headers).toEqual({ "x-session": "s" });
  });
});

describe("cache marks", () => {
  test("stand on the last tool, the system prompt and the last two user messages", () => {
    const messages = [user("One"), answer(API, [{ type: "text", text: "A" }]), user("Two"), user([PNG]), user("Three")];
    const mark = { cache_control: { type: "ephemeral" } };
    const request = input(
      API,
      { messages, tools: [READ], systemPrompt: "Be brief." },
      { quirks: { supportsCacheControl: true } },
    );
    const { body } = openaiCompletions.buildRequest(request);
    expect(body["tools"]).toEqual([{ ...readTool, ...mark }]);
    expect(body["messages"]).toEqual([
      { role: "system", content: [{ type: "text", text: "Be brief.", ...mark }] },
      { role: "user", content: "One" },
      { role: "assistant", content: "A" },
      { role: "user", content: "Two" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }] },
      { role: "user", content: [{ type: "text", text: "Three", ...mark }] },
    ]);
  });

  test("a long cache keeps for an hour, and no cache has no marks", () => {
    const marked = (cacheRetention: "none" | "long") =>
      JSON.stringify(
        build({ options: { cacheRetention } }, { quirks: { supportsCacheControl: true } }).body["messages"],
      );
    expect(marked("long")).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}');
    expect(marked("none")).not.toContain("cache_control");
  });
});

describe("answers in JSON", () => {
  const responseSchema = { name: "the answer!", schema: readParameters };
  test("by a schema", () => {
    const schema = { ...readParameters, additionalProperties: false };
    expect(effectOf(openaiCompletions, { responseSchema })).toEqual({
      body: { response_format: { type: "json_schema", json_schema: { name: "the_answer_", schema, strict: true } } },
      said: [],
    });
    expect(effectOf(openaiCompletions, { responseSchema: { schema: readParameters, strict: false } })).toEqual({
      body: {
        response_format: {
          type: "json_schema",
          json_schema: { name: "response", schema: readParameters, strict: false },
        },
      },
      said: [],
    });
  });

  test("by showing the schema to the model where the server takes none", () => {
    const quirks = { supportsResponseSchema: false };
    const shown = `Answer with nothing but JSON that is valid for this JSON Schema:\n${JSON.stringify(readParameters)}`;
    expect(effectOf(openaiCompletions, { responseSchema }, { quirks })).toEqual({
      body: {
        messages: [
          { role: "system", content: shown },
          { role: "user", content: "Hi" },
        ],
        response_format: { type: "json_object" },
      },
      said: changed("responseSchema", "this server takes no schema, so the model is asked for JSON like it"),
    });
  });
});

test("any history becomes a request that the API accepts, the same bytes each time", () => {
  const own = { provider: "openai", id: "gpt-chat-fixture" };
  const { model } = input(API, {}, own);
  fc.assert(
    fc.property(arbitraryHistory(), fc.boolean(), (history, withReplay) => {
      const { messages } = prepareTranscript(history as unknown as Message[], model);
      const quirks: Quirks = withReplay ? { reasoningReplayField: "reasoning_content" } : {};
      const request = () => build({ messages, tools: [READ], systemPrompt: "Be brief." }, { ...own, quirks }).body;
      fc.pre(messages.length > 0);
      const extras = withReplay ? { assistantFields: ["reasoning_content"] } : {};
      expect(checkOpenaiCompletionsRequest({ ...request(), stream: true }, extras)).toEqual([]);
      expect(JSON.stringify(request())).toBe(JSON.stringify(request()));
    }),
    { numRuns: 300 },
  );
});

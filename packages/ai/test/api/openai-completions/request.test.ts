import { arbitraryHistory, checkOpenaiCompletionsRequest } from "@rondo/test-fixtures";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import type { RequestOptions } from "../../../src/protocol.ts";
import { prepareTranscript } from "../../../src/transcript/prepare.ts";
import type { Message, Model, Quirks } from "../../../src/types.ts";
import { answer, call, input, PDF, PNG, READ, readParameters, result, user } from "../conversation.ts";

const API = "openai-completions";
const build = (more: Parameters<typeof input>[1] = {}, model: Partial<Model> = {}) =>
  openaiCompletions.buildRequest(input(API, more, model));
const messagesOf = (messages: Message[], quirks: Quirks = {}) => build({ messages }, { quirks }).body["messages"];
const readTool = {
  type: "function",
  function: { name: "read", description: "Reads a file.", parameters: readParameters },
};

describe("messages", () => {
  test("the smallest request", () => {
    expect(build()).toEqual({
      body: {
        model: "model-1",
        messages: [{ role: "user", content: "Hi" }],
        stream_options: { include_usage: true },
      },
      headers: {},
      diagnostics: [],
      toolName: expect.any(Function),
    });
  });

  test("a conversation with calls, results and images", () => {
    const messages = [
      user([{ type: "text", text: "Look" }, PNG, PDF]),
      answer(API, [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "One" },
        call("c1", "a"),
        call("c2", "b"),
        { type: "text", text: "Two" },
      ]),
      result("c1", [{ type: "text", text: "A" }, PNG]),
      result("c2", [PNG]),
      user("Go on"),
    ];
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    expect(build({ messages, systemPrompt: "Be brief." }).body["messages"]).toEqual([
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          image,
          { type: "file", file: { filename: "document.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
        ],
      },
      {
        role: "assistant",
        content: "One\n\nTwo",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
          { id: "c2", type: "function", function: { name: "read", arguments: '{"path":"b"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "A" },
      { role: "tool", tool_call_id: "c2", content: "(see the image below)" },
      { role: "user", content: [{ type: "text", text: "Images from the tool results:" }, image, image] },
      { role: "user", content: "Go on" },
    ]);
  });

  test("an answer of calls alone has no text", () => {
    expect(messagesOf([answer(API, [call("c1", "a")]), result("c1", [{ type: "text", text: "A" }])])).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "A" },
    ]);
  });

  test("a server may want the tool's name in results, and an answer after them", () => {
    const messages = [answer(API, [call("c1", "a")]), result("c1", [{ type: "text", text: "A" }, PNG]), user("Go on")];
    const wire = messagesOf(messages, { toolResultName: true, assistantAfterToolResult: true }) as object[];
    expect(wire.slice(1)).toEqual([
      { role: "tool", tool_call_id: "c1", name: "read", content: "A" },
      { role: "assistant", content: "I have read the results of the tools." },
      {
        role: "user",
        content: [
          { type: "text", text: "Images from the tool results:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
        ],
      },
      { role: "user", content: "Go on" },
    ]);
  });

  test.each([
    { reasoning: true, quirks: {}, role: "system" },
    { reasoning: true, quirks: { systemRole: "developer" } as const, role: "developer" },
    { reasoning: false, quirks: { systemRole: "developer" } as const, role: "system" },
  ])("the role of the system prompt: $role", ({ role, ...model }) => {
    expect(build({ systemPrompt: "Be brief." }, model).body["messages"]).toEqual([
      { role, content: "Be brief." },
      { role: "user", content: "Hi" },
    ]);
  });
});

describe("reasoning that goes back", () => {
  const details = [{ type: "reasoning.encrypted", data: "xyz", index: 0 }];
  const thinking = { type: "thinking", thinking: "Hm.", thinkingSignature: JSON.stringify(details) } as const;
  const text = { type: "text", text: "Hi" } as const;
  test.each([
    { field: undefined, sent: {} },
    { field: "reasoning_content" as const, sent: { reasoning_content: "Hm." } },
    { field: "reasoning" as const, sent: { reasoning: "Hm." } },
    { field: "reasoning_details" as const, sent: { reasoning_details: details } },
  ])("field $field", ({ field, sent }) => {
    const quirks = field === undefined ? {} : { reasoningReplayField: field };
    expect(messagesOf([answer(API, [thinking, text])], quirks)).toEqual([
      { role: "assistant", content: "Hi", ...sent },
    ]);
  });

  test("details are found on a call too, and nobody else's opaque data is taken for details", () => {
    const quirks = { reasoningReplayField: "reasoning_details" } as const;
    const signed = call("c1", "a", JSON.stringify(details));
    expect(messagesOf([answer(API, [signed])], quirks)).toEqual([
      expect.objectContaining({ role: "assistant", reasoning_details: details }),
    ]);
    const foreign = { type: "thinking", thinking: "Hm.", thinkingSignature: "[not json" } as const;
    expect(messagesOf([answer(API, [foreign, text])], quirks)).toEqual([{ role: "assistant", content: "Hi" }]);
  });
});

test("opaque data of a call goes back with it", () => {
  const extra = { google: { thought_signature: "xyz" } };
  const messages = [answer(API, [call("c1", "a", JSON.stringify({ extra_content: extra })), call("c2", "b", "c2ln")])];
  expect(messagesOf(messages)).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' }, extra_content: extra },
        { id: "c2", type: "function", function: { name: "read", arguments: '{"path":"b"}' } },
      ],
    },
  ]);
});

/** What options add to the smallest request, and what is said about them. */
function added(options: RequestOptions, model: Partial<Model> = {}, tools = [READ]) {
  const plain = build({ tools }, model).body;
  const { body, diagnostics } = build({ tools, options }, model);
  const more = Object.entries(body).filter(([name, value]) => JSON.stringify(plain[name]) !== JSON.stringify(value));
  return { body: Object.fromEntries(more), said: diagnostics.map(({ code, message }) => `${code}: ${message}`) };
}

const ignored = (option: string, why = "it is not supported there") => [
  `option_ignored: The option ${option} was left out for model-1: ${why}.`,
];
const changed = (option: string, how: string) => [`option_changed: The option ${option} was changed: ${how}.`];

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
    expect(added(options, model)).toEqual({ body, said });
  });

  test("without tools, options about them are left out", () => {
    expect(added({ toolChoice: "auto", parallelToolCalls: false }, {}, [])).toEqual({ body: {}, said: [] });
    expect(added({ toolChoice: "required" }, {}, []).said).toEqual(ignored("toolChoice", "there are no tools"));
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

describe("thinking levels", () => {
  const words = { off: "none", high: "hard" };
  test.each<{ format: NonNullable<Quirks["thinkingFormat"]>; high: object; off: object; unworded: object }>([
    { format: "reasoning_effort", high: { reasoning_effort: "hard" }, off: { reasoning_effort: "none" }, unworded: {} },
    {
      format: "openrouter",
      high: { reasoning: { effort: "hard" } },
      off: { reasoning: { effort: "none" } },
      unworded: { reasoning: { effort: "none" } },
    },
    {
      format: "zai",
      high: { thinking: { type: "enabled" } },
      off: { thinking: { type: "disabled" } },
      unworded: { thinking: { type: "disabled" } },
    },
    {
      format: "qwen",
      high: { enable_thinking: true },
      off: { enable_thinking: false },
      unworded: { enable_thinking: false },
    },
    {
      format: "chat-template",
      high: { chat_template_kwargs: { enable_thinking: true } },
      off: { chat_template_kwargs: { enable_thinking: false } },
      unworded: { chat_template_kwargs: { enable_thinking: false } },
    },
    {
      format: "deepseek",
      high: { thinking: { type: "enabled" }, reasoning_effort: "hard" },
      off: { thinking: { type: "disabled" } },
      unworded: { thinking: { type: "disabled" } },
    },
  ])("$format", ({ format, high, off, unworded }) => {
    const model = { quirks: { thinkingFormat: format } };
    expect(added({ reasoning: "high" }, { ...model, thinkingLevelMap: words })).toEqual({ body: high, said: [] });
    expect(added({ reasoning: "off" }, { ...model, thinkingLevelMap: words })).toEqual({ body: off, said: [] });
    expect(added({ reasoning: "off" }, model)).toEqual({ body: unworded, said: [] });
    expect(added({}, model)).toEqual({ body: {}, said: [] });
  });

  test("a level that the model does not have becomes the nearest, and that is said", () => {
    expect(added({ reasoning: "max" })).toEqual({
      body: { reasoning_effort: "high" },
      said: changed("reasoning", "model-1 does not have the level max; high was used"),
    });
  });

  test("models that do not think, and servers that cannot be told", () => {
    expect(added({ reasoning: "high" }, { reasoning: false }).said).toEqual(ignored("reasoning", "it does not think"));
    expect(added({ reasoning: "high" }, { quirks: { thinkingFormat: "none" } }).said).toEqual(ignored("reasoning"));
    expect(added({ reasoning: "off" }, { reasoning: false })).toEqual({ body: {}, said: [] });
  });

  test("a number of tokens, where a server takes one", () => {
    const options: RequestOptions = { reasoning: "high", thinkingBudgets: { high: 5000 } };
    expect(added(options, { quirks: { thinkingFormat: "openrouter" } }).body).toEqual({
      reasoning: { max_tokens: 5000 },
    });
    expect(added(options, { quirks: { thinkingFormat: "qwen" } }).body).toEqual({
      enable_thinking: true,
      thinking_budget: 5000,
    });
    expect(added(options)).toEqual({
      body: { reasoning_effort: "high" },
      said: ignored("thinkingBudgets", "it takes a level, no number of tokens"),
    });
  });
});

describe("answers in JSON", () => {
  const responseSchema = { name: "the answer!", schema: readParameters };
  test("by a schema", () => {
    const schema = { ...readParameters, additionalProperties: false };
    expect(added({ responseSchema })).toEqual({
      body: { response_format: { type: "json_schema", json_schema: { name: "the_answer_", schema, strict: true } } },
      said: [],
    });
    expect(added({ responseSchema: { schema: readParameters, strict: false } })).toEqual({
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
    expect(added({ responseSchema }, { quirks })).toEqual({
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

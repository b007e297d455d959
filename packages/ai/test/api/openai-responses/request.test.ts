import { arbitraryHistory, checkOpenaiResponsesRequest } from "@rondo/test-fixtures";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openaiResponses } from "../../../src/api/openai-responses/index.ts";
import type { RequestOptions } from "../../../src/protocol.ts";
import { prepareTranscript } from "../../../src/transcript/prepare.ts";
import type { AssistantMessage, Message, Model } from "../../../src/types.ts";
import {
  answer,
  call,
  changed,
  effectOf,
  ignored,
  input,
  PDF,
  PNG,
  READ,
  readParameters,
  result,
  user,
} from "../conversation.ts";

const API = "openai-responses";
const build = (more: Parameters<typeof input>[1] = {}, model: Partial<Model> = {}) =>
  openaiResponses.buildRequest(input(API, more, model));
const inputOf = (...messages: Message[]) => build({ messages }).body["input"];

describe("input items", () => {
  test("the smallest request", () => {
    expect(build()).toEqual({
      body: {
        model: "model-1",
        input: [{ role: "user", content: [{ type: "input_text", text: "Hi" }] }],
        store: false,
        include: ["reasoning.encrypted_content"],
      },
      headers: {},
      diagnostics: [],
      toolName: expect.any(Function),
    });
    expect(build({}, { reasoning: false }).body).not.toHaveProperty("include");
  });

  test("a conversation with calls, results and images, in its own order", () => {
    const messages = [
      user([{ type: "text", text: "Look" }, PNG, PDF]),
      answer(API, [{ type: "text", text: "One" }, call("c1", "a"), { type: "text", text: "Two" }, call("c2", "b")]),
      result("c1", [{ type: "text", text: "A" }, PNG]),
      result("c2", [
        { type: "text", text: "B" },
        { type: "text", text: "C" },
      ]),
    ];
    const image = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBORw0KGgo=" };
    expect(
      build({ messages, systemPrompt: "Be brief." }, { quirks: { systemRole: "developer" } }).body["input"],
    ).toEqual([
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "input_text", text: "Look" },
          image,
          { type: "input_file", filename: "document.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
        ],
      },
      { role: "assistant", content: "One" },
      { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a"}' },
      { role: "assistant", content: "Two" },
      { type: "function_call", call_id: "c2", name: "read", arguments: '{"path":"b"}' },
      { type: "function_call_output", call_id: "c1", output: [{ type: "input_text", text: "A" }, image] },
      { type: "function_call_output", call_id: "c2", output: "B\nC" },
    ]);
  });
});

describe("reasoning that goes back", () => {
  const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "xyz" };
  const thinking = (signature: object | string): AssistantMessage["content"][number] => ({
    type: "thinking",
    thinking: "",
    thinkingSignature: typeof signature === "string" ? signature : JSON.stringify(signature),
  });
  const signedText = {
    type: "text",
    text: "Hi",
    textSignature: '{"id":"msg_1","phase":"commentary"}',
  } as const;
  const wireCall = { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a"}' };

  test("with what followed it, under the ids that pair them", () => {
    const full = { ...item, status: "completed", content: [] };
    expect(inputOf(answer(API, [thinking(full), signedText, call("c1", "a", "fc_1")]))).toEqual([
      item,
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
        phase: "commentary",
      },
      { ...wireCall, id: "fc_1" },
    ]);
  });

  test("open reasoning keeps its text", () => {
    const open = { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "Hm." }] };
    expect(inputOf(answer(API, [thinking(open), call("c1", "a")]))).toEqual([open, wireCall]);
  });

  test("not without what followed it", () => {
    expect(inputOf(answer(API, [signedText, thinking(item)]))).toEqual([
      { role: "assistant", content: "Hi", phase: "commentary" },
    ]);
  });

  test.each([
    { name: "without reasoning", before: [] },
    { name: "with reasoning that was not kept", before: [{ type: "thinking", thinking: "Hm." } as const] },
    {
      name: "with somebody else's signature",
      before: [thinking("{not json"), thinking("c2ln"), thinking({ type: "x" })],
    },
  ])("an answer $name goes back without ids", ({ before }) => {
    expect(inputOf(answer(API, [...before, signedText, call("c1", "a", "fc_1")]))).toEqual([
      { role: "assistant", content: "Hi", phase: "commentary" },
      wireCall,
    ]);
  });

  test("ids that the API would refuse stay away", () => {
    const long = `fc_${"x".repeat(80)}`;
    const text = { ...signedText, textSignature: JSON.stringify({ id: `msg_${"x".repeat(80)}` }) };
    expect(inputOf(answer(API, [thinking(item), text, call("c1", "a", long)]))).toEqual([
      item,
      { role: "assistant", content: "Hi" },
      wireCall,
    ]);
  });
});

describe("options", () => {
  test.each<{ name: string; options: RequestOptions; model?: Partial<Model>; body: object; said?: string[] }>([
    { name: "temperature", options: { temperature: 0.5 }, body: { temperature: 0.5 } },
    { name: "maxTokens", options: { maxTokens: 100 }, body: { max_output_tokens: 100 } },
    {
      name: "maxTokens above the model's own",
      options: { maxTokens: 100_000 },
      model: { maxTokens: 8192 },
      body: { max_output_tokens: 8192 },
      said: changed("maxTokens", "it was lowered to 8192, the most that model-1 gives"),
    },
    {
      name: "maxTokens below what the API takes",
      options: { maxTokens: 1 },
      body: { max_output_tokens: 16 },
      said: changed("maxTokens", "it was raised to 16, the least that this API takes"),
    },
    {
      name: "stop sequences",
      options: { stopSequences: ["a"] },
      body: {},
      said: ignored("stopSequences", "the Responses API has none"),
    },
    { name: "tool choice required", options: { toolChoice: "required" }, body: { tool_choice: "required" } },
    {
      name: "tool choice of one tool",
      options: { toolChoice: { name: "read" } },
      body: { tool_choice: { type: "function", name: "read" } },
    },
    { name: "no parallel calls", options: { parallelToolCalls: false }, body: { parallel_tool_calls: false } },
    { name: "thinking", options: { reasoning: "high" }, body: { reasoning: { effort: "high", summary: "auto" } } },
    { name: "no thinking, by a model without a word for it", options: { reasoning: "off" }, body: {} },
    {
      name: "no thinking, by a model with a word for it",
      options: { reasoning: "off" },
      model: { thinkingLevelMap: { off: "none" } },
      body: { reasoning: { effort: "none" } },
    },
    {
      name: "a level that the model does not have",
      options: { reasoning: "max" },
      body: { reasoning: { effort: "high", summary: "auto" } },
      said: changed("reasoning", "model-1 does not have the level max; high was used"),
    },
    {
      name: "a number of thinking tokens",
      options: { reasoning: "low", thinkingBudgets: { low: 5000 } },
      body: { reasoning: { effort: "low", summary: "auto" } },
      said: ignored("thinkingBudgets", "it takes a level, no number of tokens"),
    },
    {
      name: "thinking, by a model that does not",
      options: { reasoning: "low" },
      model: { reasoning: false },
      body: {},
      said: ignored("reasoning", "it does not think"),
    },
    {
      name: "metadata",
      options: { metadata: { user_id: "u", turn: 3, nothing: null } },
      body: { metadata: { user_id: "u", turn: "3" } },
    },
    {
      name: "metadata that is too long",
      options: { metadata: { note: `${"x".repeat(511)}🎼` } },
      body: { metadata: { note: "x".repeat(511) } },
      said: changed("metadata", "entries that were too many or too long were cut"),
    },
    {
      name: "a long cache",
      options: { sessionId: "s".repeat(80), cacheRetention: "long" },
      body: { prompt_cache_key: "s".repeat(64), prompt_cache_retention: "24h" },
    },
    { name: "no cache", options: { sessionId: "s", cacheRetention: "none" }, body: {} },
    {
      name: "an answer by a schema",
      options: { responseSchema: { name: "answer", schema: readParameters } },
      body: {
        text: {
          format: {
            type: "json_schema",
            name: "answer",
            schema: { ...readParameters, additionalProperties: false },
            strict: true,
          },
        },
      },
    },
    {
      name: "an answer by a schema from a server without",
      options: { responseSchema: { schema: readParameters } },
      model: { quirks: { supportsResponseSchema: false } },
      body: {
        input: [
          {
            role: "system",
            content: `Answer with nothing but JSON that is valid for this JSON Schema:\n${JSON.stringify(readParameters)}`,
          },
          { role: "user", content: [{ type: "input_text", text: "Hi" }] },
        ],
        text: { format: { type: "json_object" } },
      },
      said: changed("responseSchema", "this server takes no schema, so the model is asked for JSON like it"),
    },
  ])("$name", ({ options, model, body, said = [] }) => {
    expect(effectOf(openaiResponses, options, model)).toEqual({ body, said });
  });

  test("tools say whether they are strict", () => {
    const tool = { type: "function", name: "read", description: "Reads a file." };
    expect(build({ tools: [READ] }).body["tools"]).toEqual([{ ...tool, parameters: readParameters, strict: false }]);
    expect(build({ tools: [READ] }, { quirks: { supportsStrictTools: true } }).body["tools"]).toEqual([
      { ...tool, parameters: { ...readParameters, additionalProperties: false }, strict: true },
    ]);
  });

  test("the session's header", () => {
    const quirks = { sessionAffinityHeader: "x-session" };
    expect(build({ options: { sessionId: "s" } }, { quirks }).headers).toEqual({ "x-session": "s" });
  });
});

test("any history becomes a request that the API accepts, the same bytes each time", () => {
  const own = { provider: "openai", id: "gpt-fixture" };
  const { model } = input(API, {}, own);
  fc.assert(
    fc.property(arbitraryHistory(), (history) => {
      const { messages } = prepareTranscript(history as unknown as Message[], model);
      fc.pre(messages.length > 0);
      const request = () => build({ messages, tools: [READ], systemPrompt: "Be brief." }, own).body;
      expect(checkOpenaiResponsesRequest({ ...request(), stream: true })).toEqual([]);
      expect(JSON.stringify(request())).toBe(JSON.stringify(request()));
    }),
    { numRuns: 300 },
  );
});

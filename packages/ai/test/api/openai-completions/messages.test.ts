import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import type { Message, Model, Quirks } from "../../../src/types.ts";
import { answer, call, input, PDF, PNG, result, user } from "../conversation.ts";

const API = "openai-completions";
const build = (more: Parameters<typeof input>[1] = {}, model: Partial<Model> = {}) =>
  openaiCompletions.buildRequest(input(API, more, model));
const messagesOf = (messages: Message[], quirks: Quirks = {}) => build({ messages }, { quirks }).body["messages"];

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

  test("one text is a string, whichever way it was handed in, since small servers know no parts", () => {
    const text = { type: "text" as const, text: "Hi" };
    expect(messagesOf([user([text])])).toEqual(messagesOf([user("Hi")]));
    expect(messagesOf([user([text, text])])).toEqual([{ role: "user", content: [text, text] }]);
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

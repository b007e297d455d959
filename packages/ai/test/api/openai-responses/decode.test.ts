import { describe, expect, test } from "vitest";
import { openaiResponses } from "../../../src/api/openai-responses/index.ts";
import { type DecodeOptions, decode } from "../decoding.ts";

const event = (type: string, fields: object = {}) => ({ type: `response.${type}`, ...fields });
const added = (index: number, item: object) => event("output_item.added", { output_index: index, item });
const done = (index: number, item: object) => event("output_item.done", { output_index: index, item });
const text = (index: number | undefined, delta: string, part = 0) =>
  event("output_text.delta", { ...(index !== undefined && { output_index: index }), content_index: part, delta });
const summary = (index: number, part: number, delta: string) =>
  event("reasoning_summary_text.delta", { output_index: index, summary_index: part, delta });
const args = (index: number, delta: string) => event("function_call_arguments.delta", { output_index: index, delta });
const completed = (fields: object = {}) => event("completed", { response: { status: "completed", ...fields } });

const messageItem = (content: string, more: object = {}) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  content: [{ type: "output_text", text: content }],
  ...more,
});
const emptyMessage = { type: "message", id: "msg_1", role: "assistant", content: [] };
const callItem = (args: unknown, more: object = {}) => ({
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "read",
  arguments: args,
  ...more,
});
const reasoningItem = (more: object = {}) => ({ type: "reasoning", id: "rs_1", summary: [], ...more });
const A = '{"path":"a"}';

interface Case extends DecodeOptions {
  name: string;
  frames: unknown[];
  events: string[];
}

function run(cases: readonly Case[]): void {
  test.each(cases)("$name", ({ frames, events, ...options }) => {
    expect(decode(openaiResponses, frames, options).events).toEqual(events);
  });
}

const hello = (...deltas: string[]): string[] => [
  "start",
  "text_start 0",
  ...deltas.map((delta) => `text_delta 0 ${JSON.stringify(delta)}`),
  `text_end 0 "Hello"`,
  "done stop",
];

describe("messages", () => {
  run([
    {
      name: "deltas of a message",
      frames: [added(0, emptyMessage), text(0, "Hel"), text(0, "lo"), done(0, messageItem("Hello")), completed()],
      events: hello("Hel", "lo"),
    },
    {
      name: "text in the done event alone",
      frames: [
        added(0, emptyMessage),
        event("output_text.done", { output_index: 0, content_index: 0, text: "Hello" }),
        done(0, messageItem("Hello")),
        completed(),
      ],
      events: hello("Hello"),
    },
    {
      name: "text in the item alone",
      frames: [added(0, emptyMessage), text(0, "Hel"), done(0, messageItem("Hello")), completed()],
      events: hello("Hel", "lo"),
    },
    {
      name: "text in the completed response alone",
      frames: [completed({ output: [messageItem("Hello")] })],
      events: hello("Hello"),
    },
    {
      name: "text in an item that was never announced",
      frames: [done(0, messageItem("Hello")), completed({ output: [messageItem("Hello")] })],
      events: hello("Hello"),
    },
    {
      name: "deltas without items and indexes",
      frames: [text(undefined, "Hel"), text(undefined, "lo"), completed({ output: [messageItem("Hello")] })],
      events: hello("Hel", "lo"),
    },
    {
      name: "a part that is told once more after its item",
      frames: [
        added(0, emptyMessage),
        text(0, "Hello"),
        done(0, messageItem("Hello")),
        event("output_text.done", { output_index: 0, content_index: 0, text: "Hello" }),
        completed(),
      ],
      events: hello("Hello"),
    },
    {
      name: "a content index that does not fit the item",
      frames: [added(0, emptyMessage), text(0, "Hello", 3), done(0, messageItem("Hello")), completed()],
      events: hello("Hello"),
    },
    {
      name: "an item that says something else than its deltas",
      frames: [added(0, emptyMessage), text(0, "Hello"), done(0, messageItem("Good morning")), completed()],
      events: hello("Hello"),
    },
    {
      name: "ids that change with every event",
      frames: [
        added(0, { ...emptyMessage, id: "a" }),
        { ...text(0, "Hello"), item_id: "b" },
        done(0, messageItem("Hello", { id: "c" })),
        completed({ output: [messageItem("Hello", { id: "d" })] }),
      ],
      events: hello("Hello"),
    },
    {
      name: "an empty message leaves no block",
      frames: [added(0, emptyMessage), done(0, emptyMessage), completed({ output: [emptyMessage] })],
      events: ["start", "done stop"],
    },
    {
      name: "a refusal is text",
      frames: [
        added(0, emptyMessage),
        event("refusal.delta", { output_index: 0, content_index: 0, delta: "Hel" }),
        event("refusal.done", { output_index: 0, content_index: 0, refusal: "Hello" }),
        done(0, { ...emptyMessage, content: [{ type: "refusal", refusal: "Hello" }] }),
        completed(),
      ],
      events: hello("Hel", "lo"),
    },
    {
      name: "pings and unknown events carry nothing",
      frames: [{ type: "keepalive" }, event("in_progress"), 5, null, done(0, messageItem("Hello")), completed()],
      events: hello("Hello"),
    },
  ]);

  test("the id and the phase of a message are kept", () => {
    const { content } = decode(openaiResponses, [
      done(0, messageItem("Hello", { phase: "commentary" })),
      completed(),
    ]).message;
    expect(content).toEqual([{ type: "text", text: "Hello", textSignature: '{"id":"msg_1","phase":"commentary"}' }]);
  });
});

describe("calls", () => {
  const called = (...deltas: string[]): string[] => [
    "start",
    "toolcall_start 0",
    ...deltas.map((delta) => `toolcall_delta 0 ${JSON.stringify(delta)}`),
    `toolcall_end 0 call_1 read ${A}`,
    "done toolUse",
  ];
  run([
    {
      name: "arguments by deltas",
      frames: [
        added(0, callItem("")),
        args(0, '{"path"'),
        args(0, ':"a"}'),
        event("function_call_arguments.done", { output_index: 0, arguments: A }),
        done(0, callItem(A)),
        completed({ output: [callItem(A)] }),
      ],
      events: called('{"path"', ':"a"}'),
    },
    {
      name: "arguments in the done event alone",
      frames: [
        added(0, callItem("")),
        event("function_call_arguments.done", { output_index: 0, arguments: A }),
        completed(),
      ],
      events: called(A),
    },
    {
      name: "arguments that the done event completes",
      frames: [
        added(0, callItem("")),
        args(0, '{"path"'),
        event("function_call_arguments.done", { output_index: 0, arguments: A }),
        done(0, callItem("")),
        completed(),
      ],
      events: called('{"path"', ':"a"}'),
    },
    {
      name: "arguments in the item alone",
      frames: [added(0, callItem("")), done(0, callItem(A)), completed()],
      events: called(A),
    },
    {
      name: "arguments in the completed response alone",
      frames: [added(0, callItem("")), completed({ output: [callItem(A)] })],
      events: called(A),
    },
    {
      name: "a call in the completed response alone",
      frames: [completed({ output: [callItem(A)] })],
      events: called(A),
    },
    {
      name: "arguments as an object",
      frames: [done(0, callItem({ path: "a" })), completed()],
      events: called(A),
    },
    {
      name: "an id that comes with the end of the item",
      frames: [added(0, { type: "function_call", name: "read" }), args(0, A), done(0, callItem(A)), completed()],
      events: called(A),
    },
    {
      name: "two calls at once",
      frames: [
        added(0, callItem("")),
        added(1, callItem("", { id: "fc_2", call_id: "call_2", name: "list" })),
        args(1, "{}"),
        args(0, A),
        done(1, callItem("{}", { id: "fc_2", call_id: "call_2", name: "list" })),
        done(0, callItem(A)),
        completed(),
      ],
      events: [
        "start",
        "toolcall_start 0",
        "toolcall_start 1",
        'toolcall_delta 1 "{}"',
        'toolcall_delta 0 "{\\"path\\":\\"a\\"}"',
        "toolcall_end 1 call_2 list {}",
        `toolcall_end 0 call_1 read ${A}`,
        "done toolUse",
      ],
    },
    {
      name: "the same output index for every item",
      frames: [
        added(0, emptyMessage),
        text(0, "Hello"),
        done(0, messageItem("Hello")),
        added(0, callItem("")),
        args(0, A),
        done(0, callItem(A)),
        completed({ output: [messageItem("Hello"), callItem(A)] }),
      ],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "Hello"',
        'text_end 0 "Hello"',
        "toolcall_start 1",
        'toolcall_delta 1 "{\\"path\\":\\"a\\"}"',
        `toolcall_end 1 call_1 read ${A}`,
        "done toolUse",
      ],
    },
    {
      name: "arguments that were cut off",
      frames: [
        added(0, callItem("")),
        args(0, '{"path":"/et'),
        done(0, callItem('{"path":"/et', { status: "incomplete" })),
        event("incomplete", {
          response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        }),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"path\\":\\"/et"',
        'toolcall_end 0 call_1 read malformed "{\\"path\\":\\"/et"',
        "done length",
      ],
    },
    {
      name: "tools that the server runs are not ours to run",
      frames: [
        added(0, { type: "web_search_call", id: "ws_1", name: "web_search", arguments: "{}" }),
        event("web_search_call.searching", { output_index: 0, item_id: "ws_1" }),
        done(0, { type: "web_search_call", id: "ws_1", name: "web_search", arguments: "{}" }),
        added(1, { type: "mcp_call", id: "mcp_1", name: "shorten" }),
        event("mcp_call_arguments.delta", { output_index: 1, delta: "{}" }),
        done(1, { type: "mcp_call", id: "mcp_1", name: "shorten", arguments: "{}" }),
        added(2, { type: "custom_tool_call", call_id: "xs_1", name: "x_search", input: "" }),
        event("custom_tool_call_input.delta", { output_index: 2, delta: "from:me" }),
        done(2, { type: "custom_tool_call", call_id: "xs_1", name: "x_search", input: "from:me" }),
        done(3, messageItem("Hello")),
        completed(),
      ],
      events: hello("Hello"),
    },
    {
      name: "a custom call of a tool that was offered",
      toolNames: ["patch"],
      frames: [
        added(0, { type: "custom_tool_call", call_id: "call_1", name: "patch", input: "" }),
        done(0, { type: "custom_tool_call", call_id: "call_1", name: "patch", input: "-a\n+b" }),
        completed(),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"input\\":\\"-a\\\\n+b\\"}"',
        'toolcall_end 0 call_1 patch {"input":"-a\\n+b"}',
        "done toolUse",
      ],
    },
  ]);
});

describe("reasoning", () => {
  const thought = (...deltas: string[]): string[] => [
    "start",
    "thinking_start 0",
    ...deltas.map((delta) => `thinking_delta 0 ${JSON.stringify(delta)}`),
    `thinking_end 0 ${JSON.stringify(deltas.join(""))}`,
    "text_start 1",
    'text_delta 1 "Hello"',
    'text_end 1 "Hello"',
    "done stop",
  ];
  const answer = [done(1, messageItem("Hello")), completed()];
  const summaries = (...texts: string[]) => ({
    summary: texts.map((summary) => ({ type: "summary_text", text: summary })),
  });
  run([
    {
      name: "summaries in several parts are divided by an empty line",
      frames: [
        added(0, reasoningItem()),
        summary(0, 0, "On"),
        summary(0, 0, "e"),
        summary(0, 1, "Two"),
        event("reasoning_summary_text.done", { output_index: 0, summary_index: 1, text: "Two" }),
        done(0, reasoningItem(summaries("One", "Two"))),
        ...answer,
      ],
      events: thought("On", "e", "\n\nTwo"),
    },
    {
      name: "summaries in the item alone",
      frames: [added(0, reasoningItem()), done(0, reasoningItem(summaries("One", "Two"))), ...answer],
      events: thought("One\n\nTwo"),
    },
    {
      name: "a summary that the item completes",
      frames: [
        added(0, reasoningItem()),
        summary(0, 0, "One"),
        done(0, reasoningItem(summaries("One", "Two"))),
        ...answer,
      ],
      events: thought("One", "\n\nTwo"),
    },
    {
      name: "open reasoning",
      frames: [
        added(0, reasoningItem()),
        event("reasoning_text.delta", { output_index: 0, content_index: 0, delta: "Hm." }),
        event("reasoning_text.done", { output_index: 0, content_index: 0, text: "Hm." }),
        done(0, reasoningItem({ content: [{ type: "reasoning_text", text: "Hm." }] })),
        ...answer,
      ],
      events: thought("Hm."),
    },
    {
      name: "open reasoning and a summary of it are not both told",
      frames: [
        added(0, reasoningItem()),
        event("reasoning_text.delta", { output_index: 0, content_index: 0, delta: "Hm." }),
        summary(0, 0, "Hummed."),
        done(0, reasoningItem({ ...summaries("Hummed."), content: [{ type: "reasoning_text", text: "Hm." }] })),
        ...answer,
      ],
      events: thought("Hm."),
    },
    {
      name: "encrypted reasoning has a block without text",
      frames: [added(0, reasoningItem()), done(0, reasoningItem({ encrypted_content: "xyz" })), ...answer],
      events: thought(),
    },
    {
      name: "reasoning without anything in it leaves no block",
      frames: [added(0, reasoningItem()), done(0, reasoningItem()), done(1, messageItem("Hello")), completed()],
      events: hello("Hello"),
    },
  ]);

  const encrypted = reasoningItem({ ...summaries("One"), encrypted_content: "xyz" });
  const search = { type: "web_search_call", id: "ws_1" };

  test("reasoning and the call that follows it are kept to be sent back as a pair", () => {
    const { content } = decode(openaiResponses, [done(0, encrypted), done(1, callItem(A)), completed()]).message;
    expect(content).toEqual([
      { type: "thinking", thinking: "One", thinkingSignature: JSON.stringify(encrypted) },
      { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a" }, thoughtSignature: "fc_1" },
    ]);
  });

  test.each([
    { name: "the server's own search", frames: [done(0, encrypted), done(1, search), done(2, messageItem("Hello"))] },
    { name: "nothing", frames: [done(0, encrypted)] },
  ])("reasoning that is followed by $name cannot be sent back", ({ frames }) => {
    const { content } = decode(openaiResponses, [...frames, completed()]).message;
    expect(content[0]).toEqual({ type: "thinking", thinking: "One" });
  });
});

describe("how it ends", () => {
  const before = [added(0, emptyMessage), text(0, "Hello")];
  const after = (end: string): string[] => ["start", "text_start 0", 'text_delta 0 "Hello"', end];
  const whole = (end: string): string[] => ["start", "text_start 0", 'text_delta 0 "Hello"', 'text_end 0 "Hello"', end];
  const ended = (status: string, more: object = {}) => event(status, { response: { status, ...more } });
  run([
    { name: "no last event is no end", frames: before, events: after("open") },
    {
      name: "no last event from a server that has none",
      frames: before,
      quirks: { endsWithoutStopReason: true },
      events: whole("done stop"),
    },
    {
      name: "incomplete for its length",
      frames: [...before, ended("incomplete", { incomplete_details: { reason: "max_output_tokens" } })],
      events: whole("done length"),
    },
    {
      name: "a completed event whose response is incomplete",
      frames: [...before, event("completed", { response: { status: "incomplete" } })],
      events: whole("done length"),
    },
    {
      name: "incomplete for its content",
      frames: [...before, ended("incomplete", { incomplete_details: { reason: "content_filter" } })],
      events: after("error content_filter Server stopped this answer by its content policy. Rephrase the request."),
    },
    {
      name: "failed",
      frames: [...before, ended("failed", { error: { code: "server_error", message: "Oops" } })],
      events: after('error unknown thrown {"status":"failed","error":{"code":"server_error","message":"Oops"}}'),
    },
    {
      name: "failed without a reason",
      frames: [...before, ended("failed", { error: null })],
      events: after("error overloaded Server failed to answer and did not say why. Try again."),
    },
    {
      name: "cancelled",
      frames: [...before, ended("cancelled")],
      events: after("error overloaded Server cancelled the response. Try again."),
    },
    {
      name: "an error event",
      frames: [...before, { type: "error", code: "rate_limit_exceeded", message: "Slow down" }],
      events: after('error unknown thrown {"type":"error","code":"rate_limit_exceeded","message":"Slow down"}'),
    },
  ]);

  test("the response's id, its model, its usage and its status are kept", () => {
    const { message } = decode(openaiResponses, [
      event("created", { response: { id: "resp_1", model: "model-1-2026", status: "in_progress" } }),
      completed({
        usage: {
          input_tokens: 1000,
          input_tokens_details: { cached_tokens: 800 },
          output_tokens: 50,
          output_tokens_details: { reasoning_tokens: 40 },
          total_tokens: 1050,
        },
      }),
    ]);
    expect(message).toEqual({
      role: "assistant",
      content: [],
      api: "openai-responses",
      provider: "Server",
      model: "model-1",
      responseId: "resp_1",
      responseModel: "model-1-2026",
      usage: {
        input: 200,
        cacheRead: 800,
        output: 50,
        reasoning: 40,
        totalTokens: 1050,
        cost: {},
      },
      stopReason: "stop",
      rawStopReason: "completed",
      timestamp: 0,
    });
  });
});

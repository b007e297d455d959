import { describe, expect, test } from "vitest";
import { openaiResponses } from "../../../src/api/openai-responses/index.ts";
import { decode, testDecoding } from "../decoding.ts";
import {
  A,
  added,
  args,
  callItem,
  completed,
  done,
  emptyMessage,
  event,
  hello,
  messageItem,
  reasoningItem,
  summary,
  text,
} from "./events.ts";

describe("calls", () => {
  const called = (...deltas: string[]): string[] => [
    "start",
    "toolcall_start 0",
    ...deltas.map((delta) => `toolcall_delta 0 ${JSON.stringify(delta)}`),
    `toolcall_end 0 call_1 read ${A}`,
    "done toolUse",
  ];
  testDecoding(openaiResponses, [
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
  testDecoding(openaiResponses, [
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

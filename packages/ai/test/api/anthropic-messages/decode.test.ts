import { describe, expect, test } from "vitest";
import { anthropicMessages } from "../../../src/api/anthropic-messages/index.ts";
import { decode, testDecoding } from "../decoding.ts";
import {
  begun,
  delta,
  ended,
  finished,
  json,
  last,
  signature,
  started,
  stopped,
  text,
  thinking,
  toolUse,
} from "./events.ts";

const hello = ["start", "text_start 0", 'text_delta 0 "Hello"', 'text_end 0 "Hello"'];
const readA = [
  "toolcall_start 0",
  'toolcall_delta 0 "{\\"path\\":\\"a\\"}"',
  'toolcall_end 0 toolu_1 read {"path":"a"}',
];
const contentOf = (frames: object[]) => decode(anthropicMessages, frames).message.content;

describe("text", () => {
  testDecoding(anthropicMessages, [
    {
      name: "deltas become one block",
      frames: [started(), begun(0, { type: "text", text: "" }), text(0, "Hel"), text(0, "lo"), ended(0), ...finished()],
      events: ["start", "text_start 0", 'text_delta 0 "Hel"', 'text_delta 0 "lo"', 'text_end 0 "Hello"', "done stop"],
    },
    {
      name: "text at the start of its block",
      frames: [started(), begun(0, { type: "text", text: "Hello" }), ended(0), ...finished()],
      events: [...hello, "done stop"],
    },
    {
      name: "a delta whose block was not announced",
      frames: [started(), text(0, "Hello"), ...finished()],
      events: [...hello, "done stop"],
    },
    {
      name: "no index, or null for one, is the first block",
      frames: [
        started(),
        { ...begun(0, { type: "text", text: "Hel" }), index: null },
        { ...text(0, "l"), index: null },
        { ...text(0, "o"), index: undefined },
        { ...ended(0), index: null },
        ...finished(),
      ],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "Hel"',
        'text_delta 0 "l"',
        'text_delta 0 "o"',
        'text_end 0 "Hello"',
        "done stop",
      ],
    },
    {
      name: "deltas that are null say nothing",
      frames: [started(), { ...text(0, ""), delta: null }, text(0, "Hello"), ...finished()],
      events: [...hello, "done stop"],
    },
    {
      name: "a whole message at the start, with no blocks after it",
      frames: [
        started({
          content: [{ type: "text", text: "Hello" }, toolUse({ input: { path: "a" } })],
          stop_reason: "tool_use",
        }),
        last,
      ],
      events: [...hello, ...readA.map((line) => line.replace(/ 0/, " 1")), "done toolUse"],
    },
    {
      name: "a second start of the message goes on with it",
      frames: [
        started(),
        begun(0, { type: "text", text: "" }),
        text(0, "Hel"),
        started(),
        text(0, "lo"),
        ended(0),
        ...finished(),
      ],
      events: ["start", "text_start 0", 'text_delta 0 "Hel"', 'text_delta 0 "lo"', 'text_end 0 "Hello"', "done stop"],
    },
    {
      name: "an index that begins anew is a block of its own",
      frames: [begun(0, { type: "text", text: "One" }), begun(0, { type: "text", text: "Two" }), ...finished()],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "One"',
        'text_end 0 "One"',
        "text_start 1",
        'text_delta 1 "Two"',
        'text_end 1 "Two"',
        "done stop",
      ],
    },
    {
      name: "blocks whose deltas are mixed",
      frames: [
        begun(0, { type: "text", text: "" }),
        begun(1, { type: "text", text: "" }),
        text(1, "b"),
        text(0, "a"),
        ended(0),
        ended(1),
        ...finished(),
      ],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "b"',
        "text_start 1",
        'text_delta 1 "a"',
        'text_end 1 "a"',
        'text_end 0 "b"',
        "done stop",
      ],
    },
    {
      name: "citations and deltas of kinds that are not known are passed over",
      frames: [
        begun(0, { type: "text", text: "Hello" }),
        delta(0, { type: "citations_delta", citation: {} }),
        ended(0),
        ...finished(),
      ],
      events: [...hello, "done stop"],
    },
    {
      name: "events without a type are told by their name",
      frames: [{ ...begun(0, { type: "text", text: "Hello" }) }, ended(0), { message: {} }, ...finished()],
      events: [...hello, "done stop"],
    },
    { name: "no blocks at all", frames: [started(), ...finished()], events: ["start", "done stop"] },
    { name: "no end is no answer", frames: [started(), text(0, "Hello")], events: [...hello.slice(0, 3), "open"] },
    {
      name: "the end may go without message_stop",
      frames: [started(), text(0, "Hello"), ended(0), stopped("end_turn")],
      events: [...hello, "done stop"],
    },
  ]);
});

describe("thinking", () => {
  test("is kept with its signature, which may come in pieces", () => {
    const frames = [
      begun(0, { type: "thinking", thinking: "", signature: "" }),
      thinking(0, "Hm."),
      signature(0, "ab"),
      signature(0, "c="),
    ];
    expect(contentOf([...frames, ended(0), ...finished()])).toEqual([
      { type: "thinking", thinking: "Hm.", thinkingSignature: "abc=" },
    ]);
  });

  test("a signature without thinking is thinking that shows nothing", () => {
    expect(contentOf([begun(0, { type: "thinking" }), signature(0, "abc="), ended(0), ...finished()])).toEqual([
      { type: "thinking", thinking: "", thinkingSignature: "abc=" },
    ]);
  });

  test("that was withheld is kept to be sent back, and shows nothing", () => {
    const frames = [
      begun(0, { type: "redacted_thinking", data: "encrypted==" }),
      ended(0),
      text(1, "Hello"),
      ...finished(),
    ];
    expect(contentOf(frames)).toEqual([
      { type: "thinking", thinking: "", thinkingSignature: "encrypted==", redacted: true },
      { type: "text", text: "Hello" },
    ]);
  });
});

describe("tool calls", () => {
  testDecoding(anthropicMessages, [
    {
      name: "arguments in pieces",
      frames: [
        begun(0, toolUse()),
        json(0, ""),
        json(0, '{"path":'),
        json(0, '"a"}'),
        ended(0),
        ...finished("tool_use"),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"path\\":"',
        'toolcall_delta 0 "\\"a\\"}"',
        'toolcall_end 0 toolu_1 read {"path":"a"}',
        "done toolUse",
      ],
    },
    {
      name: "arguments at the start of the block",
      frames: [begun(0, toolUse({ input: { path: "a" } })), ended(0), ...finished("tool_use")],
      events: ["start", ...readA, "done toolUse"],
    },
    {
      name: "arguments at the start as text",
      frames: [begun(0, toolUse({ input: '{"path":"a"}' })), ended(0), ...finished("tool_use")],
      events: ["start", ...readA, "done toolUse"],
    },
    {
      name: "deltas win over the input of the start",
      frames: [
        begun(0, toolUse({ input: { path: "old" } })),
        json(0, '{"path":"a"}'),
        ended(0),
        ...finished("tool_use"),
      ],
      events: ["start", ...readA, "done toolUse"],
    },
    {
      name: "the reason end_turn does not take the calls away",
      frames: [begun(0, toolUse({ input: { path: "a" } })), ended(0), ...finished("end_turn")],
      events: ["start", ...readA, "done toolUse"],
    },
    {
      name: "the reason tool_use makes no calls",
      frames: [text(0, "Hello"), ...finished("tool_use")],
      events: [...hello, "done stop"],
    },
    {
      name: "arguments that max_tokens cut off are not to be run",
      frames: [begun(0, toolUse()), json(0, '{"command":"rm -rf /srv/da'), ended(0), ...finished("max_tokens")],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"command\\":\\"rm -rf /srv/da"',
        'toolcall_end 0 toolu_1 read malformed "{\\"command\\":\\"rm -rf /srv/da"',
        "done length",
      ],
    },
    {
      name: "a call without id and name gets both",
      frames: [begun(0, { type: "tool_use", input: {} }), ended(0), ...finished("tool_use")],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{}"',
        "toolcall_end 0 made_1 unknown_tool {}",
        "done toolUse",
      ],
    },
    {
      name: "arguments of a call whose beginning was lost are damage",
      frames: [text(0, "Hello"), json(1, '{"path":"a"}'), ended(1), ...finished("tool_use")],
      events: [...hello.slice(0, 3), "error unknown thrown Arguments came for a tool call that had not begun."],
    },
    {
      name: "blocks of the server's own tools are none of ours",
      frames: [
        begun(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
        json(0, '{"query":"x"}'),
        ended(0),
        begun(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }),
        ended(1),
        begun(2, { type: "mcp_tool_use", id: "mcptoolu_1", name: "x", input: {} }),
        ended(2),
        begun(3, { type: "text", text: "Hello" }),
        ended(3),
        ...finished("pause_turn"),
      ],
      events: [...hello, "done stop"],
    },
  ]);
});

describe("why it stopped", () => {
  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["something_new", "stop"],
  ])("%s is %s, and its own word is kept", (reason, stopReason) => {
    const { message } = decode(anthropicMessages, [text(0, "Hello"), ...finished(reason)]);
    expect([message.stopReason, message.rawStopReason]).toEqual([stopReason, reason]);
  });

  test.each([
    [
      "refusal",
      { stop_details: { explanation: "It is about viruses." } },
      "The model declined to answer: It is about viruses.",
    ],
    ["refusal", {}, "The model declined to answer. Rephrase the request or start anew."],
    ["sensitive", {}, "The model declined to answer. Rephrase the request or start anew."],
  ])("%s is an error", (reason, more, words) => {
    const { events } = decode(anthropicMessages, [text(0, "Hello"), ...finished(reason, more)]);
    expect(events.at(-1)).toBe(`error unknown thrown ${words}`);
  });

  test("an error event ends the answer with what the server said", () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(decode(anthropicMessages, [text(0, "Hel"), error, ...finished()]).events.at(-1)).toContain("Overloaded");
  });
});

describe("counts of tokens", () => {
  const usageOf = (start: object | null, end?: object | null) => {
    const frames = [started({ usage: start }), text(0, "Hello"), { ...stopped("end_turn"), usage: end }, last];
    const { cost: _cost, ...counts } = decode(anthropicMessages, frames).message.usage;
    return counts;
  };
  test.each<[string, object | null, object | null | undefined, object]>([
    [
      "cached tokens are counted apart",
      { input_tokens: 200, cache_read_input_tokens: 800, cache_creation_input_tokens: 50, output_tokens: 1 },
      { output_tokens: 30 },
      { input: 200, cacheRead: 800, cacheWrite: 50, output: 30, totalTokens: 1080 },
    ],
    [
      "a zero at the end replaces nothing",
      { input_tokens: 200, output_tokens: 1 },
      { input_tokens: 0, output_tokens: 30 },
      { input: 200, output: 30, totalTokens: 230 },
    ],
    [
      "all of it at the end",
      null,
      { input_tokens: 200, output_tokens: 30 },
      { input: 200, output: 30, totalTokens: 230 },
    ],
    ["none", null, undefined, {}],
    ["nonsense is no count", { input_tokens: "many", output_tokens: Number.NaN }, { output_tokens: -5 }, {}],
  ])("%s", (_name, start, end, counts) => {
    expect(usageOf(start, end)).toEqual(counts);
  });
});

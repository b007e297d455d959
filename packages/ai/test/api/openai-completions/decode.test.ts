import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import type { Quirks } from "../../../src/types.ts";
import { decode } from "../decoding.ts";

const delta = (fields: object, finishReason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finishReason }],
});
const stop = (reason = "stop") => delta({}, reason);
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args?: unknown) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: "function",
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
});
const calls = (...pieces: object[]) => delta({ tool_calls: pieces });

interface Case {
  name: string;
  frames: unknown[];
  events: string[];
  quirks?: Quirks;
}

const read = (index: number, id: string, path: string): string[] => [
  `toolcall_start ${index}`,
  `toolcall_delta ${index} ${JSON.stringify(`{"path":"${path}"}`)}`,
  `toolcall_end ${index} ${id} read {"path":"${path}"}`,
];

/** Two calls that stay open until the end. */
const twoReads = (first: string, second: string): string[] => {
  const [start1, delta1, end1] = read(0, first, "a");
  const [start2, delta2, end2] = read(1, second, "b");
  return ["start", start1, delta1, start2, delta2, end1, end2, "done toolUse"] as string[];
};
const A = '{"path":"a"}';
const B = '{"path":"b"}';

function run(cases: readonly Case[]): void {
  test.each(cases)("$name", ({ frames, events, quirks }) => {
    expect(decode(openaiCompletions, frames, quirks ? { quirks } : {}).events).toEqual(events);
  });
}

describe("text", () => {
  run([
    {
      name: "deltas become one block",
      frames: [delta({ role: "assistant", content: "" }), delta({ content: "Hel" }), delta({ content: "lo" }), stop()],
      events: ["start", "text_start 0", 'text_delta 0 "Hel"', 'text_delta 0 "lo"', 'text_end 0 "Hello"', "done stop"],
    },
    {
      name: "other choices do not count",
      frames: [
        { choices: [{ index: 1, delta: { content: "no" } }] },
        {
          choices: [
            { index: 1, delta: { content: "no" } },
            { index: 0, delta: { content: "yes" } },
          ],
        },
        { choices: [{ index: 1, delta: {}, finish_reason: "length" }] },
        stop(),
      ],
      events: ["start", "text_start 0", 'text_delta 0 "yes"', 'text_end 0 "yes"', "done stop"],
    },
    {
      name: "a refusal is text",
      frames: [delta({ refusal: "I am " }), delta({ refusal: "sorry." }), stop()],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "I am "',
        'text_delta 0 "sorry."',
        'text_end 0 "I am sorry."',
        "done stop",
      ],
    },
    {
      name: "content in parts: text, thinking and references",
      frames: [
        delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
        delta({
          content: [
            { type: "text", text: "See " },
            { type: "reference", reference_ids: [1] },
          ],
        }),
        delta({ content: "there." }),
        stop(),
      ],
      events: [
        "start",
        "thinking_start 0",
        'thinking_delta 0 "Hm."',
        'thinking_end 0 "Hm."',
        "text_start 1",
        'text_delta 1 "See "',
        'text_delta 1 "there."',
        'text_end 1 "See there."',
        "done stop",
      ],
    },
    {
      name: "a cumulative message beside the deltas says nothing twice",
      frames: [
        { choices: [{ index: 0, delta: { content: "One" }, message: { content: "One" } }] },
        {
          choices: [{ index: 0, delta: { content: " two" }, message: { content: "One two" }, finish_reason: "stop" }],
        },
      ],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "One"',
        'text_delta 0 " two"',
        'text_end 0 "One two"',
        "done stop",
      ],
    },
    {
      name: "a final message adds what the deltas left out",
      frames: [
        delta({ content: "One" }),
        {
          choices: [
            {
              index: 0,
              message: { content: "One two", tool_calls: [call(undefined, "c1", "read", A)] },
              finish_reason: "stop",
            },
          ],
        },
      ],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "One"',
        'text_delta 0 " two"',
        'text_end 0 "One two"',
        ...read(1, "c1", "a"),
        "done toolUse",
      ],
    },
    {
      name: "calls in a final message that the deltas told already",
      frames: [
        calls(call(0, "c1", "read", A)),
        {
          choices: [
            { index: 0, message: { tool_calls: [call(undefined, undefined, "read", A)] }, finish_reason: "tool_calls" },
            { index: 1, message: { content: "no" }, finish_reason: "stop" },
          ],
        },
      ],
      events: ["start", ...read(0, "c1", "a"), "done toolUse"],
    },
    {
      name: "a whole answer in one event",
      frames: [
        {
          object: "chat.completion",
          choices: [{ message: { reasoning_content: "Hm.", content: "Hi" }, finish_reason: "stop" }],
        },
      ],
      events: [
        "start",
        "thinking_start 0",
        'thinking_delta 0 "Hm."',
        'thinking_end 0 "Hm."',
        "text_start 1",
        'text_delta 1 "Hi"',
        'text_end 1 "Hi"',
        "done stop",
      ],
    },
  ]);
});

describe("thinking", () => {
  const thought = (...more: string[]): string[] => [
    "start",
    "thinking_start 0",
    'thinking_delta 0 "Hm"',
    'thinking_delta 0 "."',
    'thinking_end 0 "Hm."',
    ...more,
  ];
  const answer = ["text_start 1", 'text_delta 1 "Hi"', 'text_end 1 "Hi"', "done stop"];
  const both = (fields: (text: string) => object) => [
    delta(fields("Hm")),
    delta(fields(".")),
    delta({ content: "Hi" }),
    stop(),
  ];
  run([
    { name: "reasoning_content", frames: both((text) => ({ reasoning_content: text })), events: thought(...answer) },
    { name: "reasoning", frames: both((text) => ({ content: "", reasoning: text })), events: thought(...answer) },
    { name: "reasoning_text", frames: both((text) => ({ reasoning_text: text })), events: thought(...answer) },
    {
      name: "two fields at once are read once",
      frames: both((text) => ({ reasoning: text, reasoning_content: text })),
      events: thought(...answer),
    },
    {
      name: "details beside the text are read once",
      frames: both((text) => ({ reasoning: text, reasoning_details: [{ type: "reasoning.text", text, index: 0 }] })),
      events: thought(...answer),
    },
    {
      name: "reasoning parts of structured content",
      frames: both((text) => ({ content: [{ type: "reasoning", summary: [{ type: "summary_text", text }] }] })),
      events: thought(...answer),
    },
    {
      name: "details alone are read, texts and summaries",
      frames: [
        delta({ reasoning_details: [{ type: "reasoning.text", text: "Hm", index: 0 }] }),
        delta({ reasoning_details: [{ type: "reasoning.summary", summary: ".", index: 1 }] }),
        delta({ content: "Hi" }),
        stop(),
      ],
      events: thought(...answer),
    },
    {
      name: "details once more at the end are not shown",
      frames: [
        delta({ reasoning: "Hm" }),
        delta({ reasoning: "." }),
        delta({ content: "Hi", reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }),
        stop(),
      ],
      events: thought(...answer),
    },
    {
      name: "inline tags are text unless the server is known for them",
      frames: [delta({ content: "<think>Hm</think>Hi" }), stop()],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "<think>Hm</think>Hi"',
        'text_end 0 "<think>Hm</think>Hi"',
        "done stop",
      ],
    },
    {
      name: "inline tags are thinking where the server is known for them",
      frames: [delta({ content: "<think>Hm" }), delta({ content: ".</think>\n\n" }), delta({ content: "Hi" }), stop()],
      quirks: { inlineThinkTags: true },
      events: thought(...answer),
    },
  ]);

  test("what looked like the beginning of a tag is text when something else follows", () => {
    const frames = [
      delta({ content: "1 <" }),
      calls(call(0, "c1", "read", A)),
      delta({ content: "<th" }),
      stop("tool_calls"),
    ];
    const { content } = decode(openaiCompletions, frames, { quirks: { inlineThinkTags: true } }).message;
    expect(content).toEqual([
      { type: "text", text: "1 <" },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
      { type: "text", text: "<th" },
    ]);
  });

  const kept = (frames: unknown[]) => decode(openaiCompletions, frames).message.content;

  test("reasoning details are kept whole on the thinking, their pieces joined", () => {
    const detail = (fields: object) => delta({ reasoning_details: [{ format: "f", ...fields }] });
    const content = kept([
      detail({ type: "reasoning.text", text: "Hm", index: 0 }),
      detail({ type: "reasoning.text", text: ".", index: 0 }),
      detail({ type: "reasoning.text", signature: "sig", index: 0 }),
      detail({ type: "reasoning.encrypted", data: "xyz", id: "r1", index: 1 }),
      delta({ content: "Hi" }),
      stop(),
    ]);
    expect(content).toEqual([
      {
        type: "thinking",
        thinking: "Hm.",
        thinkingSignature: JSON.stringify([
          { format: "f", type: "reasoning.text", text: "Hm.", index: 0, signature: "sig" },
          { format: "f", type: "reasoning.encrypted", data: "xyz", id: "r1", index: 1 },
        ]),
      },
      { type: "text", text: "Hi" },
    ]);
  });

  test("encrypted reasoning alone is kept on the call, or on the text, without an empty block", () => {
    const detail = { type: "reasoning.encrypted", data: "xyz", index: 0 };
    const details = delta({ content: "", reasoning: null, reasoning_details: [detail] });
    expect(kept([details, calls(call(0, "c1", "read", A)), stop("tool_calls")])).toEqual([
      {
        type: "toolCall",
        id: "c1",
        name: "read",
        arguments: { path: "a" },
        thoughtSignature: JSON.stringify([detail]),
      },
    ]);
    expect(kept([delta({ content: "Hi" }), details, stop()])).toEqual([
      { type: "text", text: "Hi", textSignature: JSON.stringify([detail]) },
    ]);
  });
});

describe("which call a piece belongs to", () => {
  run([
    {
      name: "pieces by index, interleaved",
      frames: [
        calls(call(0, "c1", "read", ""), call(1, "c2", "read", "")),
        calls(call(1, undefined, undefined, '{"path":')),
        calls(call(0, undefined, undefined, A)),
        calls(call(1, undefined, undefined, '"b"}')),
        stop("tool_calls"),
      ],
      events: [
        "start",
        "toolcall_start 0",
        "toolcall_start 1",
        'toolcall_delta 1 "{\\"path\\":"',
        'toolcall_delta 0 "{\\"path\\":\\"a\\"}"',
        'toolcall_delta 1 "\\"b\\"}"',
        'toolcall_end 0 c1 read {"path":"a"}',
        'toolcall_end 1 c2 read {"path":"b"}',
        "done toolUse",
      ],
    },
    {
      name: "indexes from 1",
      frames: [calls(call(1, "c1", "read", A)), calls(call(2, "c2", "read", B)), stop("tool_calls")],
      events: twoReads("c1", "c2"),
    },
    {
      name: "one index for two calls",
      frames: [calls(call(0, "c1", "read", A)), calls(call(0, "c2", "read", B)), stop("tool_calls")],
      events: twoReads("c1", "c2"),
    },
    {
      name: "one index for two calls, the second in pieces",
      frames: [
        calls(call(0, "c1", "read", A)),
        calls(call(0, "c2", "read", "")),
        calls(call(0, undefined, undefined, B)),
        stop("tool_calls"),
      ],
      events: twoReads("c1", "c2"),
    },
    {
      name: "one index and no ids for two calls",
      frames: [calls(call(0, undefined, "read", A)), calls(call(0, undefined, "read", B)), stop()],
      events: twoReads("made_1", "made_2"),
    },
    {
      name: "one index and one id for two calls",
      frames: [calls(call(0, "c1", "read", A)), calls(call(0, "c1", "read", B)), stop()],
      events: twoReads("c1", "c1_2"),
    },
    {
      name: "no index: an id begins a call, a bare piece goes on with it",
      frames: [
        calls(call(undefined, "c1", "read", A), call(undefined, "c2", "read", "")),
        calls(call(undefined, undefined, undefined, B)),
        stop("tool_calls"),
      ],
      events: twoReads("c1", "c2"),
    },
    {
      name: "neither index nor id",
      frames: [calls(call(undefined, undefined, "read", A), call(undefined, undefined, "read", B)), stop()],
      events: twoReads("made_1", "made_2"),
    },
    {
      name: "neither index nor id, one chunk each",
      frames: [calls(call(undefined, undefined, "read", A)), calls(call(undefined, undefined, "read", B)), stop()],
      events: twoReads("made_1", "made_2"),
    },
    {
      name: "no index, pieces told apart by their ids",
      frames: [
        calls(call(undefined, "c1", "read", '{"path":'), call(undefined, "c2", "read", '{"path":')),
        calls(call(undefined, "c1", "", '"a"}'), call(undefined, "c2", "", '"b"}')),
        stop("tool_calls"),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"path\\":"',
        "toolcall_start 1",
        'toolcall_delta 1 "{\\"path\\":"',
        'toolcall_delta 0 "\\"a\\"}"',
        'toolcall_delta 1 "\\"b\\"}"',
        'toolcall_end 0 c1 read {"path":"a"}',
        'toolcall_end 1 c2 read {"path":"b"}',
        "done toolUse",
      ],
    },
    {
      name: "an id in every chunk",
      frames: [
        calls(call(0, "c1", "read", "")),
        calls(call(0, "c1", "", '{"path":')),
        calls(call(0, "c1", "", '"a"}')),
        stop("tool_calls"),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"path\\":"',
        'toolcall_delta 0 "\\"a\\"}"',
        'toolcall_end 0 c1 read {"path":"a"}',
        "done toolUse",
      ],
    },
    {
      name: "an id that changes on the way: the first is kept",
      frames: [calls(call(0, "c1", "read", '{"path":')), calls(call(0, "c1-x", "read", '"a"}')), stop("tool_calls")],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"path\\":"',
        'toolcall_delta 0 "\\"a\\"}"',
        'toolcall_end 0 c1 read {"path":"a"}',
        "done toolUse",
      ],
    },
    {
      name: "arguments before id and name",
      frames: [
        calls(call(0, undefined, undefined, '{"path":')),
        calls(call(0, "c1", "read", '"a"')),
        calls(call(0, undefined, undefined, "}")),
        stop("tool_calls"),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"path\\":"',
        'toolcall_delta 0 "\\"a\\""',
        'toolcall_delta 0 "}"',
        'toolcall_end 0 c1 read {"path":"a"}',
        "done toolUse",
      ],
    },
    {
      name: "one call at several indexes, whole",
      frames: [
        calls(call(0, "c1", "read", A)),
        calls(call(1, "c1", "read", A)),
        calls(call(2, "c1", "read", A)),
        stop("tool_calls"),
      ],
      events: ["start", ...read(0, "c1", "a"), "done toolUse"],
    },
    {
      name: "one call at several indexes, in pieces",
      frames: [
        calls(call(0, "c1", "read", '{"pa')),
        calls(call(1, "c1", "read", '{"path":')),
        calls(call(1, undefined, undefined, '"a"}')),
        stop("tool_calls"),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"pa"',
        'toolcall_delta 0 "th\\":"',
        'toolcall_delta 0 "\\"a\\"}"',
        'toolcall_end 0 c1 read {"path":"a"}',
        "done toolUse",
      ],
    },
    {
      name: "one id at two indexes with other arguments is two calls",
      frames: [calls(call(0, "c1", "read", A)), calls(call(1, "c1", "read", B)), stop("tool_calls")],
      events: twoReads("c1", "c1_2"),
    },
    {
      name: "arguments as an object",
      frames: [calls(call(0, "c1", "read", { path: "a" })), stop("tool_calls")],
      events: ["start", ...read(0, "c1", "a"), "done toolUse"],
    },
    {
      name: "the whole arguments once more at the end",
      frames: [calls(call(0, "c1", "read", A)), calls(call(0, "c1", "read", A)), stop("tool_calls")],
      events: ["start", ...read(0, "c1", "a"), "done toolUse"],
    },
    {
      name: "no arguments at all",
      frames: [calls(call(0, "c1", "list")), stop("tool_calls")],
      events: ["start", "toolcall_start 0", "toolcall_end 0 c1 list {}", "done toolUse"],
    },
    {
      name: "two calls without arguments under one index",
      frames: [calls(call(0, "c1", "list", "")), calls(call(0, "c2", "status", "")), stop("tool_calls")],
      events: [
        "start",
        "toolcall_start 0",
        "toolcall_start 1",
        "toolcall_end 0 c1 list {}",
        "toolcall_end 1 c2 status {}",
        "done toolUse",
      ],
    },
    {
      name: "the legacy function_call",
      frames: [
        delta({ function_call: { name: "read", arguments: "" } }),
        delta({ function_call: { arguments: A } }),
        stop("function_call"),
      ],
      events: ["start", ...read(0, "made_1", "a"), "done toolUse"],
    },
    {
      name: "text after a call is a block of its own",
      frames: [
        delta({ content: "One" }),
        calls(call(0, "c1", "read", A)),
        delta({ content: "Two" }),
        stop("tool_calls"),
      ],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "One"',
        'text_end 0 "One"',
        "toolcall_start 1",
        'toolcall_delta 1 "{\\"path\\":\\"a\\"}"',
        "text_start 2",
        'text_delta 2 "Two"',
        'text_end 2 "Two"',
        'toolcall_end 1 c1 read {"path":"a"}',
        "done toolUse",
      ],
    },
  ]);
});

test("opaque data on a call is kept to be sent back", () => {
  const extra = { google: { thought_signature: "xyz" } };
  const { content } = decode(openaiCompletions, [
    calls({ ...call(0, "c1", "read", A), extra_content: extra }),
    stop("tool_calls"),
  ]).message;
  expect(content).toEqual([
    {
      type: "toolCall",
      id: "c1",
      name: "read",
      arguments: { path: "a" },
      thoughtSignature: JSON.stringify({ extra_content: extra }),
    },
  ]);
});

describe("how it ends", () => {
  const text = (end: string, content = "Hi"): string[] => [
    "start",
    "text_start 0",
    `text_delta 0 "${content}"`,
    `text_end 0 "${content}"`,
    end,
  ];
  const hi = delta({ content: "Hi" });
  run([
    { name: "length", frames: [hi, stop("length")], events: text("done length") },
    { name: "a repeated finish reason", frames: [hi, stop(), stop(), stop()], events: text("done stop") },
    { name: "an unknown finish reason is a good end", frames: [hi, stop("eos")], events: text("done stop") },
    { name: "tool_calls without a call", frames: [hi, stop("tool_calls")], events: text("done stop") },
    { name: "no finish reason is no end", frames: [hi], events: text("open") },
    {
      name: "no finish reason from a server that has none",
      frames: [hi],
      quirks: { endsWithoutStopReason: true },
      events: text("done stop"),
    },
    {
      name: "nothing at all is no end, even there",
      frames: [],
      quirks: { endsWithoutStopReason: true },
      events: ["open"],
    },
    {
      name: "content_filter",
      frames: [hi, stop("content_filter")],
      events: text("error content_filter Server stopped this answer by its content policy. Rephrase the request."),
    },
    {
      name: "network_error",
      frames: [hi, stop("network_error")],
      events: text("error network Server lost the connection to the model in the middle of the answer. Try again."),
    },
    {
      name: "error",
      frames: [hi, stop("error")],
      events: text("error overloaded Server failed in the middle of the answer. Try again."),
    },
    {
      name: "an error in a chunk",
      frames: [hi, { error: { code: 502, message: "upstream" } }],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "Hi"',
        'error unknown thrown {"error":{"code":502,"message":"upstream"}}',
      ],
    },
    {
      name: "an error beside a last delta: the delta counts",
      frames: [{ ...delta({ content: "Hi" }, "error"), error: { code: 502 } }],
      events: [
        "start",
        "text_start 0",
        'text_delta 0 "Hi"',
        'error unknown thrown {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"error"}],"error":{"code":502}}',
      ],
    },
    {
      name: "arguments that were cut off",
      frames: [calls(call(0, "c1", "read", '{"path":"/et')), stop("tool_calls")],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"path\\":\\"/et"',
        'toolcall_end 0 c1 read malformed "{\\"path\\":\\"/et"',
        "done toolUse",
      ],
    },
    {
      name: "rubbish in the place of fields is passed over",
      frames: [
        null,
        "text",
        [],
        { choices: 3 },
        { choices: [null, 4] },
        delta({ content: 5, refusal: {}, reasoning: [], reasoning_details: [null, 1], tool_calls: "x" }),
        delta({ tool_calls: [null, 7] }),
        delta({ content: [null, "x", { type: "image_url" }] }),
        hi,
        stop(),
      ],
      events: text("done stop"),
    },
  ]);

  test("the raw reason, the response's id and its model are kept", () => {
    const named = { id: "chatcmpl-1", model: "model-1-2026", ...hi };
    const { message } = decode(openaiCompletions, [named, stop("eos_token")]);
    expect(message).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "Hi" }],
      api: "openai-completions",
      provider: "Server",
      model: "model-1",
      responseId: "chatcmpl-1",
      responseModel: "model-1-2026",
      usage: { cost: {} },
      stopReason: "stop",
      rawStopReason: "eos_token",
      timestamp: 0,
    });
  });
});

describe("usage", () => {
  const counts = { prompt_tokens: 1000, completion_tokens: 50 };
  const plain = { input: 1000, output: 50, totalTokens: 1050 };
  const usageOf = (...frames: unknown[]) => {
    const { cost, ...usage } = decode(openaiCompletions, [delta({ content: "Hi" }), ...frames]).message.usage;
    return { ...usage, ...(cost.total !== undefined && { billed: cost.total }) };
  };
  test.each([
    { place: "with the finish reason", frames: [{ ...stop(), usage: counts }], usage: plain },
    { place: "in a last chunk without choices", frames: [stop(), { choices: [], usage: counts }], usage: plain },
    { place: "in x_groq", frames: [{ ...stop(), x_groq: { usage: counts } }], usage: plain },
    {
      place: "in a choice",
      frames: [{ choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: counts }] }],
      usage: plain,
    },
    {
      place: "growing in every chunk",
      frames: [{ usage: { prompt_tokens: 1000, completion_tokens: 1 } }, { ...stop(), usage: counts }],
      usage: plain,
    },
    {
      place: "with details",
      frames: [
        stop(),
        {
          usage: {
            ...counts,
            prompt_tokens_details: { cached_tokens: 800, cache_write_tokens: 100 },
            completion_tokens_details: { reasoning_tokens: 40 },
          },
        },
      ],
      usage: { input: 100, cacheRead: 800, cacheWrite: 100, output: 50, reasoning: 40, totalTokens: 1050 },
    },
    {
      place: "with DeepSeek's cache counts",
      frames: [stop(), { usage: { ...counts, prompt_cache_hit_tokens: 800, prompt_cache_miss_tokens: 200 } }],
      usage: { input: 200, cacheRead: 800, output: 50, totalTokens: 1050 },
    },
    {
      place: "with cached tokens counted apart",
      frames: [stop(), { usage: { ...counts, cached_tokens: 5000 } }],
      usage: { input: 1000, cacheRead: 5000, output: 50, totalTokens: 6050 },
    },
    {
      place: "with a bill",
      frames: [stop(), { usage: { ...counts, cost: 0.25, cost_details: { upstream_inference_cost: 0.2 } } }],
      usage: { ...plain, billed: 0.25 },
    },
    {
      place: "with a fee for a key of one's own",
      frames: [
        stop(),
        { usage: { ...counts, cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } } },
      ],
      usage: { ...plain, billed: 0.75 },
    },
    { place: "nowhere: nothing is known, not zero", frames: [stop()], usage: {} },
    {
      place: "in part",
      frames: [stop(), { usage: { prompt_tokens: null, completion_tokens: 5 } }],
      usage: { output: 5, totalTokens: 5 },
    },
  ])("$place", ({ frames, usage }) => {
    expect(usageOf(...frames)).toEqual(usage);
  });
});

import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import { decode, testDecoding } from "../decoding.ts";
import { A, call, calls, delta, read, stop } from "./chunks.ts";

describe("text", () => {
  testDecoding(openaiCompletions, [
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

describe("how it ends", () => {
  const text = (end: string, content = "Hi"): string[] => [
    "start",
    "text_start 0",
    `text_delta 0 "${content}"`,
    `text_end 0 "${content}"`,
    end,
  ];
  const hi = delta({ content: "Hi" });
  testDecoding(openaiCompletions, [
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
        delta({ refusal: {}, reasoning: [], reasoning_details: [null, 1], tool_calls: "x" }),
        delta({ tool_calls: [null, 7] }),
        delta({ content: [null, 7, { type: "reference" }] }),
        hi,
        stop(),
      ],
      events: text("done stop"),
    },
    {
      name: "a call without a list around it, and without a function around its fields",
      frames: [
        delta({ tool_calls: { index: 0, id: "call_a", name: "read", arguments: "" } }),
        delta({ tool_calls: { index: 0, arguments: A } }),
        stop("tool_calls"),
      ],
      events: ["start", ...read(0, "call_a", "a"), "done toolUse"],
    },
    {
      name: "arguments that are neither text nor an object are not taken for none",
      frames: [calls(call(0, "call_a", "read", 5)), stop("tool_calls")],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "5"',
        'toolcall_end 0 call_a read malformed "5"',
        "done toolUse",
      ],
    },
    {
      name: "the word null is no reason to stop",
      frames: [delta({ content: "Hi" }, "null"), delta({}, "null")],
      events: ["start", "text_start 0", 'text_delta 0 "Hi"', 'text_end 0 "Hi"', "open"],
    },
    {
      name: "texts in a list are text",
      frames: [delta({ content: ["H", { type: "text", text: "i" }] }), stop()],
      events: ["start", "text_start 0", 'text_delta 0 "H"', 'text_delta 0 "i"', 'text_end 0 "Hi"', "done stop"],
    },
    {
      name: "content of the wrong type is damage, since an answer without it would have a hole",
      frames: [delta({ content: 5 }), hi, stop()],
      events: ["start", "error unknown thrown The content is a number."],
    },
  ]);

  test("the raw reason, the response's id and its model are kept", () => {
    const named = { id: "chatcmpl-1", model: "model-1-2026", ...hi };
    const { message } = decode(openaiCompletions, [named, stop("eos_token")]);
    expect(message).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "Hi" }],
      api: "openai-completions",
      provider: "server",
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

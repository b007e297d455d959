import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import { decode, testDecoding } from "../decoding.ts";
import { A, B, call, calls, delta, read, stop, twoReads } from "./chunks.ts";

describe("which call a piece belongs to", () => {
  testDecoding(openaiCompletions, [
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

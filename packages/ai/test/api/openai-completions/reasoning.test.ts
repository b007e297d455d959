import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import { decode, testDecoding } from "../decoding.ts";
import { A, call, calls, delta, stop } from "./chunks.ts";

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
  testDecoding(openaiCompletions, [
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

import { describe, expect, test } from "vitest";
import { openaiResponses } from "../../../src/api/openai-responses/index.ts";
import { decode, testDecoding } from "../decoding.ts";
import { added, completed, done, emptyMessage, event, hello, messageItem, text } from "./events.ts";

describe("messages", () => {
  testDecoding(openaiResponses, [
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
      name: "an item goes on where deltas that mix up its parts left off",
      frames: [
        added(0, emptyMessage),
        text(0, "H", 0),
        text(0, "e", 1),
        text(0, "l", 0),
        done(0, messageItem("Hello")),
        completed(),
      ],
      events: hello("H", "e", "l", "lo"),
    },
    {
      name: "a server that fills every field of every event",
      frames: [added(0, emptyMessage), text(0, "Hel"), done(0, messageItem("Hello")), completed()].map((frame) => ({
        delta: "",
        text: "",
        item: null,
        response: null,
        ...frame,
      })),
      events: hello("Hel", "lo"),
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

describe("how it ends", () => {
  const before = [added(0, emptyMessage), text(0, "Hello")];
  const after = (end: string): string[] => ["start", "text_start 0", 'text_delta 0 "Hello"', end];
  const whole = (end: string): string[] => ["start", "text_start 0", 'text_delta 0 "Hello"', 'text_end 0 "Hello"', end];
  const ended = (status: string, more: object = {}) => event(status, { response: { status, ...more } });
  testDecoding(openaiResponses, [
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
    {
      name: "an error event that has every field of a delta",
      frames: [...before, { type: "error", message: "Slow down", delta: "" }],
      events: after('error unknown thrown {"type":"error","message":"Slow down","delta":""}'),
    },
    {
      name: "an error beside a delta",
      frames: [...before, { ...text(0, " you"), error: { message: "Oops" } }],
      events: after(`error unknown thrown ${JSON.stringify({ ...text(0, " you"), error: { message: "Oops" } })}`),
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
      provider: "server",
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

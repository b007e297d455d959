import type { AssistantMessage } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { failureMessage, isAssistantMessage, sentenceOf } from "../src/failure.ts";

test.each<[unknown, string]>([
  ["It broke.", "It broke."],
  [" ", "It failed. ( )"],
  [undefined, "It failed."],
  [7, "It failed. (7)"],
  [{ message: "It broke." }, "It broke."],
  [{ message: " ", code: 1 }, 'It failed. {"message":" ","code":1}'],
  [new Error(" "), "It failed."],
])("what is said of %o that was thrown", (thrown, sentence) => {
  expect(sentenceOf(thrown, "It failed.")).toBe(sentence);
});

test("a failed call keeps when its answer began and what that had used, in a form that can be added up", () => {
  const partial = { timestamp: 7, usage: { input: 5 } } as unknown as AssistantMessage;
  const { model } = scriptedModel([]);
  const error = { kind: "unknown", retryable: false } as const;
  expect(failureMessage(model, partial, error, "It failed.", 9)).toMatchObject({
    timestamp: 7,
    usage: { input: 5, cost: {} },
    stopReason: "error",
  });
  expect(failureMessage(model, undefined, error, "It failed.", 9)).toMatchObject({ timestamp: 9, usage: { cost: {} } });
});

test.each<[string, object]>([
  ["a usage that is a list", { usage: [] }],
  ["a content that is a text", { content: "Hi." }],
  ["a stop reason of its own", { stopReason: "tired" }],
  ["the role of somebody else", { role: "user" }],
])("a message with %s is none", (_what, change) => {
  const message = { role: "assistant", content: [{ type: "text", text: "Hi." }], usage: {}, stopReason: "stop" };
  expect(isAssistantMessage(message)).toBe(true);
  expect(isAssistantMessage({ ...message, ...change })).toBe(false);
});

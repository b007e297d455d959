import { expect, test } from "vitest";
import { currentToolLoopHasSignedThinking } from "../../src/transcript/tool-loop.ts";
import type { AssistantMessage, Message, ThinkingContent } from "../../src/types.ts";

const user: Message = { role: "user", content: "hi", timestamp: 1 };
const result: Message = {
  role: "toolResult",
  toolCallId: "a",
  toolName: "read",
  content: [],
  isError: false,
  timestamp: 1,
};
const signed: ThinkingContent = { type: "thinking", thinking: "hm", thinkingSignature: "c2ln" };
const call = { type: "toolCall" as const, id: "a", name: "read", arguments: {} };
const answer = (...content: AssistantMessage["content"]): Message => {
  return {
    role: "assistant",
    content,
    api: "a",
    provider: "p",
    model: "m",
    usage: { cost: {} },
    stopReason: "toolUse",
    timestamp: 1,
  };
};

test.each<[string, Message[], boolean]>([
  ["no answer yet", [user], true],
  ["an answer without calls", [user, answer({ type: "text", text: "ok" }), user], true],
  ["signed thinking before the calls", [user, answer(signed, call), result], true],
  [
    "redacted thinking before the calls",
    [user, answer({ ...signed, thinking: "", redacted: true }, call), result],
    true,
  ],
  ["calls without thinking", [user, answer(call), result], false],
  [
    "calls after thinking without a signature",
    [user, answer({ type: "thinking", thinking: "hm" }, call), result],
    false,
  ],
  ["calls after text and thinking", [user, answer({ type: "text", text: "ok" }, signed, call), result], true],
  ["a loop in which only the first answer thought", [user, answer(signed, call), result, answer(call), result], true],
  ["a loop without thinking after one with it", [user, answer(signed, call), result, user, answer(call), result], true],
  [
    "a loop without thinking after an answer that thought",
    [user, answer(signed, { type: "text", text: "ok" }), user, answer(call), result],
    false,
  ],
  ["a message that steers in the middle of the loop", [user, answer(call), result, user], false],
  [
    "a loop without thinking that has ended",
    [user, answer(call), result, answer({ type: "text", text: "ok" }), user],
    true,
  ],
])("%s", (_name, messages, expected) => {
  expect(currentToolLoopHasSignedThinking(messages)).toBe(expected);
});

// Where conversations are cut, and how their size is estimated.
import {
  type AgentMessage,
  estimateContextTokens,
  estimateMessageTokens,
  estimateTextTokens,
  findCutPoint,
  isCutPoint,
  keepLastTurns,
} from "@rondo/agent";
import type { AssistantMessage, ToolResultMessage, Usage } from "@rondo/ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkHistory } from "./simulation/event-checker.ts";
import { call, say, user } from "./support.ts";

function answer(calls: string[], text = "", usage: Usage = { cost: {} }): AssistantMessage {
  const content = [{ type: "text" as const, text }, ...calls.map((id) => call(id, "look"))];
  return { role: "assistant", content, api: "x", provider: "x", model: "x", usage, stopReason: "stop", timestamp: 0 };
}

function result(toolCallId: string, text = "seen"): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "look",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
  };
}

/** A valid history: turns of a user message and some rounds of calls with their results. */
const HISTORY = fc.array(fc.array(fc.nat(4), { maxLength: 4 }), { maxLength: 8 }).map((turns) =>
  turns.flatMap((rounds, turn): AgentMessage[] => [
    user(`turn ${turn}`),
    ...rounds.flatMap((count, round): AgentMessage[] => {
      const ids = Array.from({ length: count }, (_, index) => `${turn}.${round}.${index}`);
      return [answer(ids, "x".repeat(40 * round)), ...ids.map((id) => result(id, "y".repeat(400)))];
    }),
  ]),
);

test("the last turns are kept whole", () => {
  const messages = [
    user("1"),
    answer([], "one"),
    user("2"),
    answer(["a"]),
    result("a"),
    user("3"),
    user("more"),
    answer([], "three"),
  ];
  expect(keepLastTurns(1)(messages).map(say)).toEqual(["user: 3", "user: more", "assistant: three"]);
  expect(keepLastTurns(2)(messages)).toEqual(messages.slice(2));
  for (const all of [3, 9]) expect(keepLastTurns(all)(messages)).toBe(messages);
  expect(keepLastTurns(0)(messages)).toEqual(keepLastTurns(1)(messages));
});

test("a message that came between a call and its result begins no turn", () => {
  const messages = [user("0"), answer([], "zero"), user("1"), answer(["a"]), user("2"), result("a"), answer([], "one")];
  expect(keepLastTurns(1)(messages)).toEqual(messages.slice(2));
});

test("whatever is kept of a valid history is valid", () => {
  fc.assert(
    fc.property(HISTORY, fc.integer({ min: 1, max: 9 }), fc.nat(2_000), (messages, turns, keepTokens) => {
      checkHistory(keepLastTurns(turns)(messages));
      const cut = findCutPoint(messages, keepTokens);
      if (cut === undefined) return;
      expect(isCutPoint(messages, cut)).toBe(true);
      checkHistory(messages.slice(0, cut));
      checkHistory(messages.slice(cut));
    }),
  );
});

test("at least as much is kept as was asked for, where that leaves anything to cut", () => {
  fc.assert(
    fc.property(HISTORY, fc.nat(1_000), (messages, keepTokens) => {
      const cut = findCutPoint(messages, keepTokens);
      if (cut === undefined) return;
      const kept = messages.slice(cut).reduce((sum, message) => sum + estimateMessageTokens(message), 0);
      const cutsBefore = messages.slice(1, cut).some((_, index) => isCutPoint(messages, index + 1));
      if (cutsBefore) expect(kept).toBeGreaterThanOrEqual(keepTokens);
    }),
  );
});

test("there is no cut between parallel results", () => {
  const messages = [user("1"), answer(["a", "b"]), result("a"), result("b"), answer([], "done")];
  expect(messages.map((_, index) => isCutPoint(messages, index))).toEqual([true, true, false, false, true]);
});

test("there is no cut where a call before it was never answered", () => {
  const messages = [user("1"), answer(["a", "b"]), result("a"), user("2"), answer([], "done")];
  expect(messages.map((_, index) => isCutPoint(messages, index))).toEqual([true, true, false, false, false]);
});

test("a text costs a token for four Latin characters and one for each other", () => {
  expect(estimateTextTokens("")).toBe(0);
  expect(estimateTextTokens("four more")).toBe(3);
  expect(estimateTextTokens("北京和上海")).toBe(5);
  expect(estimateTextTokens("déjà vu!")).toBe(2);
});

test("an answer that was aborted reports nothing that can be relied on, and what JSON cannot hold counts as text", () => {
  const aborted = { ...answer([], "so", { totalTokens: 500, cost: {} }), stopReason: "aborted" as const };
  expect(estimateContextTokens({ messages: [user("1"), aborted] })).toBe(10);
  const odd = { role: "user", content: [{ type: "other", size: 1n }], timestamp: 0 } as unknown as AgentMessage;
  expect(estimateMessageTokens(odd)).toBe(4 + estimateTextTokens('{"type":"other","size":"1"}'));
});

test("images, thinking, calls, arguments, tools and the system prompt all count", () => {
  const image = { type: "image" as const, data: "x".repeat(1_000_000), mimeType: "image/png" };
  const twenty: AgentMessage = { role: "user", content: Array.from({ length: 20 }, () => image), timestamp: 0 };
  expect(estimateMessageTokens(twenty)).toBe(4 + 20 * 1_600);
  expect(estimateMessageTokens({ ...result("a"), content: [image] })).toBe(1_604);
  const thinking: AgentMessage = { ...answer([]), content: [{ type: "thinking", thinking: "x".repeat(400) }] };
  expect(estimateMessageTokens(thinking)).toBe(104);
  const calling: AgentMessage = { ...answer([]), content: [call("a", "write", { text: "x".repeat(4_000) })] };
  expect(estimateMessageTokens(calling)).toBeGreaterThan(1_000);
  const bare = estimateContextTokens({ messages: [] });
  const tools = [{ name: "look", description: "x".repeat(400), parameters: {} as never }];
  expect(bare).toBe(0);
  expect(estimateContextTokens({ messages: [], tools })).toBeGreaterThan(100);
  expect(estimateContextTokens({ messages: [], systemPrompt: "x".repeat(400) })).toBe(100);
});

test("what the provider reported stands for everything up to it, unless the answer failed or it is out of date", () => {
  const reported = answer([], "short", { input: 5_000, output: 100, cost: {} });
  const messages = [user("x".repeat(400)), reported, user("x".repeat(400))];
  expect(estimateContextTokens({ messages })).toBe(5_100 + 104);
  expect(estimateContextTokens({ messages }, 2)).toBe(104 + 6 + 104);
  const failed = { ...reported, stopReason: "error" as const };
  expect(estimateContextTokens({ messages: [user("x".repeat(400)), failed] })).toBe(104 + 6);
});

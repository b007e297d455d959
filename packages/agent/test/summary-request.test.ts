import type { AssistantMessage } from "@rondo/ai";
import { expect, test } from "vitest";
import { summaryRequest } from "../src/summary-request.ts";
import { estimateTextTokens } from "../src/token-estimate.ts";
import type { AgentMessage } from "../src/types.ts";
import { call, user } from "./support.ts";

function asked(messages: AgentMessage[], inputTokensMax = 100_000): { systemPrompt: string; text: string } {
  const rest = { earlierSummary: undefined, instructions: undefined, timestamp: 0 };
  const { systemPrompt = "", messages: given } = summaryRequest({ messages, inputTokensMax, ...rest });
  return { systemPrompt, text: String(given[0]?.content) };
}

const request = (messages: AgentMessage[], inputTokensMax?: number) => asked(messages, inputTokensMax).text;
const conversation = (text: string) => /<conversation>\n(.*)\n<\/conversation>/s.exec(text)?.[1];

test("what was thought is left out, what was called is told, whatever its arguments hold", () => {
  const content = [{ type: "thinking", thinking: "Hm." }, { type: "text", text: "So." }, call("1", "look", { n: 1n })];
  const answer = { role: "assistant", content } as unknown as AssistantMessage;
  expect(conversation(request([user("Go."), answer]))).toBe('[user] Go.\n\n[assistant] So.\ncalled look({"n":"1"})');
});

test("of a long text the beginning and the end are told", () => {
  const told = conversation(request([user(`${"a".repeat(15_000)}${"z".repeat(15_000)}`)]));
  expect(told?.replace(/a{10000}/, "A").replace(/z{10000}/, "Z")).toBe("[user] A\n[… 10000 characters left out …]\nZ");
});

test("the newest messages that fit beside the task are told, to the token", () => {
  const messages = [user("x".repeat(93)), user("y".repeat(93)), user("z".repeat(93))];
  const { systemPrompt, text } = asked([]);
  const task = text.replace("<conversation>\n\n</conversation>\n\n", "");
  const room = estimateTextTokens(systemPrompt + task) + 2 * 26;
  expect(conversation(request(messages, room))).toBe(
    `[1 older messages are left out here]\n\n[user] ${"y".repeat(93)}\n\n[user] ${"z".repeat(93)}`,
  );
  expect(conversation(request(messages, room - 1))).toContain("[2 older messages are left out here]");
});

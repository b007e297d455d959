// Limits whose names have a slip in them, as plain JavaScript lets them pass: refused before anything has happened.
import { Agent, type AgentBudget, type AgentLoopConfig, agentLoop, Compaction, runAgentLoop } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { say, user } from "./support.ts";

const SLIPS: [Pick<AgentLoopConfig, "budget" | "retry">, string][] = [
  [{ budget: { turnMax: 3 } as AgentBudget }, "budget has no option turnMax. Did you mean turnsMax?"],
  [
    { budget: { seconds: 3 } as AgentBudget },
    "budget has no option seconds. There are turnsMax, toolCallsMax, durationMaxMs, tokensMax, costMax, unknownCost, repeatedCallsMax, toolTimeoutMs, concurrentToolsMax.",
  ],
  [{ budget: 20 as AgentBudget }, "budget must be an object, not a number."],
  [{ retry: { attemptMax: 3 } as object }, "retry has no option attemptMax. Did you mean attemptsMax?"],
];

test.each(SLIPS)("%j is refused by the agent and by the loop", async (options, message) => {
  const { streamFn, model } = scriptedModel([]);
  const refusal = expect.objectContaining({ name: "TypeError", message });
  expect(() => new Agent({ streamFn, ...options })).toThrow(refusal);
  const config = { model, convertToLlm: () => [], ...options };
  const context = { systemPrompt: "", messages: [], tools: [] };
  expect(() => agentLoop([user("Hi.")], context, config, undefined, streamFn)).toThrow(refusal);
  const events: unknown[] = [];
  const running = runAgentLoop([user("Hi.")], context, config, (event) => void events.push(event), undefined, streamFn);
  await expect(running).rejects.toThrow(refusal);
  expect(events).toEqual([]);
});

test("a compaction refuses them too", () => {
  const { streamFn, model } = scriptedModel([]);
  const options = { model, streamFn, reservedTokens: 1 };
  expect(() => new Compaction(options)).toThrow(
    new TypeError("Compaction has no option reservedTokens. Did you mean reserveTokens?"),
  );
});

test("an agent that is given one later stays as it was", async () => {
  const script = scriptedModel(["Hello."]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
  agent.budget = { turnMax: 1 } as AgentBudget;
  await expect(agent.prompt("Hi.")).rejects.toThrow("budget has no option turnMax. Did you mean turnsMax?");
  expect([agent.state.messages, agent.state.isStreaming]).toEqual([[], false]);
  agent.budget = { turnsMax: 1, costMax: undefined } as object;
  await agent.prompt("Hi.");
  expect(agent.state.messages.map(say)).toEqual(["user: Hi.", "assistant: Hello."]);
});

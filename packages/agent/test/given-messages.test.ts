// Messages that the application itself says: kept as they are, or refused before anything has happened.
import { Agent, type AgentMessage, agentLoop, runAgentLoop } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { EventChecker } from "./simulation/event-checker.ts";
import { say, user } from "./support.ts";

const cycle: { self?: unknown } = {};
cycle.self = cycle;

const UNFIT: [string, unknown, string][] = [
  ["a bigint", { ...user("Hello."), cost: 1n }, "cost is a bigint"],
  ["a function", { ...user("Hello."), onClick: () => {} }, "onClick is a function"],
  ["a cycle", { ...user("Hello."), more: [cycle] }, "more.0.self is circular"],
  [
    "a symbol in its text",
    { ...user(""), content: [{ type: "text", text: Symbol("no") }] },
    "content.0.text is a symbol",
  ],
  ["what cannot be read", { ...user(""), more: Proxy.revocable({}, {}) }, "more.revoke is a function"],
];

describe.each(UNFIT)("a message with %s is refused", (_what, given, problem) => {
  const message = given as AgentMessage;

  test("by an agent, which stays as it was", async () => {
    const script = scriptedModel(["Hello."]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
    expect(() => agent.steer(message)).toThrow(`steer() was given a message that cannot be kept: ${problem}.`);
    expect(() => agent.followUp(message)).toThrow(TypeError);
    await expect(agent.prompt(message)).rejects.toThrow(
      `prompt() was given a message that cannot be kept: ${problem}.`,
    );
    await expect(agent.prompt([user("Hi."), message])).rejects.toThrow(TypeError);
    expect([agent.hasQueuedMessages(), agent.state.messages, agent.state.isStreaming]).toEqual([false, [], false]);
    await agent.prompt("Hi.");
    expect(agent.state.messages.map(say)).toEqual(["user: Hi.", "assistant: Hello."]);
  });

  test("by the loop, before its first event; from a queue, with the run's end", async () => {
    const script = scriptedModel([]);
    const config = { model: script.model, convertToLlm: () => [] };
    const context = { systemPrompt: "", messages: [] };
    const checker = new EventChecker();
    const emit = checker.check.bind(checker);
    await expect(runAgentLoop([message], context, config, emit, undefined, script.streamFn)).rejects.toThrow(TypeError);
    expect(() => agentLoop([message], context, config, undefined, script.streamFn)).toThrow(TypeError);
    expect(checker.log).toEqual([]);
    const queued = { ...config, getSteeringMessages: () => [message] };
    const added = await runAgentLoop([user("Hi.")], context, queued, emit, undefined, script.streamFn);
    expect(added.at(-1)).toMatchObject({ role: "assistant", stopReason: "error" });
    expect(added.at(-1)).toHaveProperty("errorMessage", expect.stringContaining(problem));
    expect([checker.idle, added.length]).toEqual([true, 2]);
  });
});

test("what is not refused is the very object in events, queue and history", async () => {
  const script = scriptedModel(["One.", "Two.", "Three."]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
  const [prompt, steering, followUp] = [user("a"), user("b"), user("c")];
  agent.steer(steering);
  agent.followUp(followUp);
  expect(agent.queuedMessages.steering[0]).toBe(steering);
  await agent.prompt(prompt);
  for (const message of [prompt, steering, followUp])
    expect(agent.state.messages.filter((said) => said === message)).toHaveLength(1);
});

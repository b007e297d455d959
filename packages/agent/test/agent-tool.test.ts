// Agents as tools: own conversation, the caller's budget, aborts passed down, events passed up.
import { getEventListeners } from "node:events";
import { Agent, type AgentEvent, type AgentToolDetails, type AgentToolResult, agentTool } from "@rondo/agent";
import { Type, type Usage } from "@rondo/ai";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { brief, call, endOf, say, tool } from "./support.ts";

const USAGE: Usage = { totalTokens: 100, cost: { total: 1 } };

function setUp(steps: ScriptedStep[], inner: ScriptedStep[], options: ConstructorParameters<typeof Agent>[0] = {}) {
  const outer = scriptedModel(steps, { usage: USAGE });
  const helper = scriptedModel(inner, { usage: USAGE });
  const research = agentTool({
    name: "research",
    description: "Finds things out",
    agent: { streamFn: helper.streamFn, initialState: { model: helper.model, tools: [tool("look")] } },
  });
  const agent = new Agent({
    streamFn: outer.streamFn,
    ...options,
    initialState: { model: outer.model, tools: [research] },
  });
  return { agent, outer, helper };
}

const ASK = [call("1", "research", { prompt: "Why?" })];

test("the sub-agent's last answer is the result, and its conversation is its own", async () => {
  const { agent, helper } = setUp([ASK, "Done."], [[call("a", "look")], "Because."]);
  const updates: string[] = [];
  agent.subscribe((event) => {
    if (event.type !== "tool_execution_update") return;
    const inner = (event.partialResult.details as AgentToolDetails).event as AgentEvent;
    if (inner.type !== "message_update") updates.push(brief(inner));
  });
  await agent.prompt("hi");
  helper.finish();
  expect(agent.state.messages.map(say)).toEqual([
    "user: hi",
    "assistant: research#1",
    "toolResult: Because.",
    "assistant: Done.",
  ]);
  expect(helper.requests[0]?.context.messages.map(say)).toEqual(["user: Why?"]);
  expect(updates.at(0)).toBe("agent_start");
  expect(updates.filter((event) => event.startsWith("tool_execution"))).toEqual([
    "tool_execution_start a",
    "tool_execution_end a",
  ]);
  expect(updates.at(-1)).toBe("agent_end completed");
});

test("what the sub-agent uses is counted once, in the caller's usage", async () => {
  const { agent } = setUp([ASK, "Done."], ["Because."]);
  const ended = endOf(agent);
  await agent.prompt("hi");
  expect((await ended).usage).toEqual({ totalTokens: 300, cost: { total: 3 } });
});

test("the caller's budget holds inside the sub-agent", async () => {
  const { agent, helper } = setUp([ASK], [[call("a", "look")], [call("b", "look")]], { budget: { tokensMax: 300 } });
  const ended = endOf(agent);
  await agent.prompt("hi");
  helper.finish();
  expect((await ended).reason).toBe("budget");
  expect(say(agent.state.messages[2] as never)).toBe(
    "toolResult error: The run has used its budget of 300 tokens (300 used).",
  );
});

test("an abort reaches the sub-agent", async () => {
  const clock = new VirtualClock();
  const { agent, helper } = setUp([ASK], [{ hang: true }], { clock });
  clock.setTimeout(() => agent.abort(), 100);
  await clock.runUntil(agent.prompt("hi"));
  expect(helper.requests[0]?.options.signal?.aborted).toBe(true);
  expect(agent.state.messages.map(say).at(-1)).toBe("toolResult error: The run was aborted.");
});

test("a sub-agent that fails is a failed result", async () => {
  const { agent } = setUp([ASK, "Done."], [{ error: {}, errorMessage: "No key." }]);
  await agent.prompt("hi");
  expect(agent.state.messages.map(say)[2]).toBe("toolResult error: No key.");
});

test("parameters, prompt and agent may depend on the call", async () => {
  const helper = scriptedModel(["Short."]);
  const parameters = Type.Object({ topic: Type.String() });
  const summarise = agentTool({
    name: "summarise",
    label: "Summarise",
    description: "Summarises",
    parameters,
    prompt: ({ topic }) => `Summarise ${topic}.`,
    agent: ({ topic }) => ({ streamFn: helper.streamFn, initialState: { model: helper.model, systemPrompt: topic } }),
  });
  const result = await summarise.execute("1", { topic: "birds" });
  expect(result.content).toEqual([{ type: "text", text: "Short." }]);
  expect(helper.requests[0]?.context.systemPrompt).toBe("birds");
});

test("an abort while the sub-agent is being set up keeps its model from being called", async () => {
  const helper = scriptedModel([]);
  const controller = new AbortController();
  const slow = agentTool({
    name: "slow",
    description: "Takes its time",
    agent: async () => {
      controller.abort();
      return { streamFn: helper.streamFn, initialState: { model: helper.model } };
    },
  });
  const result = await slow.execute("1", { prompt: "Why?" }, controller.signal);
  expect(result).toMatchObject({ isError: true, details: { reason: "aborted" } });
  helper.finish();
});

test.each<[string, ScriptedStep[], string]>([
  [
    "runs out of its budget",
    [[{ type: "text", text: "So far." }, call("a", "look")]],
    "So far.\n\nThe run has used its budget of 1 turn.",
  ],
  ["says nothing", [[{ type: "thinking", thinking: "Hm." }]], "The agent ended without an answer."],
  ["fails", [{ error: { kind: "auth" }, errorMessage: "No key." }], "No key."],
  ["is aborted", [{ hang: true, content: [{ type: "text", text: "Once" }] }], "Once\n\nThe run was aborted: enough"],
])(
  "a sub-agent that %s is a failed call, with what it had said and why, and nothing of it listens on",
  async (_how, steps, text) => {
    const { model, streamFn } = scriptedModel(steps);
    const research = agentTool({
      name: "research",
      description: "Finds things out",
      agent: { streamFn, initialState: { model, tools: [tool("look")] }, budget: { turnsMax: 1 } },
    });
    const caller = new AbortController();
    const onUpdate = ({ details }: AgentToolResult<AgentToolDetails>) => {
      if (details.event?.type === "message_update" && "hang" in (steps[0] as object)) caller.abort("enough");
    };
    const result = await research.execute("1", { prompt: "Why?" }, caller.signal, onUpdate);
    expect([result.isError, result.content]).toEqual([true, [{ type: "text", text }]]);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  },
);

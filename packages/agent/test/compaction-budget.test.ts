// What compaction costs counts in the run that it happens in: in its usage, its budget, and those of the runs above it.
import { Agent, agentTool, Compaction, type CompactionOptions } from "@rondo/agent";
import type { Usage } from "@rondo/ai";
import { type ScriptedModel, type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { call, endOf, say, textResult, tool, user } from "./support.ts";

const USAGE: Usage = { input: 80, output: 20, totalTokens: 100, cost: { total: 1 } };
const PRICED = { model: { cost: { input: 1, output: 1 } } };
const LONG = user("x".repeat(4_000));
const OVERFLOW: ScriptedStep = { error: { kind: "context_overflow" }, errorMessage: "Too long.", usage: USAGE };

/** Hooks of a compaction that is due at once. */
function compactionOf(summaries: ScriptedModel, options: Partial<CompactionOptions> = {}) {
  const compaction = new Compaction({
    model: { ...summaries.model, contextWindow: 100_000 },
    streamFn: summaries.streamFn,
    contextWindow: 800,
    reserveTokens: 200,
    keepRecentTokens: 10,
    ...options,
  });
  const { transformContext, onContextOverflow } = compaction;
  return { transformContext, onContextOverflow };
}

function priced(steps: ScriptedStep[], usage: Usage = USAGE): ScriptedModel {
  return scriptedModel(steps, { ...PRICED, usage });
}

test("the usage of a run includes its compaction's", async () => {
  const script = priced(["Hello."]);
  const summaries = priced(["Notes."]);
  const initialState = { model: script.model, messages: [LONG] };
  const agent = new Agent({ streamFn: script.streamFn, ...compactionOf(summaries), initialState });
  const ended = endOf(agent);
  await agent.prompt("hi");
  script.finish();
  summaries.finish();
  expect((await ended).usage).toEqual({ input: 160, output: 40, totalTokens: 200, cost: { total: 2 } });
});

test("so it does after an overflow, with the call that overflowed, and where the notes were of no use", async () => {
  const script = priced([OVERFLOW, "Hello."]);
  const summaries = priced(["  ", "Notes."]);
  const initialState = { model: script.model, messages: [LONG] };
  const agent = new Agent({ streamFn: script.streamFn, ...compactionOf(summaries), initialState });
  const ended = endOf(agent);
  await agent.prompt("hi");
  script.finish();
  summaries.finish();
  expect((await ended).usage).toMatchObject({ totalTokens: 400, cost: { total: 4 } });
});

test("a budget that a compaction uses up ends the run before the model is asked", async () => {
  const script = priced([]);
  const summaries = priced(["Notes."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    ...compactionOf(summaries),
    budget: { costMax: 1 },
    initialState: { model: script.model, messages: [LONG] },
  });
  const ended = endOf(agent);
  await agent.prompt("hi");
  script.finish();
  const { reason, errorMessage, usage } = await ended;
  expect([reason, errorMessage]).toEqual(["budget", "The run has used its budget of $1 ($1 spent)."]);
  expect(usage).toEqual(USAGE);
});

test("a budget that is used up, or that cannot be kept, lets no compaction begin", async () => {
  const script = priced([OVERFLOW]);
  const summaries = scriptedModel([]);
  const failures: string[] = [];
  const agent = new Agent({
    streamFn: script.streamFn,
    ...compactionOf(summaries, { contextWindow: 1_000_000, onFailure: (message) => failures.push(message) }),
    budget: { costMax: 5 },
    initialState: { model: script.model, messages: [LONG] },
  });
  await agent.prompt("hi");
  script.finish();
  summaries.finish();
  expect(failures).toEqual([expect.stringContaining("The price of scripted/scripted is unknown")]);
  expect(agent.state.errorMessage).toBe("Too long.");
});

test("what a sub-agent's compaction costs counts in the run above, once", async () => {
  const outer = priced([[call("1", "research", { prompt: "Why?" })], "Done."]);
  const inner = priced([[call("a", "look")], "Because."]);
  const summaries = priced(["Notes."]);
  const look = tool("look", { execute: async () => textResult("y".repeat(4_000)) });
  const research = agentTool({
    name: "research",
    description: "Finds things out",
    agent: {
      streamFn: inner.streamFn,
      ...compactionOf(summaries, { contextWindow: 900 }),
      initialState: { model: inner.model, tools: [look], messages: [user("before"), user("z".repeat(400))] },
    },
  });
  const agent = new Agent({ streamFn: outer.streamFn, initialState: { model: outer.model, tools: [research] } });
  const ended = endOf(agent);
  await agent.prompt("hi");
  for (const script of [outer, inner, summaries]) script.finish();
  expect(agent.state.messages.map(say)[2]).toBe("toolResult: Because.");
  expect((await ended).usage).toMatchObject({ totalTokens: 500, cost: { total: 5 } });
});

test("a turn that was aborted counts with what its provider reported", async () => {
  const script = scriptedModel([
    {
      error: { kind: "aborted" },
      content: [{ type: "text", text: "So far" }],
      usage: { output: 500, cost: { total: 2 } },
    },
  ]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
  const ended = endOf(agent);
  await agent.prompt("hi");
  expect((await ended).usage).toEqual({ output: 500, cost: { total: 2 } });
});

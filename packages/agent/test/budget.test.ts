// Limits of a run: each ends it with its own sentence, before the request that would exceed it.
import { Agent, type AgentBudget, type AgentOptions, BudgetLedger } from "@rondo/agent";
import type { Model, Usage } from "@rondo/ai";
import { type ScriptedModelOptions, type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { call, endOf, record, say, textResult, tool, user } from "./support.ts";

const PRICED = { model: { cost: { input: 1, output: 1 } } };
const LOOK = [call("1", "look")];

async function run(
  steps: ScriptedStep[],
  budget: AgentBudget,
  model: ScriptedModelOptions = PRICED,
  options: AgentOptions = {},
) {
  const script = scriptedModel(steps, model);
  const agent = new Agent({
    streamFn: script.streamFn,
    budget,
    ...options,
    initialState: { model: script.model, tools: [tool("look")] },
  });
  const events = record(agent);
  const ended = endOf(agent);
  await agent.prompt("hi");
  script.finish();
  return { agent, end: await ended, events, texts: agent.state.messages.map(say) };
}

test("turns", async () => {
  const { end, texts } = await run([LOOK, LOOK], { turnsMax: 2 });
  expect([end.reason, end.errorMessage]).toEqual(["budget", "The run has used its budget of 2 turns."]);
  expect(texts.at(-1)).toBe("toolResult: look done");
});

test.each<[number, AgentBudget, string]>([
  [1, { turnsMax: 1 }, "The run has used its budget of 1 turn."],
  [1, { tokensMax: 1 }, "The run has used its budget of 1 token (2 used)."],
  [2, { toolCallsMax: 1 }, "The run has used its budget of 1 tool call."],
  [2, { repeatedCallsMax: 1 }, 'The model called "look" with the same arguments more than 1 time in a row.'],
])("one is not many (%d answers, %o)", async (answers, budget, sentence) => {
  const answer = { content: LOOK, usage: { totalTokens: 2, cost: {} } };
  const { end } = await run(Array(answers).fill(answer), budget);
  expect([end.reason, end.errorMessage]).toEqual(["budget", sentence]);
});

test("a run that needs no more than its budget completes", async () => {
  const { end } = await run([LOOK, "Done."], { turnsMax: 2, toolCallsMax: 1, tokensMax: 1, repeatedCallsMax: 1 });
  expect(end.reason).toBe("completed");
});

test("tool calls: those beyond the limit are answered and not run, and then the run ends", async () => {
  const { end, texts } = await run([[call("1", "look"), call("2", "look"), call("3", "look")]], { toolCallsMax: 2 });
  expect(end.reason).toBe("budget");
  expect(texts.slice(2)).toEqual([
    "toolResult: look done",
    "toolResult: look done",
    "toolResult error: The run has used its budget of 2 tool calls.",
  ]);
});

test("tokens, as reported", async () => {
  const usage: Usage = { input: 90, output: 10, cost: {} };
  const { end } = await run([LOOK, LOOK], { tokensMax: 150 }, { ...PRICED, usage });
  expect([end.reason, end.errorMessage]).toEqual(["budget", "The run has used its budget of 150 tokens (200 used)."]);
});

test("cost", async () => {
  const usage: Usage = { cost: { total: 0.6 } };
  const { end } = await run([LOOK, LOOK], { costMax: 1 }, { ...PRICED, usage });
  expect([end.reason, end.errorMessage]).toEqual(["budget", "The run has used its budget of $1 ($1.2 spent)."]);
  expect(end.usage.cost.total).toBe(1.2);
});

test("with a budget of money, a model without a price is not called", async () => {
  const { end, texts } = await run([], { costMax: 1 }, {});
  const sentence =
    "The price of scripted/scripted is unknown, so a budget of $1 cannot be kept. Give the model its prices, or let calls of unknown cost pass with a warning.";
  expect([end.reason, end.errorMessage]).toEqual(["budget", sentence]);
  expect(texts).toEqual(["user: hi", "assistant: "]);
});

test("an answer whose cost nobody reported ends the run as well", async () => {
  const { end } = await run([LOOK], { costMax: 1 });
  expect(end.errorMessage).toContain("is unknown");
});

test("unknown prices can be let pass, with a note at the end", async () => {
  const { end } = await run([LOOK, "Done."], { costMax: 1, unknownCost: "warn" }, {});
  expect(end.reason).toBe("completed");
  expect(end.diagnostics).toEqual([
    { code: "cost_unknown", message: "The price of scripted/scripted is unknown, so a budget of $1 cannot be kept." },
  ]);
});

test("the same call too often in a row", async () => {
  const { end, texts } = await run([LOOK, LOOK, LOOK], { repeatedCallsMax: 2 });
  expect(end.reason).toBe("budget");
  expect(texts.at(-1)).toBe(
    'toolResult error: The model called "look" with the same arguments more than 2 times in a row.',
  );
});

test("another call in between makes it a new row", async () => {
  const other = [call("2", "look", { path: "b" })];
  const { end } = await run([LOOK, other, LOOK, "Done."], { repeatedCallsMax: 1 });
  expect(end.reason).toBe("completed");
});

test("wall clock: what is under way is aborted", async () => {
  const clock = new VirtualClock();
  const script = scriptedModel([{ hang: true, content: [{ type: "text", text: "Once" }] }]);
  const agent = new Agent({
    streamFn: script.streamFn,
    clock,
    budget: { durationMaxMs: 3_000 },
    initialState: { model: script.model },
  });
  const ended = endOf(agent);
  await clock.runUntil(agent.prompt("hi"));
  expect(clock.now()).toBe(3_000);
  const { reason, errorMessage } = await ended;
  expect([reason, errorMessage]).toEqual(["budget", "The run has used its budget of 3 seconds."]);
  expect(agent.state.messages.map(say)).toEqual(["user: hi", "assistant: Once"]);
  expect(clock.pending).toBe(0);
});

test.each([
  ["steer", "steering"],
  ["followUp", "followUps"],
] as const)("a message that came during the last turn (%s) stays queued", async (send, queue) => {
  const script = scriptedModel(["One."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    budget: { turnsMax: 1 },
    initialState: { model: script.model },
  });
  agent.subscribe((event) => {
    if (event.type === "turn_end") agent[send](user("more"));
  });
  const events = record(agent);
  await agent.prompt("hi");
  expect(events.slice(5)).toEqual(["message_end assistant", "turn_end", "agent_end budget"]);
  const waiting = agent.queuedMessages[queue];
  expect(waiting).toEqual([user("more")]);
  expect(waiting.map((message) => agent.takeBack(message))).toEqual([true]);
});

test("each run has the whole budget again", async () => {
  const script = scriptedModel(["One.", "Two."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    budget: { turnsMax: 1 },
    initialState: { model: script.model },
  });
  await agent.prompt("hi");
  await agent.prompt("hi");
  expect(agent.state.messages).toHaveLength(4);
});

test("what a tool's own model calls used counts", async () => {
  const usage: Usage = { totalTokens: 1_000, cost: {} };
  const asking = tool("look", { execute: async () => ({ content: [], details: {}, usage }) });
  const script = scriptedModel([LOOK]);
  const agent = new Agent({
    streamFn: script.streamFn,
    budget: { tokensMax: 500 },
    initialState: { model: script.model, tools: [asking] },
  });
  const ended = endOf(agent);
  await agent.prompt("hi");
  expect(await ended).toMatchObject({ reason: "budget", usage: { totalTokens: 1_000 } });
});

test("a ledger within a ledger is held to both, and books in both", () => {
  const { model } = scriptedModel([]);
  const outer = new BudgetLedger({ tokensMax: 100 });
  const inner = new BudgetLedger({ turnsMax: 5 }, outer.branch());
  inner.bookUsage({ totalTokens: 100, cost: { total: 1 } });
  expect(inner.refuseRequest(model)).toBe("The run has used its budget of 100 tokens (100 used).");
  expect(outer.usage).toEqual({ totalTokens: 100, cost: { total: 1 } });
});

const never = () => new Promise<never>(() => {});
const done = async () => textResult("seen");

test.each(["turnsMax", "toolCallsMax", "tokensMax", "costMax", "repeatedCallsMax", "durationMaxMs"] as const)(
  "a limit %s that is no number is reached at once, and not none",
  async (limit) => {
    const script = scriptedModel(
      [{ content: LOOK, usage: { input: 1, output: 1, cost: { total: 1 } } }, LOOK, LOOK],
      PRICED,
    );
    const agent = new Agent({
      streamFn: script.streamFn,
      budget: { [limit]: Number.NaN },
      initialState: {
        model: script.model,
        tools: [tool("look", { execute: limit === "durationMaxMs" ? never : done })],
      },
      abortGraceMs: 10,
    });
    const ended = endOf(agent);
    await agent.prompt("hi");
    expect((await ended).reason).toBe("budget");
    expect(script.requests.length).toBeLessThanOrEqual(1);
  },
);

test("the timers of a run's time and of a tool's go with them", async () => {
  const clock = new VirtualClock();
  await run([LOOK, "Done."], { durationMaxMs: 60_000, toolTimeoutMs: 30_000 }, PRICED, { clock });
  expect(clock.pending).toBe(0);
});

test("tools that run at the same time", async () => {
  let running = 0;
  let most = 0;
  const execute = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return textResult("seen");
  };
  const script = scriptedModel([Array.from({ length: 5 }, (_, index) => call(`${index}`, "look")), "Done."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    budget: { concurrentToolsMax: 2 },
    initialState: { model: script.model, tools: [tool("look", { execute })] },
  });
  await agent.prompt("hi");
  expect(most).toBe(2);
});

test("tool calls within a ledger count in the one above, and its limit holds", () => {
  const above = new BudgetLedger({ toolCallsMax: 1 });
  const within = new BudgetLedger({}, above);
  expect(within.admitCall(call("1", "look"))).toBeUndefined();
  expect(above.books.toolCalls).toBe(1);
  expect(within.admitCall(call("2", "look"))).toBe("The run has used its budget of 1 tool call.");
});

test("what is booked below is booked above, and the books that are handed out are a copy", () => {
  const above = new BudgetLedger();
  const below = above.branch();
  const empty = above.books;
  below.bookTurn();
  below.bookUsage({ totalTokens: 5, cost: { total: 1 } });
  expect(above.books).toEqual({ ...empty, turns: 1, tokens: 5, usage: { totalTokens: 5, cost: { total: 1 } } });
  expect(empty).toEqual({ turns: 0, toolCalls: 0, tokens: 0, usage: { cost: {} }, unpriced: false });
});

test.each<[string, (ledger: BudgetLedger) => void, boolean]>([
  ["nothing", () => {}, false],
  ["a turn", (ledger) => ledger.bookTurn(), true],
  ["tokens", (ledger) => ledger.bookUsage({ totalTokens: 1, cost: {} }), true],
  ["a cost", (ledger) => ledger.bookUsage({ cost: { total: 0 } }), true],
])("a ledger with %s booked: touched is right", (_what, book, touched) => {
  const ledger = new BudgetLedger();
  book(ledger);
  expect(ledger.touched).toBe(touched);
});

test.each([
  ["stop", false],
  ["error", true],
  ["aborted", true],
] as const)("after an answer without a cost that ended as %s, the sum of money is known: %s", (stopReason, known) => {
  const ledger = new BudgetLedger({ costMax: 1 });
  const { model } = scriptedModel([], PRICED);
  const { api, provider, id } = model;
  const content: [] = [];
  const usage = { cost: {} };
  ledger.bookAnswer({ role: "assistant", api, provider, model: id, content, usage, stopReason, timestamp: 0 });
  expect(ledger.refuseRequest(model) === undefined).toBe(known);
});

test("a model that has half of its prices has none", () => {
  const refuse = (cost: Model["cost"]) =>
    new BudgetLedger({ costMax: 1 }).refuseRequest({ ...scriptedModel([]).model, cost });
  expect(refuse({ input: 1, output: 1 })).toBeUndefined();
  expect(refuse({ input: 1 })).toContain("is unknown");
  expect(refuse({ output: 1 })).toContain("is unknown");
});

test("a call is refused for its repetition first, other tools with the same arguments are other calls, and a run ends for its first refusal", () => {
  const ledger = new BudgetLedger({ toolCallsMax: 2, repeatedCallsMax: 1 });
  const calls = ["look", "read", "look", "look"].map((name, index) => ledger.admitCall(call(`${index}`, name)));
  const count = "The run has used its budget of 2 tool calls.";
  expect(calls).toEqual([
    undefined,
    undefined,
    count,
    'The model called "look" with the same arguments more than 1 time in a row.',
  ]);
  expect(ledger.refuseRequest(scriptedModel([]).model)).toBe(count);
});

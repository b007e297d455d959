// What each request to the model is made of: the transformed and converted conversation, its key, and the model layer's options.
import { Agent, type AgentMessage, BudgetLedger, systemClock } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { call, say, setUp, user } from "./support.ts";

test("messages are transformed, then converted, and the history stays as it is", async () => {
  const seen: string[] = [];
  const { run, script, context } = setUp(["Done."], {
    transformContext: (messages) => {
      seen.push(messages.map((message) => message.role).join());
      return messages.slice(1);
    },
    convertToLlm: (messages) => {
      seen.push(messages.map((message) => message.role).join());
      return messages.flatMap((message) => (message.role === "note" ? [user(`note: ${message.content}`)] : [message]));
    },
  });
  const messages = await run([user("hi"), { role: "note", content: "late", timestamp: 0 }]);
  expect(seen).toEqual(["user,note", "note"]);
  expect(script.requests[0]?.context.messages.map(say)).toEqual(["user: note: late"]);
  expect(messages.map((message) => message.role)).toEqual(["user", "note", "assistant"]);
  expect(context.messages).toEqual([]);
});

test("each request asks for its key, and has the configuration's where there is none", async () => {
  const keys = ["first", undefined];
  const { run, script } = setUp([[call("1", "look")], "Done."], { apiKey: "own", getApiKey: () => keys.shift() });
  await run([user("hi")]);
  expect(script.requests.map(({ options }) => options.apiKey)).toEqual(["first", "own"]);
});

test("the stream function gets the model layer's options and none of the loop's own", async () => {
  const { run, script } = setUp(["Done."], {
    temperature: 0.5,
    sessionId: "s",
    reasoning: "high",
    transformContext: (messages) => messages,
    getApiKey: () => undefined,
    shouldStopAfterTurn: () => false,
    prepareNextTurn: () => undefined,
    getSteeringMessages: () => [],
    getFollowUpMessages: () => [],
    watchSteering: () => () => {},
    toolExecution: "parallel",
    beforeToolCall: () => undefined,
    afterToolCall: () => undefined,
    onContextOverflow: () => false,
    budget: { turnsMax: 3 },
    parentLedger: new BudgetLedger(),
    retry: {},
    maxRetryDelayMs: 1,
    abortGraceMs: 1,
    isFatal: () => false,
    clock: systemClock,
    random: () => 0,
  });
  await run([user("hi")]);
  const { signal, ...options } = script.requests[0]?.options ?? {};
  expect(options).toEqual({ temperature: 0.5, sessionId: "s", reasoning: "high" });
  expect(signal).toBeInstanceOf(AbortSignal);
});

test.each([
  ["a model that thinks and can leave it is told to", { reasoning: true }, { reasoning: "off" }],
  ["one that cannot leave it is told nothing", { reasoning: true, thinkingLevelMap: { off: null } }, {}],
  ["nor is one that does not think", { reasoning: false }, {}],
])("thinking level off: %s", async (_title, traits, told) => {
  const { run, script, config } = setUp(["Done."], { reasoning: "off" });
  config.model = { ...config.model, ...traits };
  await run([user("hi")]);
  const { signal: _signal, ...options } = script.requests[0]?.options ?? {};
  expect(options).toEqual(told);
});

test.each(["transformContext", "convertToLlm"] as const)("%s may do to its list what it likes", async (hook) => {
  const { run, script } = setUp([[call("1", "look")], "Done."], {
    [hook]: (messages: AgentMessage[]) => messages.splice(0),
  });
  await run([user("hi")]);
  expect(script.requests.map(({ context }) => context.messages.length)).toEqual([1, 3]);
});

test("an agent's own options go before those that it hands on to the model layer", async () => {
  const { model, streamFn, requests } = scriptedModel(["Done."]);
  const streamOptions = { sessionId: "handed on", temperature: 0.5 };
  const agent = new Agent({ streamFn, initialState: { model }, streamOptions, sessionId: "own" });
  await agent.prompt("hi");
  expect(requests[0]?.options).toMatchObject({ sessionId: "own", temperature: 0.5 });
});

// The loop as its callers see it: which events come in which order, what each hook gets, when it goes on and when it stops.
import {
  Agent,
  type AgentContext,
  type AgentMessage,
  agentLoop,
  agentLoopContinue,
  runAgentLoop,
  runAgentLoopContinue,
  setDefaultStreamFn,
} from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { call, record, say, setUp, textResult, tool, user } from "./support.ts";

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("a prompt and its answer are one turn", async () => {
  const { run, order, script } = setUp(["Hello."]);
  const messages = await run([user("hi")]);
  expect(order()).toEqual([
    "agent_start",
    "turn_start",
    "message_start user",
    "message_end user",
    "message_start assistant",
    "message_end assistant",
    "turn_end",
    "agent_end completed",
  ]);
  expect(messages.map(say)).toEqual(["user: hi", "assistant: Hello."]);
  script.finish();
});

test("every delta of the model is told with the message so far", async () => {
  const { run, events } = setUp([[{ type: "text", text: "Good morning to you" }]]);
  await run([user("hi")]);
  const updates = events.flatMap((event) =>
    event.type === "message_update" ? [event.assistantMessageEvent.type] : [],
  );
  expect(updates).toEqual(["text_start", "text_delta", "text_delta", "text_delta", "text_end"]);
});

test("what a listener is shown of a message under way is a copy of its own", async () => {
  const { run, events } = setUp(["Good morning."]);
  await run([user("hi")]);
  const shown = events.flatMap((event) =>
    "message" in event && event.message.role === "assistant" ? [event.message] : [],
  );
  const partials = events.flatMap((event) =>
    event.type === "message_update" && "partial" in event.assistantMessageEvent
      ? [event.assistantMessageEvent.partial]
      : [],
  );
  expect(partials.length).toBeGreaterThan(1);
  const underWay = shown.slice(0, partials.length + 1);
  expect(underWay.filter((message) => partials.some((partial) => partial === message))).toEqual([]);
});

test("while it streams, the message is the last one of the context", async () => {
  let inContext: AgentMessage | undefined;
  let context: AgentContext | undefined;
  const { run, events } = setUp([[call("1", "look")], "Done."], {
    beforeToolCall: (hook) => {
      context = hook.context;
      return undefined;
    },
  });
  const watching = events.push.bind(events);
  events.push = (event) => {
    if (event.type === "message_update" && context) inContext ??= context.messages.at(-1);
    return watching(event);
  };
  await run([user("hi")]);
  expect(inContext && say(inContext)).toBe("assistant: Done.");
});

test("calls, results and the next answer are two turns, results in the order of the calls", async () => {
  const slow = tool("slow", {
    execute: () => new Promise((resolve) => setImmediate(() => resolve(textResult("slow")))),
  });
  const { run, order, script } = setUp([[call("1", "slow"), call("2", "look")], "Done."], {}, [slow, tool("look")]);
  const messages = await run([user("hi")]);
  expect(order()).toEqual([
    "agent_start",
    "turn_start",
    "message_start user",
    "message_end user",
    "message_start assistant",
    "message_end assistant",
    "tool_execution_start 1",
    "tool_execution_start 2",
    "tool_execution_end 2",
    "tool_execution_end 1",
    "message_start toolResult",
    "message_end toolResult",
    "message_start toolResult",
    "message_end toolResult",
    "turn_end",
    "turn_start",
    "message_start assistant",
    "message_end assistant",
    "turn_end",
    "agent_end completed",
  ]);
  expect(messages.map(say)).toEqual([
    "user: hi",
    "assistant: slow#1 | look#2",
    "toolResult: slow",
    "toolResult: look done",
    "assistant: Done.",
  ]);
  expect(script.requests[1]?.context.messages.map(say)).toEqual(messages.slice(0, 4).map(say));
});

for (const [how, config, mode] of [
  ["the configuration", { toolExecution: "sequential" as const }, {}],
  ["one of the tools", {}, { value: "sequential" }],
  ["one that cannot be asked", {}, { get: () => Reflect.get(revoked(), "executionMode") }],
] as const) {
  test(`calls run one after the other if ${how} says so`, async () => {
    const { run, order } = setUp([[call("1", "look"), call("2", "stop")], "Done."], config, [
      tool("look"),
      Object.defineProperty(tool("stop"), "executionMode", mode),
    ]);
    await run([user("hi")]);
    expect(order().slice(6, 14)).toEqual([
      "tool_execution_start 1",
      "tool_execution_end 1",
      "message_start toolResult",
      "message_end toolResult",
      "tool_execution_start 2",
      "tool_execution_end 2",
      "message_start toolResult",
      "message_end toolResult",
    ]);
  });
}

test("steering enters at the start and after each turn, follow-ups when the agent would stop", async () => {
  const steering = [[user("start")], [], [user("turn")], [], []];
  const followUps = [[user("more")], []];
  const { run, script } = setUp([[call("1", "look")], "One.", "Two.", "Three."], {
    getSteeringMessages: () => steering.shift() ?? [],
    getFollowUpMessages: () => followUps.shift() ?? [],
  });
  const messages = await run([user("hi")]);
  expect(messages.map(say)).toEqual([
    "user: hi",
    "user: start",
    "assistant: look#1",
    "toolResult: look done",
    "assistant: One.",
    "user: turn",
    "assistant: Two.",
    "user: more",
    "assistant: Three.",
  ]);
  script.finish();
});

test("after a turn the next one is prepared first, then it may be stopped, then steering is looked at", async () => {
  const asked: string[] = [];
  const { run, script, order } = setUp([[call("1", "look")]], {
    prepareNextTurn: ({ message, toolResults, newMessages }) => {
      asked.push(`prepare ${say(message)} ${toolResults.length} ${newMessages.length}`);
      return undefined;
    },
    shouldStopAfterTurn: () => asked.push("stop?") > 0,
    getSteeringMessages: () => {
      asked.push("steering");
      return [];
    },
  });
  await run([user("hi")]);
  expect(asked).toEqual(["steering", "prepare assistant: look#1 1 3", "stop?"]);
  expect(order().slice(-2)).toEqual(["turn_end", "agent_end stopped"]);
  script.finish();
});

test("what shouldStopAfterTurn gives besides true does not stop the run", async () => {
  const { run, order, script } = setUp([[call("1", "look")], "Done."], {
    shouldStopAfterTurn: () => "no" as unknown as boolean,
  });
  await run([user("hi")]);
  expect(order().at(-1)).toBe("agent_end completed");
  script.finish();
});

test("the next turn can have another context, model and thinking level", async () => {
  const { run, script, config } = setUp([[call("1", "look")], "Done."], {
    prepareNextTurn: () => ({
      context: { systemPrompt: "New.", messages: [user("instead")], tools: [] },
      model: { ...config.model, id: "other" },
      thinkingLevel: "low",
    }),
  });
  const messages = await run([user("hi")]);
  const [, second] = script.requests;
  expect(second?.model.id).toBe("other");
  expect(second?.options.reasoning).toBe("low");
  expect(second?.context).toEqual({ systemPrompt: "New.", messages: [user("instead")], tools: [] });
  expect(messages.map(say)).toEqual(["user: hi", "assistant: look#1", "toolResult: look done", "assistant: Done."]);
});

test("the agent stops without another call if every result of a batch asks for it", async () => {
  const ending = tool("stop", { execute: async () => ({ ...textResult("bye"), terminate: true }) });
  const both = setUp([[call("1", "stop"), call("2", "stop")]], {}, [ending]);
  await both.run([user("hi")]);
  expect(both.order().at(-1)).toBe("agent_end terminated");
  const one = setUp([[call("1", "stop"), call("2", "look")], "Done."], {}, [ending, tool("look")]);
  await one.run([user("hi")]);
  one.script.finish();
});

test("a follow-up is honoured although the tools asked to stop", async () => {
  const ending = tool("stop", { execute: async () => ({ ...textResult("bye"), terminate: true }) });
  const followUps = [[user("one more")]];
  const { run, script, order } = setUp(
    [[call("1", "stop")], "Done."],
    { getFollowUpMessages: () => followUps.shift() ?? [] },
    [ending],
  );
  await run([user("hi")]);
  expect(order().at(-1)).toBe("agent_end completed");
  script.finish();
});

test("an answer that says nothing is reported as such", async () => {
  const { run, order } = setUp([[call("1", "look")], [{ type: "thinking", thinking: "hm" }]]);
  await run([user("hi")]);
  expect(order().at(-1)).toBe("agent_end empty");
});

test("agent_end carries the new messages, the usage and the cost of all calls", async () => {
  const usage = { input: 10, output: 2, totalTokens: 12, cost: { total: 0.5 } };
  const { run, events } = setUp([
    { content: [call("1", "look")], usage },
    { content: [{ type: "text", text: "Done." }], usage },
  ]);
  const messages = await run([user("hi")]);
  expect(events.at(-1)).toEqual({
    type: "agent_end",
    reason: "completed",
    messages,
    usage: { input: 20, output: 4, totalTokens: 24, cost: { total: 1 } },
  });
});

test("agentLoop gives the events as a stream and the new messages as its result", async () => {
  const { config, context, script } = setUp(["Hello."]);
  const stream = agentLoop([user("hi")], context, config, undefined, script.streamFn);
  const types: string[] = [];
  for await (const event of stream) if (event.type !== "message_update") types.push(event.type);
  expect(types.at(0)).toBe("agent_start");
  expect(types.at(-1)).toBe("agent_end");
  expect((await stream.result()).map(say)).toEqual(["user: hi", "assistant: Hello."]);
});

test("the caller's signal aborts the run of agentLoop", async () => {
  const { config, context, script } = setUp([{ hang: true }]);
  const caller = new AbortController();
  const stream = agentLoop([user("hi")], context, config, caller.signal, script.streamFn);
  for await (const event of stream) {
    if (event.type === "message_start" && event.message.role === "assistant") caller.abort("enough");
    if (event.type === "agent_end")
      expect([event.reason, event.errorMessage]).toEqual(["aborted", "The run was aborted: enough"]);
  }
  expect((await stream.result()).length).toBe(2);
});

test("leaving the stream early aborts the run", async () => {
  const { config, context, script } = setUp([{ hang: true }]);
  const stream = agentLoop([user("hi")], context, config, undefined, script.streamFn);
  for await (const event of stream) if (event.type === "message_start" && event.message.role === "assistant") break;
  expect(script.requests[0]?.options.signal?.aborted).toBe(true);
});

test("a conversation goes on without a new prompt", async () => {
  const { config, context, script } = setUp(["Hello.", "Hello again."]);
  context.messages = [user("hi")];
  const messages = await runAgentLoopContinue(context, config, () => {}, undefined, script.streamFn);
  expect(messages.map(say)).toEqual(["assistant: Hello."]);
  const stream = agentLoopContinue(context, config, undefined, script.streamFn);
  expect((await stream.result()).map(say)).toEqual(["assistant: Hello again."]);
});

test("a conversation in which nothing is to be answered cannot go on", async () => {
  const { config, context, script } = setUp([]);
  const goOn = () => runAgentLoopContinue(context, config, () => {}, undefined, script.streamFn);
  await expect(goOn()).rejects.toThrow("Cannot continue: no messages in context");
  const { run } = setUp(["Hello."]);
  context.messages = await run([user("hi")]);
  await expect(goOn()).rejects.toThrow("Cannot continue from message role: assistant");
  expect(() => agentLoopContinue(context, config, undefined, script.streamFn)).toThrow("assistant");
});

test("without any stream function there is a clear error at once", async () => {
  setDefaultStreamFn(undefined);
  const { config, context } = setUp([]);
  expect(() => new Agent()).toThrow("There is no stream function to call a model with.");
  expect(() => agentLoop([user("hi")], context, config)).toThrow("setDefaultStreamFn");
  await expect(runAgentLoop([user("hi")], context, config, () => {})).rejects.toThrow("Pass streamFn");
});

test("a default stream function serves agents and loops that are given none", async () => {
  const script = scriptedModel(["Hello."]);
  setDefaultStreamFn(script.streamFn);
  const agent = new Agent({ initialState: { model: script.model } });
  setDefaultStreamFn(undefined);
  const events = record(agent);
  await agent.prompt("hi");
  expect(events.at(-1)).toBe("agent_end completed");
});

test("the next turn's context is taken as it is and never written to", async () => {
  const next: AgentContext = { systemPrompt: "Be kind.", messages: [user("instead")], tools: [] };
  const { run, script } = setUp([[call("1", "look")], [call("2", "look")], "Done."], {
    prepareNextTurn: ({ newMessages }) => (newMessages.length === 3 ? { context: next } : undefined),
  });
  await run([user("hi")]);
  expect(script.requests.map(({ context }) => context.messages.length)).toEqual([1, 1, 3]);
  expect(next.messages).toEqual([user("instead")]);
});

test("what a queue gives besides messages is passed over", async () => {
  const given = [[null, 5, user("steered")], "nothing", undefined] as unknown as AgentMessage[][];
  const { run } = setUp(["Done."], { getSteeringMessages: () => given.shift() ?? [] });
  expect((await run([user("hi")])).map(say)).toEqual(["user: hi", "user: steered", "assistant: Done."]);
});

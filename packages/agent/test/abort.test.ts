// An abort, at whatever moment, ends the run once: nothing new begins, every call is answered, queued messages stay.
import { Agent, type AgentOptions, runAgentLoop } from "@rondo/agent";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { checkHistory, EventChecker } from "./simulation/event-checker.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { call, endOf, record, say, textResult, tool, user } from "./support.ts";

const STEPS: ScriptedStep[] = [
  [{ type: "text", text: "I look." }, call("1", "look"), call("2", "look"), call("3", "look")],
  [call("4", "look")],
  "Done.",
  "Followed.",
];

async function runWithAbortAt(eventIndex: number, options: AgentOptions = {}) {
  const script = scriptedModel(STEPS);
  const late: string[] = [];
  const agent = new Agent({
    ...options,
    streamFn: (...request) => {
      if (agent.signal?.aborted) late.push("model");
      return script.streamFn(...request);
    },
    beforeToolCall: () => {
      if (agent.signal?.aborted) late.push("preflight");
      return undefined;
    },
    initialState: {
      model: script.model,
      tools: [
        tool("look", {
          execute: async () => {
            if (agent.signal?.aborted) late.push("tool");
            return textResult("seen");
          },
        }),
      ],
    },
  });
  const checker = new EventChecker();
  const ended = endOf(agent);
  let count = 0;
  agent.subscribe((event) => {
    checker.check(event);
    if (count++ === eventIndex) agent.abort();
  });
  agent.steer(user("steer"));
  agent.followUp(user("follow"));
  await agent.prompt("hi");
  return { agent, checker, late, count, end: await ended };
}

for (const toolExecution of ["parallel", "sequential"] as const) {
  test(`an abort at any event ends the run there and leaves a valid history (${toolExecution})`, async () => {
    const { count } = await runWithAbortAt(-1, { toolExecution });
    for (let index = 0; index < count - 1; index++) {
      const { agent, checker, late, end } = await runWithAbortAt(index, { toolExecution });
      const where = `abort at event ${index}, ${checker.log[index]}`;
      expect(late, where).toEqual([]);
      expect(checker.idle, where).toBe(true);
      expect([end.reason, end.errorMessage], where).toEqual(["aborted", "The run was aborted."]);
      expect(agent.state.errorMessage, where).toBe("The run was aborted.");
      checkHistory(agent.state.messages);
      const failed = agent.state.messages.filter((message) => "errorMessage" in message && message.errorMessage);
      expect(failed.length, where).toBeLessThanOrEqual(1);
      const { steering, followUps } = agent.queuedMessages;
      const everywhere = [...agent.state.messages, ...steering, ...followUps].map(say);
      for (const text of ["user: steer", "user: follow"])
        expect(
          everywhere.filter((other) => other === text),
          where,
        ).toHaveLength(1);
    }
  });
}

test("an abort before the model was called ends in an aborted message, and the model is not called", async () => {
  const script = scriptedModel([]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
  const events = record(agent);
  agent.subscribe((event) => {
    if (event.type === "agent_start") agent.abort("changed my mind");
  });
  await agent.prompt("hi");
  expect(events.slice(2)).toEqual([
    "message_start user",
    "message_end user",
    "message_start assistant",
    "message_end assistant",
    "turn_end",
    "agent_end aborted",
  ]);
  expect(agent.state.messages.at(-1)).toMatchObject({
    stopReason: "aborted",
    errorMessage: "The run was aborted: changed my mind",
  });
  script.finish();
});

test("an abort while the model speaks keeps what it said", async () => {
  const script = scriptedModel([{ hang: true, content: [{ type: "text", text: "Once upon" }] }]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
  agent.subscribe((event) => {
    if (event.type === "message_update") agent.abort();
  });
  await agent.prompt("hi");
  expect(agent.state.messages.map(say)).toEqual(["user: hi", "assistant: Once upon"]);
  expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
});

test("calls in an aborted answer are answered without being run", async () => {
  const script = scriptedModel([{ hang: true, content: [call("1", "look")] }]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [tool("look")] } });
  agent.subscribe((event) => {
    if (event.type === "message_update" && event.assistantMessageEvent.type === "toolcall_end") agent.abort();
  });
  await agent.prompt("hi");
  expect(agent.state.messages.map(say)).toEqual([
    "user: hi",
    "assistant: look#1",
    'toolResult error: "look" was not run. The run was aborted.',
  ]);
});

test("a tool that ignores its signal is left alone after the grace period, and the model is told so", async () => {
  const clock = new VirtualClock();
  const script = scriptedModel([[call("1", "deaf"), call("2", "look")]]);
  const deaf = tool("deaf", { execute: () => new Promise(() => {}) });
  const agent = new Agent({
    streamFn: script.streamFn,
    initialState: { model: script.model, tools: [deaf, tool("look")] },
    clock,
    abortGraceMs: 2_000,
  });
  clock.setTimeout(() => agent.abort(), 1_000);
  await clock.runUntil(agent.prompt("hi"));
  expect(clock.now()).toBe(3_000);
  expect(agent.state.messages.map(say).slice(2)).toEqual([
    'toolResult error: "deaf" did not stop when it was told to and may still be running. The run was aborted.',
    "toolResult: look done",
  ]);
});

test("the grace period is one for all: a hook after a slow tool gets what is left, and the tool's result stands", async () => {
  const clock = new VirtualClock();
  const script = scriptedModel([[call("1", "slow")]]);
  const slow = tool("slow", { execute: () => clock.sleep(2_500).then(() => textResult("done at last")) });
  const agent = new Agent({
    streamFn: script.streamFn,
    initialState: { model: script.model, tools: [slow] },
    afterToolCall: () => new Promise(() => {}),
    clock,
    abortGraceMs: 2_000,
  });
  clock.setTimeout(() => agent.abort(), 1_000);
  await clock.runUntil(agent.prompt("hi"));
  expect(clock.now()).toBe(3_000);
  expect(agent.state.messages.map(say).at(-1)).toBe("toolResult: done at last");
});

test("a stream that ignores its signal is left alone after the grace period, with what it had said", async () => {
  const clock = new VirtualClock();
  const script = scriptedModel([{ hang: true, content: [{ type: "text", text: "Once" }] }]);
  const agent = new Agent({
    streamFn: (model, context) => script.streamFn(model, context),
    initialState: { model: script.model },
    clock,
    abortGraceMs: 2_000,
  });
  clock.setTimeout(() => agent.abort(), 1_000);
  await clock.runUntil(agent.prompt("hi"));
  expect(clock.now()).toBe(3_000);
  expect(agent.state.messages.map(say)).toEqual(["user: hi", "assistant: Once"]);
});

test("a steering message queued while tools run survives an abort and is delivered with the next prompt", async () => {
  const script = scriptedModel([[call("1", "look"), call("2", "look")], "Done."]);
  const agent: Agent = new Agent({
    streamFn: script.streamFn,
    toolExecution: "sequential",
    initialState: {
      model: script.model,
      tools: [
        tool("look", {
          execute: async (id) => {
            if (id === "1") agent.steer(user("use plan B"));
            else agent.abort();
            return textResult("seen");
          },
        }),
      ],
    },
  });
  await agent.prompt("hi");
  expect(agent.queuedMessages.steering).toEqual([user("use plan B")]);
  await agent.prompt("go on");
  expect(agent.state.messages.slice(-3).map(say)).toEqual(["user: go on", "user: use plan B", "assistant: Done."]);
  expect(agent.hasQueuedMessages()).toBe(false);
});

test("the reason of an abort is told, whatever the stream itself says of it", async () => {
  const script = scriptedModel([{ hang: true }]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
  const ended = endOf(agent);
  agent.subscribe((event) => {
    if (event.type === "message_start" && event.message.role === "assistant") agent.abort("the reader left");
  });
  await agent.prompt("hi");
  const sentence = "The run was aborted: the reader left";
  expect([(await ended).errorMessage, agent.state.errorMessage]).toEqual([sentence, sentence]);
});

test("an abort without a run does nothing", async () => {
  const script = scriptedModel(["Hello."]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
  agent.abort();
  await agent.waitForIdle();
  await agent.prompt("hi");
  expect(agent.state.errorMessage).toBeUndefined();
});

test("an abort between two queued messages that enter together leaves the second in its queue", async () => {
  const script = scriptedModel([]);
  const agent = new Agent({ streamFn: script.streamFn, steeringMode: "all", initialState: { model: script.model } });
  agent.steer(user("one"));
  agent.steer(user("two"));
  agent.subscribe((event) => {
    if (event.type === "message_end" && event.message.role === "user" && event.message.content === "one") agent.abort();
  });
  await agent.prompt("Go.");
  expect(agent.state.messages.map(say)).toEqual(["user: Go.", "user: one", "assistant: "]);
  expect(agent.queuedMessages.steering).toEqual([user("two")]);
});

test("after an abort no hook of the turn is asked and no queue is looked at", async () => {
  const asked: string[] = [];
  const script = scriptedModel(["Done."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    initialState: { model: script.model },
    prepareNextTurn: () => void asked.push("prepareNextTurn") as undefined,
    shouldStopAfterTurn: () => asked.push("shouldStopAfterTurn") < 0,
  });
  agent.subscribe((event) => {
    if (event.type === "turn_end") agent.abort();
  });
  await agent.prompt("Go.");
  expect(asked).toEqual([]);
});

test("a run whose signal has aborted before it begins takes nothing out of a queue", async () => {
  const asked: string[] = [];
  const script = scriptedModel([]);
  const queue = (name: string) => () => {
    asked.push(name);
    return [];
  };
  const config = {
    model: script.model,
    convertToLlm: () => [],
    getSteeringMessages: queue("steering"),
    getFollowUpMessages: queue("follow-ups"),
  };
  const context = { systemPrompt: "", messages: [] };
  const messages = await runAgentLoop([user("Go.")], context, config, () => {}, AbortSignal.abort(), script.streamFn);
  expect(messages.map(say)).toEqual(["user: Go.", "assistant: "]);
  expect(asked).toEqual([]);
});

test.each<[string, () => { block: true } | undefined]>([
  ["blocks the call", () => ({ block: true })],
  ["throws", () => Promise.reject(new Error("It broke.")) as never],
  ["lets it run", () => undefined],
])(
  "a hook before a call that aborts the run and %s: the call was not run because of the abort",
  async (_what, then) => {
    const script = scriptedModel([[call("1", "look")]]);
    const asked: string[] = [];
    const resources = () => {
      asked.push("resources");
      return {};
    };
    const agent = new Agent({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [tool("look", { resources })] },
      beforeToolCall: () => {
        agent.abort();
        return then();
      },
    });
    await agent.prompt("hi");
    expect(agent.state.messages.map(say).at(-1)).toBe('toolResult error: "look" was not run. The run was aborted.');
    expect(asked).toEqual([]);
  },
);

test("a tool that says itself what its abort left behind is heard", async () => {
  const script = scriptedModel([[call("1", "copy")]]);
  const copy = tool("copy", {
    execute: (_id, _params, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("Two of three files were copied.")));
        agent.abort();
      }),
  });
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [copy] } });
  await agent.prompt("hi");
  expect(agent.state.messages.map(say).at(-1)).toBe("toolResult error: Two of three files were copied.");
});

test("the signal of a model call or a tool that is over does not abort with the run", async () => {
  const script = scriptedModel([[call("1", "look")], { hang: true }]);
  let ofTool: AbortSignal | undefined;
  const look = tool("look", {
    execute: async (_id, _params, signal) => {
      ofTool = signal;
      return textResult("seen");
    },
  });
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [look] } });
  let turns = 0;
  agent.subscribe((event) => {
    if (event.type === "turn_start" && ++turns === 2) setImmediate(() => agent.abort());
  });
  await agent.prompt("Go.");
  expect(script.requests.map(({ options }) => options.signal?.aborted)).toEqual([false, true]);
  expect(ofTool?.aborted).toBe(false);
});

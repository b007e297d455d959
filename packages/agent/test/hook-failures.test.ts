// A hook may throw, reject or never settle: the events are whole, the history is valid, the agent is idle.
import { Agent, type AgentLoopConfig, runAgentLoop } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { checkHistory } from "./simulation/event-checker.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { call, endOf, record, say, tool, user, watched } from "./support.ts";

const HOOKS = [
  "transformContext",
  "convertToLlm",
  "getApiKey",
  "beforeToolCall",
  "afterToolCall",
  "shouldStopAfterTurn",
  "prepareNextTurn",
] as const;

function broken(): never {
  throw new Error("It broke.");
}

/** The hooks of one tool call fail that call alone; the others fail the run. */
const CALL_HOOKS: readonly string[] = ["beforeToolCall", "afterToolCall"];

describe.each(HOOKS)("a %s", (hook) => {
  test.each([
    [
      "throws",
      () => {
        throw new Error("It broke.");
      },
    ],
    ["rejects", () => Promise.reject(new Error("It broke."))],
    ["rejects with a text", () => Promise.reject("It broke.")],
  ])("that %s is reported, and everything is brought to an end", async (_how, broken) => {
    const script = scriptedModel([[call("1", "look")], "Done."]);
    const { agent, checker } = watched({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [tool("look")] },
      [hook]: broken,
    });
    const ended = endOf(agent);
    await agent.prompt("hi");
    const { reason, errorMessage } = await ended;
    checkHistory(agent.state.messages);
    expect(checker.idle).toBe(true);
    if (CALL_HOOKS.includes(hook)) {
      expect(reason).toBe("completed");
      expect(agent.state.messages.map(say)[2]).toBe("toolResult error: It broke.");
    } else {
      expect([reason, errorMessage, agent.state.errorMessage]).toEqual(["error", "It broke.", "It broke."]);
      expect(agent.state.messages.at(-1)).toMatchObject({
        role: "assistant",
        stopReason: "error",
        errorMessage: "It broke.",
      });
    }
  });

  test("that never settles gives way to an abort", async () => {
    const clock = new VirtualClock();
    const script = scriptedModel([[call("1", "look")], "Done."]);
    const { agent, checker } = watched({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [tool("look")] },
      clock,
      abortGraceMs: 500,
      [hook]: () => new Promise(() => {}),
    });
    const ended = endOf(agent);
    clock.setTimeout(() => agent.abort("enough"), 1_000);
    await clock.runUntil(agent.prompt("hi"));
    expect(clock.now()).toBe(1_500);
    expect((await ended).reason).toBe("aborted");
    expect(checker.idle).toBe(true);
    checkHistory(agent.state.messages);
  });
});

test.each([
  ["transformContext", "later", "string"],
  ["convertToLlm", {}, "object"],
  ["convertToLlm", null, "null"],
])("a %s that gives no list (%o) is reported, and the model is not called", async (hook, given, kind) => {
  const { model, streamFn } = scriptedModel([]);
  const agent = new Agent({ streamFn, initialState: { model }, [hook]: () => given });
  await agent.prompt("hi");
  const sentence = `${hook} must return a list of messages, and returned ${kind}.`;
  expect(agent.state.errorMessage).toBe(sentence);
});

test.each<[string, NonNullable<AgentLoopConfig["watchSteering"]>]>([
  ["begins", broken],
  ["ends", () => broken],
])(
  "who watches for steering and fails when a batch %s ends the run, every call answered",
  async (_when, watchSteering) => {
    const { model, streamFn } = scriptedModel([[call("1", "look")]]);
    const context = { systemPrompt: "", messages: [], tools: [tool("look")] };
    const config = { model, convertToLlm: () => [user("hi")], watchSteering };
    const messages = await runAgentLoop([user("hi")], context, config, () => {}, undefined, streamFn);
    checkHistory(messages);
    expect(messages.at(-1)).toMatchObject({ stopReason: "error", errorMessage: "It broke." });
  },
);

test("a failure after the turn gets a turn of its own with the failure as its message", async () => {
  const script = scriptedModel(["Hello."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    initialState: { model: script.model },
    shouldStopAfterTurn: () => {
      throw new Error("It broke.");
    },
  });
  const events = record(agent);
  await agent.prompt("hi");
  expect(events.slice(4)).toEqual([
    "message_start assistant",
    "message_end assistant",
    "turn_end",
    "turn_start",
    "message_start assistant",
    "message_end assistant",
    "turn_end",
    "agent_end error",
  ]);
});

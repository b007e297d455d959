// Values that throw when they are looked at, or are not what they should be: whoever hands them in, a run ends as it must.
import {
  Agent,
  type AgentLoopTurnUpdate,
  type AgentMessage,
  type AgentOptions,
  type AgentTool,
  runAgentLoop,
  systemClock,
} from "@rondo/agent";
import { type AssistantMessage, createAssistantMessageEventStream, type Message } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { Interruption } from "../src/interruption.ts";
import { checkHistory, EventChecker } from "./simulation/event-checker.ts";
import { call, endOf, record, say, textResult, tool, user, watched } from "./support.ts";

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const UNREADABLE: [string, unknown][] = [
  ["a symbol", Symbol("no")],
  ["an object without a prototype", Object.create(null)],
  ["a revoked proxy", revoked()],
  [
    "a message that throws",
    {
      get message() {
        throw new Error("no");
      },
    },
  ],
];

/** An agent whose model calls the tool `odd` once; runs it and gives its history. */
async function runWith(options: (thrown: () => never) => AgentOptions, thrown: unknown): Promise<string[]> {
  const script = scriptedModel([[call("1", "odd")], "Done."]);
  const given = options(() => {
    throw thrown;
  });
  const { agent } = watched({
    streamFn: script.streamFn,
    ...given,
    initialState: { model: script.model, tools: [tool("odd")], ...given.initialState },
  });
  const ended = endOf(agent);
  await agent.prompt("Go.");
  return [...agent.state.messages.map((message) => message.role), (await ended).reason];
}

const HOOKS: [string, (fail: () => never) => AgentOptions, string[]][] = [
  [
    "a tool",
    (fail) => ({ initialState: { tools: [tool("odd", { execute: async () => fail() })] } }),
    ["assistant", "toolResult", "assistant", "completed"],
  ],
  ["beforeToolCall", (fail) => ({ beforeToolCall: fail }), ["assistant", "toolResult", "assistant", "completed"]],
  ["afterToolCall", (fail) => ({ afterToolCall: fail }), ["assistant", "toolResult", "assistant", "completed"]],
  ["transformContext", (fail) => ({ transformContext: fail }), ["assistant", "error"]],
  ["streamFn", (fail) => ({ streamFn: fail }), ["assistant", "error"]],
  ["shouldStopAfterTurn", (fail) => ({ shouldStopAfterTurn: fail }), ["assistant", "toolResult", "assistant", "error"]],
];

describe.each(HOOKS)("what %s throws", (_where, options, expected) => {
  test.each(UNREADABLE)("may be %s", async (_what, thrown) => {
    expect(await runWith(options, thrown)).toEqual(["user", ...expected]);
  });
});

test("an isFatal that stumbles over an error does not claim it", async () => {
  const options = (fail: () => never): AgentOptions => ({
    isFatal: (error) => (error as { code: string }).code === "FATAL",
    initialState: { tools: [tool("odd", { execute: async () => fail() })] },
  });
  expect(await runWith(options, undefined)).toEqual(["user", "assistant", "toolResult", "assistant", "completed"]);
});

test("what is no tool is passed over", async () => {
  const options = (): AgentOptions => ({ initialState: { tools: [null, undefined, "odd", tool("odd")] as never } });
  expect(await runWith(options, undefined)).toEqual(["user", "assistant", "toolResult", "assistant", "completed"]);
});

test("resources that are no lists are none, and a usage that is none is left out", async () => {
  const odd = tool("odd", {
    resources: () => ({ reads: "a.txt", writes: "a.txt" }) as never,
    execute: async () => ({ ...textResult("Fine."), usage: revoked() as never }),
  });
  const script = scriptedModel([[call("1", "odd"), call("2", "odd")], "Done."]);
  const { agent } = watched({ streamFn: script.streamFn, initialState: { model: script.model, tools: [odd] } });
  await agent.prompt("Go.");
  const [, , first] = agent.state.messages;
  expect(first).toEqual({
    role: "toolResult",
    toolCallId: "1",
    toolName: "odd",
    content: [{ type: "text", text: "Fine." }],
    details: {},
    isError: false,
    timestamp: expect.any(Number),
  });
});

test.each([["Hello"], [null], [undefined], [[user("Hello")]]])(
  "%j is refused as steering and as a follow-up",
  async (rubbish) => {
    const script = scriptedModel(["One.", "Two."]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
    expect(() => agent.steer(rubbish as unknown as AgentMessage)).toThrow(TypeError);
    expect(() => agent.followUp(rubbish as unknown as AgentMessage)).toThrow(TypeError);
    agent.followUp(user("And now?"));
    await agent.prompt("Go.");
    expect(agent.state.messages.map(say)).toEqual([
      "user: Go.",
      "assistant: One.",
      "user: And now?",
      "assistant: Two.",
    ]);
  },
);

test.each(["name", "executionMode", "interruptible", "resources", "execute"])(
  "a tool whose %s cannot be read leaves no call unanswered",
  async (property) => {
    const script = scriptedModel([[call("1", "odd"), call("2", "look")], "Done."]);
    const odd = Object.defineProperty(tool("odd"), property, {
      get() {
        throw new Error("Not today.");
      },
    });
    const { agent, checker } = watched({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [odd, tool("look")] },
    });
    const ended = endOf(agent);
    await agent.prompt("Go.");
    expect((await ended).reason).toBe("completed");
    expect(agent.state.messages.map(say).slice(3)).toEqual(["toolResult: look done", "assistant: Done."]);
    expect(checker.idle).toBe(true);
  },
);

test("a tool that is no object that can be read is passed over", async () => {
  const script = scriptedModel([[call("1", "look")], "Done."]);
  const tools = [revoked() as AgentTool, tool("look")];
  const { agent, checker } = watched({ streamFn: script.streamFn, initialState: { model: script.model, tools } });
  await agent.prompt("Go.");
  expect(agent.state.messages.map(say).slice(2)).toEqual(["toolResult: look done", "assistant: Done."]);
  expect(checker.idle).toBe(true);
});

test.each([
  ["model", { model: revoked() }],
  ["list of tools", { context: { systemPrompt: "", messages: [], tools: revoked() } }],
  ["list of messages", { context: { systemPrompt: "", messages: revoked() } }],
])("a next turn whose %s cannot be read ends the run in an error", async (_what, update) => {
  const script = scriptedModel([[call("1", "look")], "Done."]);
  const { agent, checker } = watched({
    streamFn: script.streamFn,
    initialState: { model: script.model, tools: [tool("look")] },
    prepareNextTurn: () => update as AgentLoopTurnUpdate,
  });
  const ended = endOf(agent);
  await agent.prompt("Go.");
  expect((await ended).reason).toBe("error");
  expect(checker.idle).toBe(true);
  checkHistory(agent.state.messages);
});

const throwing = () => {
  throw new Error("Not today.");
};

test.each([
  ["throws", throwing],
  ["gives something that throws", () => throwing],
  ["gives nothing to stop it with", () => 7 as unknown as () => void],
])("a watchSteering that %s ends the run when every call has its answer", async (_how, watchSteering) => {
  const script = scriptedModel([[call("1", "look"), call("2", "look")]]);
  const checker = new EventChecker();
  const context = { systemPrompt: "", messages: [], tools: [tool("look")] };
  const config = {
    model: script.model,
    convertToLlm: (messages: AgentMessage[]) => messages as Message[],
    watchSteering,
  };
  await runAgentLoop([user("Go.")], context, config, (event) => checker.check(event), undefined, script.streamFn);
  expect(checker.idle).toBe(true);
  checkHistory(checker.history);
  expect(checker.history.at(-1)).toMatchObject({ role: "assistant", stopReason: "error" });
});

test.each([{}, [], { role: "user", content: [] }, { role: "assistant", content: "text" }])(
  "a partial message %j is no message, and is not told",
  async (partial) => {
    const message = { ...(await scriptedAnswer()), content: [{ type: "text", text: "Hello." }] };
    const { agent, checker } = watched({
      streamFn: () => {
        const stream = createAssistantMessageEventStream();
        stream.push({ type: "start", partial: partial as unknown as AssistantMessage });
        stream.push({ type: "done", reason: "stop", message: message as AssistantMessage });
        return stream;
      },
    });
    await agent.prompt("Go.");
    expect(agent.state.messages.map(say)).toEqual(["user: Go.", "assistant: Hello."]);
    expect(checker.idle).toBe(true);
  },
);

async function scriptedAnswer(): Promise<AssistantMessage> {
  const script = scriptedModel(["Hello."]);
  return script.streamFn(script.model, { messages: [] }).result();
}

describe("time", () => {
  test.each([2 ** 31, Number.POSITIVE_INFINITY])("a limit of %d milliseconds is not over at once", async (limitMs) => {
    const options = (): AgentOptions => ({
      budget: { durationMaxMs: limitMs, toolTimeoutMs: limitMs },
      initialState: {
        tools: [tool("odd", { execute: () => new Promise((done) => setTimeout(() => done(textResult("Late.")), 20)) })],
      },
    });
    expect(await runWith(options, undefined)).toEqual(["user", "assistant", "toolResult", "assistant", "completed"]);
  });

  test("a clock that is set back does not lengthen the grace period", async () => {
    let now = 1_000_000_000;
    const interruption = new Interruption({ ...systemClock, now: () => now }, 20);
    interruption.interrupt({ kind: "aborted", message: "Stop." });
    now = 0;
    await expect(interruption.wait(() => new Promise(() => {}))).rejects.toThrow("Not waited for any longer: Stop.");
  });
});

test("ten thousand calls at once cost each the same", async () => {
  const calls = Array.from({ length: 10_000 }, (_, index) => call(`c${index}`, "odd"));
  const script = scriptedModel([calls, "Done."]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [tool("odd")] } });
  await agent.prompt("Go.");
  expect(agent.state.messages.length).toBe(10_003);
});

test("a stream whose message cannot be read ends in a message that was begun", async () => {
  const script = scriptedModel(["Unused."]);
  const partial = {
    get content() {
      throw new Error("No content today.");
    },
  };
  const streamFn = async function* () {
    yield { type: "start", partial };
  };
  const agent = new Agent({ streamFn: streamFn as never, initialState: { model: script.model } });
  const events = record(agent);
  await agent.prompt("Go.");
  expect(events.slice(-4)).toEqual(["message_start assistant", "message_end assistant", "turn_end", "agent_end error"]);
});

// The seven steps of a tool call, and what becomes of calls that cannot or must not run.
import {
  type AfterToolCallResult,
  Agent,
  type AgentMessage,
  type AgentOptions,
  type AgentTool,
  type AnyAgentTool,
  runAgentLoop,
} from "@rondo/agent";
import { type Message, Type } from "@rondo/ai";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { call, gate, record, say, textResult, tool, user } from "./support.ts";

async function run(steps: ScriptedStep[], tools: AnyAgentTool[], options: AgentOptions = {}) {
  const script = scriptedModel(steps);
  const agent = new Agent({ streamFn: script.streamFn, ...options, initialState: { model: script.model, tools } });
  const events = record(agent);
  await agent.prompt("hi");
  const results = agent.state.messages.filter((message) => message.role === "toolResult");
  return { agent, events, results, texts: results.map(say), script };
}

const PATH = Type.Object({ path: Type.String() });
const read: AgentTool<typeof PATH> = {
  name: "read",
  label: "Read",
  description: "Reads",
  parameters: PATH,
  execute: async (_id, { path }) => textResult(`contents of ${path}`),
};

test("an unknown tool is answered with the names of those that exist", async () => {
  const { texts } = await run([[call("1", "write")], "Done."], [read]);
  expect(texts).toEqual(['toolResult error: There is no tool "write". These can be called: read.']);
});

function nothingToMend(): never {
  throw new Error("There is nothing to mend.");
}

test("arguments that were cut off are not run", async () => {
  const cut = { ...call("1", "read"), malformedArguments: '{"path": "a' };
  const mending = { ...read, prepareArguments: nothingToMend };
  const { texts } = await run([[cut], "Done."], [mending]);
  expect(texts).toEqual([
    expect.stringContaining('toolResult error: The arguments of "read" are no complete JSON object'),
  ]);
});

test.each([[null], [[]], ["x"], [3]])(
  "arguments that are %j instead of an object are answered with what is wrong",
  async (args) => {
    const broken = { ...call("1", "read"), arguments: args as unknown as Record<string, unknown> };
    const { texts } = await run([[broken], "Done."], [read]);
    expect(texts).toEqual([expect.stringContaining('The arguments of "read" must be a JSON object')]);
  },
);

test("arguments that do not fit are answered with what does", async () => {
  const { texts } = await run([[call("1", "read", { file: "a" })], "Done."], [read]);
  expect(texts).toEqual([expect.stringContaining("- path: expected")]);
});

test("arguments are mended before they are validated, on a copy", async () => {
  const mending: AgentTool<typeof PATH> = {
    ...read,
    prepareArguments: (args) => {
      const given = args as { file: string; path: string };
      given.path = given.file;
      return given;
    },
  };
  const { agent, texts } = await run([[call("1", "read", { file: "a" })], "Done."], [mending]);
  expect(texts).toEqual(["toolResult: contents of a"]);
  const [asked] = agent.state.messages[1]?.role === "assistant" ? agent.state.messages[1].content : [];
  expect(asked).toEqual(call("1", "read", { file: "a" }));
});

test("a tool cannot change the history through its arguments", async () => {
  const greedy = tool("greedy", {
    execute: async (_id, params) => {
      (params as { list: string[] }).list.push("more");
      return textResult("done");
    },
  });
  const { agent } = await run([[call("1", "greedy", { list: ["one"] })], "Done."], [greedy]);
  expect(agent.state.messages[1]).toMatchObject({ content: [{ arguments: { list: ["one"] } }] });
});

test("a call can be blocked with a reason, and its tool does not run", async () => {
  const { texts } = await run([[call("1", "read", { path: "a" }), call("2", "read", { path: "b" })], "Done."], [read], {
    beforeToolCall: ({ args }) =>
      (args as { path: string }).path === "a" ? { block: true, reason: "Not a." } : undefined,
  });
  expect(texts).toEqual(["toolResult error: Not a.", "toolResult: contents of b"]);
});

test.each([{}, { reason: "" }])("a call that is blocked without a reason gets one (%o)", async (reason) => {
  const { texts } = await run([[call("1", "read", { path: "a" })], "Done."], [read], {
    beforeToolCall: () => ({ block: true, ...reason }),
  });
  expect(texts).toEqual(['toolResult error: Running "read" was not allowed.']);
});

test("the hook before a call may change the arguments that the tool gets", async () => {
  const { texts } = await run([[call("1", "read", { path: "a" })], "Done."], [read], {
    beforeToolCall: ({ args }) => {
      (args as { path: string }).path = "b";
      return undefined;
    },
  });
  expect(texts).toEqual(["toolResult: contents of b"]);
});

test("the hook after a call replaces field by field what it names", async () => {
  const detailed = tool("detailed", { execute: async () => ({ ...textResult("plain"), details: { kept: true } }) });
  const usage = { input: 1, cost: {} };
  const { results } = await run([[call("1", "detailed")], "Done."], [detailed], {
    afterToolCall: ({ result }) => ({
      content: [{ type: "text", text: `${result.content.length} block` }],
      isError: true,
      usage,
    }),
  });
  expect(results).toMatchObject([
    { content: [{ type: "text", text: "1 block" }], details: { kept: true }, isError: true, usage },
  ]);
});

const sad = tool("sad", { execute: () => Promise.reject(new Error("It broke.")) });

test.each([[{}], [{ isError: undefined }], [{ isError: "no" }]])(
  "the hook after a call that gives %j leaves a failure a failure",
  async (given) => {
    const { results } = await run([[call("1", "sad")], "Done."], [sad], {
      afterToolCall: () => given as AfterToolCallResult,
    });
    expect(results.map((message) => message.role === "toolResult" && message.isError)).toEqual([true]);
  },
);

test("the hook after a call may make the batch end the run", async () => {
  const { events, script } = await run([[call("1", "read", { path: "a" })]], [read], {
    afterToolCall: () => ({ terminate: true }),
  });
  expect(events.at(-1)).toBe("agent_end terminated");
  script.finish();
});

test("an answer cut by the token limit runs no tool, and the model may try again", async () => {
  const { texts, script } = await run(
    [{ content: [call("1", "read", { path: "a" })], stopReason: "length" }, "Done."],
    [read],
  );
  expect(texts).toEqual([expect.stringContaining('"read" was not run: the answer reached the token limit')]);
  script.finish();
});

test("calls in an answer that failed are answered and not run", async () => {
  const { texts, events } = await run([{ error: {}, content: [call("1", "read", { path: "a" })] }], [read]);
  expect(texts).toEqual([
    'toolResult error: "read" was not run, since the answer that asked for it did not arrive whole.',
  ]);
  expect(events.at(-1)).toBe("agent_end error");
});

test("two calls with the same id both run, and their results come in order", async () => {
  const { texts, agent } = await run(
    [[call("x", "read", { path: "a" }), call("x", "read", { path: "b" })], "Done."],
    [read],
  );
  expect(texts).toEqual(["toolResult: contents of a", "toolResult: contents of b"]);
  expect(agent.state.pendingToolCalls.size).toBe(0);
});

test("all calls are prepared one by one before the first of them runs", async () => {
  const order: string[] = [];
  const noted = tool("noted", {
    execute: async (id) => {
      order.push(`run ${id}`);
      return textResult(id);
    },
  });
  await run([[call("1", "noted"), call("2", "noted")], "Done."], [noted], {
    beforeToolCall: async ({ toolCall }) => {
      order.push(`ask ${toolCall.id}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`asked ${toolCall.id}`);
      return undefined;
    },
  });
  expect(order).toEqual(["ask 1", "asked 1", "ask 2", "asked 2", "run 1", "run 2"]);
});

test("fifty calls of one answer are all answered, in order", async () => {
  const calls = Array.from({ length: 50 }, (_, index) => call(`c${index}`, "read", { path: `p${index}` }));
  const { texts } = await run([calls, "Done."], [read]);
  expect(texts).toEqual(calls.map((_, index) => `toolResult: contents of p${index}`));
});

test("progress is told between start and end, everything before the end", async () => {
  const chatty = tool("chatty", {
    execute: async (_id, _params, _signal, onUpdate) => {
      onUpdate?.(textResult("a"));
      onUpdate?.(textResult("b"));
      return textResult("done");
    },
  });
  const { events } = await run([[call("1", "chatty")], "Done."], [chatty]);
  expect(events.slice(6, 10)).toEqual([
    "tool_execution_start 1",
    "tool_execution_update 1",
    "tool_execution_update 1",
    "tool_execution_end 1",
  ]);
});

test("steering interrupts the tools that allow it and lets the others finish", async () => {
  const { opened, open } = gate();
  const waiting = (allow: boolean) =>
    tool(allow ? "patient" : "stubborn", {
      interruptible: allow,
      execute: async (_id, _params, signal) => {
        const stopped = new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        agent.steer(user("hurry"));
        await Promise.race([opened, stopped]);
        return textResult("finished");
      },
    });
  const script = scriptedModel([[call("1", "patient"), call("2", "stubborn")], "Done.", "Really."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    steeringMode: "all",
    initialState: { model: script.model, tools: [waiting(true), waiting(false)] },
  });
  setImmediate(open);
  await agent.prompt("hi");
  expect(agent.state.messages.map(say).slice(2)).toEqual([
    'toolResult error: "patient" was stopped before it was done. A new message arrived.',
    "toolResult: finished",
    "user: hurry",
    "user: hurry",
    "assistant: Done.",
  ]);
});

test("an interruptible tool that has not begun when steering arrives is not begun", async () => {
  let started = 0;
  const patient = tool("patient", {
    interruptible: true,
    resources: () => ({ writes: ["the same"] }),
    execute: async (_id, _params, signal) => {
      started++;
      const stopped = new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      agent.steer(user("hurry"));
      return stopped;
    },
  });
  const script = scriptedModel([[call("1", "patient"), call("2", "patient")], "Done."]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [patient] } });
  await agent.prompt("hi");
  expect(started).toBe(1);
  expect(agent.state.messages.map(say)[3]).toBe('toolResult error: "patient" was not run: A new message arrived.');
});

test("steering is watched for while a batch runs, and no longer", async () => {
  const watching: string[] = [];
  const script = scriptedModel([[call("1", "look")], [call("2", "look")], "Done."]);
  const config = {
    model: script.model,
    convertToLlm: (messages: AgentMessage[]) => messages as Message[],
    watchSteering: () => {
      watching.push("from");
      return () => watching.push("to");
    },
  };
  const context = { systemPrompt: "", messages: [], tools: [tool("look")] };
  await runAgentLoop([user("hi")], context, config, () => {}, undefined, script.streamFn);
  expect(watching.join(" ")).toMatch(/^(from to ?)+$/);
});

test("a tool that takes too long is stopped, and the run goes on", async () => {
  const clock = new VirtualClock();
  const script = scriptedModel([[call("1", "slow"), call("2", "deaf")], "Done."]);
  const slow = tool("slow", {
    execute: (_id, _params, signal) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  });
  const deaf = tool("deaf", { execute: () => new Promise(() => {}) });
  const agent = new Agent({
    streamFn: script.streamFn,
    clock,
    budget: { toolTimeoutMs: 1_000 },
    abortGraceMs: 500,
    initialState: { model: script.model, tools: [slow, deaf] },
  });
  await clock.runUntil(agent.prompt("hi"));
  expect(clock.now()).toBe(1_500);
  expect(agent.state.messages.map(say).slice(2)).toEqual([
    'toolResult error: "slow" was stopped before it was done. "slow" took longer than 1 second.',
    'toolResult error: "deaf" did not stop when it was told to and may still be running. "deaf" took longer than 1 second.',
    "assistant: Done.",
  ]);
});

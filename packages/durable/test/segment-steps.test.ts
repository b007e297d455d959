// What of a segment becomes a step, under which names, and what the loop sees of steps that were done before.
import type { AgentMessage, RunScope } from "@rondo/agent";
import { type ToolCall, Type } from "@rondo/ai";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import {
  type DurableAgent,
  type DurableSteps,
  type DurableTool,
  type DurableToolScope,
  type RunResult,
  runSegment,
} from "@rondo/durable";
import { MemoryStore, memorySteps } from "@rondo/durable/testing";
import { expect, test } from "vitest";
import { recordedModel } from "../src/recorded-model.ts";
import { Recorder } from "../src/recorder.ts";

const call = (id: string, name = "look"): ToolCall => ({ type: "toolCall", id, name, arguments: {} });

function look(rest: Partial<DurableTool> = {}): DurableTool {
  const execute = async () => ({ content: [{ type: "text" as const, text: "seen" }], details: {} });
  return { name: "look", label: "Look", description: "Looks", parameters: Type.Object({}), execute, ...rest };
}

function setUp(steps: ScriptedStep[], rest: Partial<DurableAgent> = {}) {
  const script = scriptedModel(steps);
  const store = new MemoryStore();
  const agent = { model: script.model, streamFn: script.streamFn, prompt: "Go.", tools: [look()], ...rest };
  const attempt = async (differing: Partial<DurableSteps> = {}, carry?: Parameters<typeof runSegment>[1]["carry"]) => {
    const end = await runSegment(
      { ...memorySteps(store), ...differing },
      { factory: () => agent, input: null, ...(carry && { carry }) },
    );
    if (end.type !== "end") throw new Error("The run has not ended.");
    return end.result;
  };
  return { script, store, attempt };
}

const textsOf = (messages: AgentMessage[]) =>
  messages.map((message) => {
    const { content } = message as { content: unknown };
    return Array.isArray(content) ? content.map((block) => block.text ?? block.name).join() : content;
  });

test("a segment whose run was let go of before does nothing", async () => {
  const { store, attempt } = setUp([]);
  await expect(attempt({ halt: AbortSignal.abort() })).rejects.toMatchObject({ name: "SuspendedError" });
  expect([...store.records.keys()]).toEqual([]);
});

test("a run that somebody asked to abort before it began calls no model", async () => {
  const { attempt, script } = setUp([]);
  const { reason, errorMessage } = await attempt({ abort: AbortSignal.abort("not needed") });
  expect([reason, errorMessage]).toEqual(["aborted", "The run was aborted: not needed"]);
  script.finish();
});

test("an abort reaches the model call under way, whose answer is recorded as it came", async () => {
  const asking = new AbortController();
  const { attempt, script, store } = setUp([
    () => {
      setImmediate(() => asking.abort("enough"));
      return { hang: true };
    },
  ]);
  const { reason } = await attempt({ abort: asking.signal });
  expect([reason, script.requests[0]?.options.signal?.aborted]).toEqual(["aborted", true]);
  expect(store.records.get("model:1")).toMatchObject({ value: { stopReason: "aborted" } });
});

test("hooks are asked once and recorded, calls are announced with all their steps, a doubled id is numbered", async () => {
  const asked: string[] = [];
  const announced: string[][] = [];
  const reserve = (names: string[]) => void announced.push(names);
  const { attempt, script, store } = setUp([[call("1"), call("1"), call("2", "safe"), call("3", "none")], "Done."], {
    tools: [look(), look({ name: "safe", replay: "safe" })],
    config: {
      beforeToolCall: ({ toolCall }) => void asked.push(`before ${toolCall.id}`),
      afterToolCall: async ({ toolCall }) => {
        asked.push(`after ${toolCall.id}`);
        return { isError: false };
      },
    },
  });
  const first = await attempt({ reserve });
  expect(await attempt({ reserve })).toEqual(first);
  expect(asked.toSorted()).toEqual(["after 1", "after 1", "after 2", "before 1", "before 1", "before 2"]);
  const names = [
    ...["before:1:1", "intent:1:1", "tool:1:1", "after:1:1"],
    ...["before:1:1#2", "intent:1:1#2", "tool:1:1#2", "after:1:1#2"],
    ...["before:1:2", "tool:1:2", "after:1:2"],
  ];
  expect(announced).toEqual([names, names]);
  expect([...store.records.keys()].filter((name) => /^(before|intent|tool|after)/.test(name)).toSorted()).toEqual(
    names.toSorted(),
  );
  script.finish();
});

test("what a tool gives is cut and made plain before anybody sees it, so that a replay is the same", async () => {
  const big = look({
    execute: async () => ({ content: [{ type: "text", text: "x".repeat(9_000) }], details: { at: new Date(0) } }),
  });
  const { attempt } = setUp([[call("1")], "Done."], { tools: [big], resultMaxBytes: 2_000 });
  const first = await attempt();
  expect(first.messages[2]).toMatchObject({ details: { at: "1970-01-01T00:00:00.000Z" } });
  expect(textsOf(first.messages)[2]).toMatch(/^x+\n\[… \d+ bytes left out …\]\nx+$/);
  expect(await attempt()).toEqual(first);
});

test("tools that a hook hands back, wrapped or not, are recorded once", async () => {
  let executed = 0;
  const counted = look({
    execute: async () => {
      executed++;
      return { content: [], details: {} };
    },
  });
  const { attempt, store } = setUp([[call("1")], [call("2")], "Done."], {
    tools: [counted],
    config: {
      prepareNextTurn: ({ context, newMessages }) => ({
        context: { ...context, tools: newMessages.length > 3 ? [counted] : (context.tools ?? []) },
      }),
    },
  });
  const first = await attempt();
  expect([...store.records.keys()].filter((name) => name.includes("#"))).toEqual([]);
  expect([first.reason, executed]).toEqual(["completed", 2]);
  expect(await attempt()).toEqual(first);
  expect(executed).toBe(2);
});

test("time does not go back behind a message of the mailbox, and each of those enters once over all segments", async () => {
  const sentAt = Date.now() + 1_000_000;
  const mail = (requestId: string) => ({ kind: "steer" as const, content: `mail ${requestId}`, requestId, sentAt });
  const { attempt, store } = setUp([[call("1")], "Done."]);
  store.inbox.push(mail("taken"), mail("carried"), mail("new"), mail("new"));
  const books = { turns: 1, toolCalls: 0, tokens: 0, usage: { cost: {} }, unpriced: false };
  const messages: AgentMessage[] = [{ role: "user", content: "Go.", timestamp: 0 }];
  const carry = { messages, turns: 1, books, taken: ["taken"], waiting: [mail("carried")] };
  const result: RunResult = await attempt({ segment: 2 }, carry);
  expect(textsOf(result.messages)).toEqual(["Go.", "mail carried", "mail new", "look", "seen", "Done."]);
  expect([result.taken, result.undelivered]).toEqual([["taken", "carried", "new"], []]);
  expect(result.messages[4]?.timestamp).toBe(sentAt);
  const frame = store.published.map(({ key, turn, event }) => [event.type, turn, key]);
  expect(frame.filter(([type]) => type === "agent_start")).toEqual([]);
  expect(frame.find(([type]) => type === "turn_start")).toEqual(["turn_start", 2, "2/turn_start/1"]);
  expect(frame.filter(([type]) => type === "tool_execution_end")).toEqual([
    ["tool_execution_end", 2, "2/tool_execution_end/2/1"],
  ]);
});

test("the key of a call is the same in every attempt and another one in every segment", async () => {
  const keys: string[] = [];
  const keyed = look({
    replay: "safe",
    execute: async (_id, _params, _signal, _onUpdate, scope?: RunScope) => {
      keys.push((scope as DurableToolScope).idempotencyKey);
      return { content: [], details: {} };
    },
  });
  for (const segment of [1, 1, 2]) await setUp([[call("1")], "Done."], { tools: [keyed] }).attempt({ segment });
  expect(keys).toEqual(["memory:1:tool:1:1", "memory:1:tool:1:1", "memory:2:tool:1:1"]);
});

test("everything that was told is out before the end is on record", async () => {
  const order: string[] = [];
  const { attempt, store } = setUp(["Done."]);
  await attempt({ flush: async () => void order.push(`flushed, ${store.records.has("end")}`) });
  expect([order, [...store.records.keys()].at(-1)]).toEqual([["flushed, false"], "end"]);
});

test("a replayed answer is streamed as a message that starts and ends", async () => {
  const { attempt, store } = setUp(["Hello."]);
  await attempt();
  store.published.length = 0;
  await attempt();
  expect(store.published.map(({ event }) => event.type)).toEqual([
    "agent_start",
    "turn_start",
    "message_start",
    "message_end",
    "message_start",
    "message_end",
    "turn_end",
    "agent_end",
  ]);
});

test("after an engine's failure no further step is asked of it, and every one fails with the first failure", async () => {
  const store = new MemoryStore();
  const failure = new Error("The run is another's.");
  let asked = 0;
  const steps = memorySteps(store);
  const run = () => {
    asked++;
    return Promise.reject(asked === 1 ? failure : new Error("later"));
  };
  const recorder = new Recorder({ ...steps, run, drain: run }, undefined);
  for (const step of [() => recorder.run("a", async () => 1), () => recorder.run("b", async () => 2)])
    await expect(step()).rejects.toBe(failure);
  await expect(recorder.drain("mail:1")).rejects.toBe(failure);
  expect([asked, recorder.signal.aborted, recorder.isFatal()]).toEqual([1, true, true]);
  recorder.dispose();
});

test("a step whose run was let go of meanwhile does not count, though it is on record", async () => {
  const halt = new AbortController();
  const steps = memorySteps(new MemoryStore(), () => halt.abort());
  const recorder = new Recorder({ ...steps, halt: halt.signal }, undefined);
  await expect(recorder.run("a", async () => 1)).rejects.toMatchObject({ name: "SuspendedError" });
  recorder.dispose();
});

test("what a step gives is seen at once as it is on record", async () => {
  const recorder = new Recorder(memorySteps(new MemoryStore()), undefined);
  const value = await recorder.run("a", async () => ({ at: new Date(0), nothing: undefined, odd: Number.NaN }));
  expect(value).toStrictEqual({ at: "1970-01-01T00:00:00.000Z", odd: null });
  expect(await recorder.run("b", async () => undefined)).toBeUndefined();
  recorder.dispose();
});

test("a tool whose run is aborted while its start is recorded is not started", async () => {
  const asking = new AbortController();
  let started = 0;
  const counted = look({
    execute: async () => {
      started++;
      return { content: [], details: {} };
    },
  });
  const { attempt, store } = setUp([[call("1")]], { tools: [counted] });
  const gate = (moment: string, name: string) => {
    if (moment === "after" && name === "intent:1:1") asking.abort("enough");
  };
  const { run } = memorySteps(store, gate);
  const { reason, messages } = await attempt({ run, abort: asking.signal });
  expect([reason, started]).toEqual(["aborted", 0]);
  expect(textsOf(messages)[2]).toBe('"look" was not run, since the run was aborted.');
});

test("a recorded call whose stream is left is told to stop, and what it had said is its record", async () => {
  const script = scriptedModel([{ hang: true, content: [{ type: "text", text: "Once" }] }]);
  const store = new MemoryStore();
  const recorder = new Recorder(memorySteps(store), undefined);
  const recorded = new Promise((resolve) => {
    const streamFn = recordedModel(recorder, () => "notes", script.streamFn, resolve);
    void (async () => {
      for await (const event of await streamFn(script.model, { messages: [] })) if (event.type === "text_end") break;
    })();
  });
  expect(await recorded).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "Once" }] });
  expect(script.requests[0]?.options.signal?.aborted).toBe(true);
  expect([...store.records.keys()]).toEqual(["notes"]);
  recorder.dispose();
});

test("a recorded call whose result alone is waited for hears of its caller's abort", async () => {
  const { model, streamFn } = scriptedModel([{ hang: true }]);
  const recorder = new Recorder(memorySteps(new MemoryStore()), undefined);
  const caller = new AbortController();
  const stream = await recordedModel(recorder, () => "notes", streamFn)(
    model,
    { messages: [] },
    { signal: caller.signal },
  );
  caller.abort();
  expect((await stream.result()).stopReason).toBe("aborted");
  recorder.dispose();
});

// What of a segment becomes a step, under which names, and what the loop sees of steps that were done before.
import type { AgentMessage, RunScope } from "@rondo/agent";
import { createAssistantMessageEventStream, type ToolCall, Type } from "@rondo/ai";
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
  const { attempt, store } = setUp([[call("1")], [call("2")], [call("3")], "Done."], {
    tools: [counted],
    config: {
      prepareNextTurn: ({ context, newMessages }) => ({
        context: { ...context, tools: newMessages.length === 3 ? [counted] : (context.tools ?? []) },
      }),
    },
  });
  const first = await attempt();
  expect([...store.records.keys()].filter((name) => name.includes("#"))).toEqual([]);
  expect([first.reason, executed]).toEqual(["completed", 3]);
  expect(await attempt()).toEqual(first);
  expect(executed).toBe(3);
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

const ending = look({ execute: async () => ({ content: [], details: {}, terminate: true }) });

test.each<[string, ScriptedStep[], number]>([
  ["the first turn", [[call("1")]], 1],
  ["a later turn", [[call("1", "more")], [call("2")]], 9],
])("tools that ask to stop in %s end the run, though its segment is full", async (_when, steps, segmentStepsMax) => {
  const { attempt, script } = setUp(steps, { tools: [ending, look({ name: "more" })], segmentStepsMax });
  expect((await attempt()).reason).toBe("terminated");
  script.finish();
});

test("an abort while a segment is found to be full ends the run", async () => {
  const asking = new AbortController();
  const shouldStopAfterTurn = () => {
    asking.abort("enough");
    return false;
  };
  const { attempt } = setUp([[call("1")]], { config: { shouldStopAfterTurn }, segmentStepsMax: 1 });
  expect((await attempt({ abort: asking.signal })).reason).toBe("aborted");
});

test("steering that comes after the last look at it enters when the run would end", async () => {
  const { attempt, store } = setUp(["Done.", "Done again."]);
  const { run } = memorySteps(store, (moment, name) => {
    if (moment === "after" && name === "mail:2")
      store.inbox.push({ kind: "steer", content: "late", requestId: "1", sentAt: 0 });
  });
  const drain: DurableSteps["drain"] = (name) => run(name, async () => store.inbox.splice(0));
  expect(textsOf((await attempt({ run, drain })).messages)).toEqual(["Go.", "Done.", "late", "Done again."]);
});

test("nothing that is said after the run was let go of is told", async () => {
  const halt = new AbortController();
  const { model } = scriptedModel([]);
  const { attempt, store } = setUp([], {
    model,
    streamFn: (...request) => {
      const inner = scriptedModel([[{ type: "text", text: "early then late" }]]).streamFn(...request);
      const stream = createAssistantMessageEventStream();
      void (async () => {
        for await (const event of inner) {
          if (event.type === "text_delta" && event.delta.includes("late")) halt.abort();
          stream.push(event);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      return stream;
    },
    config: { abortGraceMs: 10 },
  });
  await expect(attempt({ halt: halt.signal })).rejects.toMatchObject({ name: "SuspendedError" });
  const told = JSON.stringify(store.published);
  expect([told.includes("early"), told.includes("late")]).toEqual([true, false]);
});

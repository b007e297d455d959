import { getEventListeners } from "node:events";
import { join } from "node:path";
import { scriptedModel } from "@rondo/ai/testing";
import { type AgentFactory, runSegment } from "@rondo/durable";
import {
  auditRun,
  countInterrupted,
  MemoryStore,
  memorySteps,
  type RecordGate,
  readLog,
  rehearsalAgent,
} from "@rondo/durable/testing";
import { expect, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const TURNS = 2;

function rehearsal(): {
  store: MemoryStore;
  attempt: (gate?: RecordGate) => ReturnType<typeof runSegment>;
  log: string;
} {
  const log = join(temporaryFolder(), "log");
  const store = new MemoryStore();
  const input = { logPath: log, turns: TURNS, modelMs: 0, toolMs: 0 };
  const attempt = (gate?: RecordGate) => runSegment(memorySteps(store, gate), { factory: rehearsalAgent, input });
  return { store, attempt, log };
}

async function recordNames(): Promise<string[]> {
  const { store, attempt } = rehearsal();
  await attempt();
  return [...store.records.keys()];
}

test("every model call, intent, tool call and look into the mailbox is a record", async () => {
  const names = (await recordNames()).map((name) => name.replace(/call_.*/, "*"));
  const turn = (model: number) => [
    `model:${model}`,
    `intent:${model}:*`,
    `tool:${model}:*`,
    `tool:${model}:*`,
    `tool:${model}:*`,
  ];
  expect(names.toSorted()).toEqual(
    [
      "begin",
      ...turn(1),
      ...turn(2),
      "model:3",
      "mail:1",
      "mail:2",
      "mail:3",
      "mail:4",
      "mail:5",
      "mail:6",
      "end",
    ].toSorted(),
  );
});

test("whatever record an engine fails at, its error comes out untouched, and the next attempt ends as if nothing had been", async () => {
  const count = (await recordNames()).length;
  for (const moment of ["before", "after"] as const) {
    for (let index = 0; index < count; index++) {
      const { store, attempt, log } = rehearsal();
      const failure = { engine: "lost the run" };
      let seen = 0;
      const broken = attempt((now) => {
        if (now === moment && seen++ === index) throw failure;
      });
      await expect(broken).rejects.toBe(failure);
      expect(JSON.stringify([...store.records.values()])).not.toContain("lost the run");
      const published = store.published.map(({ event }) => JSON.stringify(event)).join();
      expect(published).not.toContain("lost the run");

      const recorded = new Map(store.records);
      const end = await attempt();
      if (end.type !== "end") throw new Error("the run did not end");
      auditRun(end.result, { runId: "memory", turns: TURNS, log: readLog(log), kills: 1 });
      for (const [name, value] of recorded) expect(store.records.get(name)).toEqual(value);
    }
  }
});

test("a run that is lost after a call was announced begins nothing more, and the next attempt tells of the interruption", async () => {
  const log = join(temporaryFolder(), "log");
  const store = new MemoryStore();
  const lost = { engine: "another worker has the run" };
  let isLost = false;
  const input = { logPath: log, turns: TURNS, modelMs: 0, toolMs: 0 };
  const steps = memorySteps(store, (moment, name) => {
    if (moment === "after" && name.startsWith("intent:2")) isLost = true;
  });
  const confirm = () => (isLost ? Promise.reject(lost) : Promise.resolve());
  await expect(runSegment({ ...steps, confirm }, { factory: rehearsalAgent, input })).rejects.toBe(lost);
  expect(readLog(log).filter(({ key }) => key === "2:pay")).toEqual([]);
  const end = await runSegment(memorySteps(store), { factory: rehearsalAgent, input });
  if (end.type !== "end") throw new Error("the run did not end");
  auditRun(end.result, { runId: "memory", turns: TURNS, log: readLog(log), kills: 1 });
  expect(countInterrupted(end.result.messages)).toBe(1);
});

test("a replay gives the same conversation to the last byte", async () => {
  const { attempt } = rehearsal();
  const first = await attempt();
  const second = await attempt();
  expect(second).toEqual(first);
});

test("a segment that is over holds no listener on the engine's signals", async () => {
  const halt = new AbortController();
  const input = {
    logPath: join(temporaryFolder(), "log"),
    turns: 1,
    modelMs: 0,
    toolMs: 0,
  };
  const steps = { ...memorySteps(new MemoryStore()), halt: halt.signal };
  await runSegment(steps, { factory: rehearsalAgent, input });
  expect(getEventListeners(halt.signal, "abort")).toEqual([]);
});

test("a worker that cannot confirm that the run is its own begins no model call", async () => {
  const store = new MemoryStore();
  const lost = new Error("It is another's.");
  let confirmed = 0;
  const steps = { ...memorySteps(store), confirm: async () => (++confirmed > 1 ? Promise.reject(lost) : undefined) };
  let called = 0;
  const agent = {
    model: scriptedModel([]).model,
    streamFn: () => Promise.reject(new Error(`call ${++called}`)),
    prompt: "Go.",
    config: { abortGraceMs: 0 },
  };
  await expect(runSegment(steps, { factory: () => agent, input: null })).rejects.toBe(lost);
  expect([called, [...store.records.keys()]]).toEqual([0, ["begin", "mail:1"]]);
});

test("a replayed conversation has the times of the records", async () => {
  const { attempt } = rehearsal();
  const [first, again] = [await attempt(), await attempt()];
  expect(again).toEqual(first);
  const times = first.type === "end" ? first.result.messages.slice(1).map(({ timestamp }) => timestamp) : [];
  expect(times.length).toBeGreaterThan(2);
  expect(Math.min(...times)).toBeGreaterThan(0);
});

const SHAPE = "It must return { model, streamFn, prompt, … }: see DurableAgent.";
const { model, streamFn } = scriptedModel([]);

test.each<[unknown, string]>([
  [null, `its agent factory gave null. ${SHAPE}`],
  [undefined, `its agent factory gave undefined. ${SHAPE}`],
  [{}, `its agent factory gave an agent without model and streamFn and prompt. ${SHAPE}`],
  [{ model, streamFn: {}, prompt: "Go." }, `its agent factory gave an agent without streamFn. ${SHAPE}`],
  [{ model, streamFn, prompt: 1 }, `its agent factory gave an agent without prompt. ${SHAPE}`],
])("a factory that gives no agent ends the run with a sentence (%o)", async (given, sentence) => {
  const factory = (() => given) as unknown as AgentFactory;
  await expect(runSegment(memorySteps(new MemoryStore()), { factory, input: null })).rejects.toThrow(
    new TypeError(sentence),
  );
});

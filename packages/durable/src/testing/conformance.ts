// What every engine must do, as cases over real worker processes that are killed with SIGKILL. What the tools really did
// is read from their own log. A case throws if the engine fails it. Quick ones take seconds, deep ones minutes.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { RunConflictError, RunFailedError, UnknownPositionError, UnknownRunError } from "../errors.ts";
import type { DurableEngine, DurableEvent, RunResult } from "../types.ts";
import { auditEvents, auditRun, countInterrupted, readLog, userTexts } from "./audit.ts";
import type { RehearsalInput } from "./rehearsal-agent.ts";
import type { CrashPoint, WorkerProcess } from "./worker-process.ts";

/** An engine with an empty store of its own, and workers for it. */
export interface Rig {
  engine: DurableEngine;
  /** Where the tools log what they do. */
  logPath: string;
  /** Starts a worker process and waits until it takes runs. */
  startWorker(options?: {
    version?: string;
    crash?: CrashPoint;
    attemptsMax?: number;
    concurrency?: number;
  }): Promise<WorkerProcess>;
}

/** One promise of the contract between runs and engines. */
export interface ConformanceCase {
  name: string;
  run(rig: Rig): Promise<void>;
}

/** A run that does not end by then hangs. */
const RESULT_TIMEOUT_MS = 120_000;

async function submit(rig: Rig, runId: string, input: Partial<RehearsalInput> = {}): Promise<RehearsalInput> {
  const whole = { logPath: rig.logPath, turns: 2, modelMs: 5, toolMs: 5, ...input };
  await rig.engine.submit("rehearsal", { ...whole }, { runId });
  return whole;
}

function result(rig: Rig, runId: string): Promise<RunResult> {
  return rig.engine.result(runId, { signal: AbortSignal.timeout(RESULT_TIMEOUT_MS) });
}

async function readAll(rig: Rig, runId: string, after?: string): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  const signal = AbortSignal.timeout(RESULT_TIMEOUT_MS);
  for await (const event of rig.engine.events(runId, { signal, ...(after === undefined ? {} : { after }) }))
    events.push(event);
  return events;
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    if (await condition()) return;
    await delay(10);
  }
  throw new Error(`It never came to this: ${what}`);
}

async function runsToItsEnd(rig: Rig): Promise<void> {
  const { turns } = await submit(rig, "whole");
  await submit(rig, "whole");
  assert.equal(await rig.engine.state("whole"), "waiting");
  await assert.rejects(submit(rig, "whole", { turns: 3 }), RunConflictError);
  await assert.rejects(rig.engine.state("unheard-of"), UnknownRunError);
  await assert.rejects(rig.engine.submit("rehearsal", null, { runId: "../outside" }), /cannot name a run/);
  const live = readAll(rig, "whole");
  await rig.startWorker();
  const ended = await result(rig, "whole");
  auditRun(ended, { runId: "whole", turns, log: readLog(rig.logPath), kills: 0 });
  assert.equal(await rig.engine.state("whole"), "ended");
  const events = await live;
  auditEvents(events, ended);
  assert.deepEqual(await readAll(rig, "whole"), events, "a late reader gets the same");
  const middle = events[Math.floor(events.length / 2)] as DurableEvent;
  const rest = await readAll(rig, "whole", middle.position);
  assert.deepEqual(rest, events.slice(events.indexOf(middle) + 1), "a reader goes on after a position");
  for (const nowhere of ["", "middle", `999${middle.position}`, `${middle.position}999`])
    await assert.rejects(readAll(rig, "whole", nowhere), UnknownPositionError, `"${nowhere}" is no position`);
}

/**
 * Each process dies around the next record; which side of it, `moments` says in turn. Some must be "after": where calls run
 * side by side, dying before the second new record may be dying before the first one is safe, and get nowhere.
 */
async function crashesAtEachRecord(rig: Rig, moments: CrashPoint["moment"][]): Promise<void> {
  const runId = `crash-${moments.join("-")}`;
  const { turns } = await submit(rig, runId, { turns: 1, modelMs: 0, toolMs: 0 });
  await rig.engine.send(runId, { kind: "steer", content: "steered", requestId: "s1" });
  let kills = 0;
  while ((await rig.engine.state(runId)) !== "ended") {
    assert.ok(kills < 40, "the run gets no further");
    const moment = moments[kills % moments.length] ?? "after";
    const worker = await rig.startWorker({ crash: { moment, index: moment === "before" ? 1 : 0 }, attemptsMax: 50 });
    await Promise.race([worker.exited, result(rig, runId)]);
    if (worker.alive) await worker.kill();
    else kills++;
  }
  assert.ok(kills >= 5, `only ${kills} crashes`);
  const ended = await result(rig, runId);
  auditRun(ended, { runId, turns, log: readLog(rig.logPath), kills });
  assert.deepEqual(userTexts(ended.messages), ["Rehearse 1 turns.", "steered"]);
  auditEvents(await readAll(rig, runId), ended);
}

async function steers(rig: Rig): Promise<void> {
  await submit(rig, "steered", { turns: 3, modelMs: 20 });
  const send = (kind: "steer" | "followUp", content: string, requestId: string) =>
    rig.engine.send("steered", { kind, content, requestId });
  assert.equal(await send("steer", "one", "1"), "waiting");
  await send("followUp", "three", "3");
  await send("steer", "two", "2");
  await send("steer", "one", "1");
  await rig.startWorker();
  const ended = await result(rig, "steered");
  assert.deepEqual(userTexts(ended.messages), ["Rehearse 3 turns.", "one", "two", "three"]);
  assert.deepEqual(ended.taken, ["1", "2", "3"]);
  assert.deepEqual(ended.undelivered, []);
  assert.equal(await send("steer", "two", "2"), "taken");
  assert.equal(await send("steer", "late", "4"), "ended");
}

async function aborts(rig: Rig): Promise<void> {
  await submit(rig, "abort-model", { modelMs: 60_000 });
  await submit(rig, "abort-tool", { toolMs: 60_000 });
  await submit(rig, "abort-waiting");
  await rig.engine.abort("abort-waiting", "not needed");
  await rig.startWorker();
  await until("a tool runs", () => readLog(rig.logPath).some(({ runId }) => runId === "abort-tool"));
  await until("a model runs", async () => (await rig.engine.state("abort-model")) === "running");
  for (const runId of ["abort-model", "abort-tool"]) await rig.engine.abort(runId, "enough of it");
  for (const runId of ["abort-model", "abort-tool", "abort-waiting"]) {
    const { reason, messages } = await result(rig, runId);
    assert.equal(reason, "aborted", runId);
    const calls = messages.flatMap((message) =>
      message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [],
    );
    const results = messages.filter((message) => message.role === "toolResult");
    assert.equal(results.length, calls.length, `${runId}: every call has its result`);
  }
}

async function survivesPoison(rig: Rig): Promise<void> {
  await submit(rig, "poison", { poisonTurn: 1, modelMs: 1_500 });
  const { turns } = await submit(rig, "wholesome", { turns: 1 });
  let kills = 0;
  while ((await rig.engine.state("poison")) !== "failed") {
    assert.ok(kills < 20, "the poison run is never given up");
    const worker = await rig.startWorker({ attemptsMax: 3 });
    await Promise.race([
      worker.exited,
      until("it failed", async () => (await rig.engine.state("poison")) === "failed"),
    ]);
    if (!worker.alive) kills++;
  }
  await assert.rejects(result(rig, "poison"), RunFailedError);
  const ended = await result(rig, "wholesome");
  auditRun(ended, { runId: "wholesome", turns, log: readLog(rig.logPath), kills });
}

async function keepsVersionsApart(rig: Rig): Promise<void> {
  const { turns } = await submit(rig, "old", { turns: 2 });
  const first = await rig.startWorker({ version: "v1", crash: { moment: "after", index: 3 } });
  await first.exited;
  const second = await rig.startWorker({ version: "v2" });
  await submit(rig, "new", { turns: 1 });
  await result(rig, "new");
  assert.notEqual(await rig.engine.state("old"), "ended");
  await second.kill();
  await rig.startWorker({ version: "v1" });
  auditRun(await result(rig, "old"), { runId: "old", turns, log: readLog(rig.logPath), kills: 1 });
}

async function goesOnInSegments(rig: Rig): Promise<void> {
  const runId = "segments";
  const { turns } = await submit(rig, runId, { turns: 6, segmentStepsMax: 15 });
  await rig.engine.send(runId, { kind: "followUp", content: "and then", requestId: "f1" });
  const first = await rig.startWorker({ crash: { moment: "after", index: 30 } });
  await first.exited;
  await rig.startWorker();
  const ended = await result(rig, runId);
  assert.deepEqual(userTexts(ended.messages), ["Rehearse 6 turns.", "and then"]);
  const messages = ended.messages.slice(0, -2);
  auditRun({ ...ended, messages }, { runId, turns, log: readLog(rig.logPath), kills: 1 });
  auditEvents(await readAll(rig, runId), ended);
}

/** Workers share runs, some are killed while steering goes on, and all runs end as promised. */
async function sharesRuns(
  rig: Rig,
  plan: { runs: number; turns: number; workers: number; kills: number },
): Promise<void> {
  const runIds = Array.from({ length: plan.runs }, (_, index) => `shared-${index}`);
  for (const runId of runIds) await submit(rig, runId, { turns: plan.turns, modelMs: 20, toolMs: 10 });
  const concurrency = Math.ceil(plan.runs / plan.workers);
  const start = () => rig.startWorker({ concurrency, attemptsMax: 50 });
  const workers = await Promise.all(Array.from({ length: plan.workers }, start));
  const sent = new Map<string, string[]>(runIds.map((runId) => [runId, []]));
  for (let kill = 0; kill < plan.kills; kill++) {
    const before = readLog(rig.logPath).length;
    const last = runIds.at(-1) ?? "";
    const isOver = async () => (await rig.engine.state(last)) === "ended";
    const atWork = async () => readLog(rig.logPath).length >= before + plan.runs / 2 || (await isOver());
    await until("the workers are at work", atWork);
    for (const runId of runIds) {
      const requestId = `mail-${kill}`;
      const became = await rig.engine.send(runId, { kind: "steer", content: requestId, requestId });
      if (became !== "ended") sent.get(runId)?.push(requestId);
    }
    const victim = workers.findIndex((worker) => worker.alive);
    await workers[victim]?.kill();
    if (plan.kills > 1) workers.push(await start());
  }
  let interrupted = 0;
  for (const runId of runIds) {
    const ended = await result(rig, runId);
    const arrived = userTexts(ended.messages).slice(1);
    // One that came while the run was ending may lie in the mailbox although its sender was told that the run had ended.
    const counted = (requestId: string) => sent.get(runId)?.includes(requestId);
    const handedBack = ended.undelivered.map(({ requestId }) => requestId).filter(counted);
    assert.deepEqual([...arrived, ...handedBack], sent.get(runId), `${runId}: steering, in order, once`);
    auditShared(ended, runId, plan, rig);
    interrupted += countInterrupted(ended.messages);
  }
  assert.ok(interrupted <= plan.kills * plan.runs, `${interrupted} calls were interrupted`);
}

/** A message that arrives at the very end adds an answer to the last one, so answers are counted without those. */
function auditShared(ended: RunResult, runId: string, plan: { turns: number; kills: number }, rig: Rig): void {
  const extra = ended.messages.filter((message) => message.role === "assistant").length - plan.turns - 1;
  assert.ok(extra >= 0 && extra <= plan.kills, `${runId}: ${extra} further answers`);
  let toDrop = extra;
  const messages = ended.messages.toReversed().filter((message) => message.role !== "assistant" || toDrop-- <= 0);
  const audited = { ...ended, messages: messages.toReversed() };
  auditRun(audited, { runId, turns: plan.turns, log: readLog(rig.logPath), kills: plan.kills });
}

/** Cases for every change, on every engine. */
export const quickCases: ConformanceCase[] = [
  { name: "a run goes to its end and its events are told once, live, late and from a position", run: runsToItsEnd },
  { name: "steering and follow-ups enter once, in order, and late ones are handed back", run: steers },
  {
    name: "two workers share 40 runs, one is killed, and every tool is executed as promised",
    run: (rig) => sharesRuns(rig, { runs: 40, turns: 1, workers: 2, kills: 1 }),
  },
];

/** Cases with many worker processes, which an engine that starts slowly does better to run apart. */
export const processCases: ConformanceCase[] = [
  { name: "a crash at each single record", run: (rig) => crashesAtEachRecord(rig, ["after", "before"]) },
  { name: "an abort ends waiting runs, model calls and tools, and every call is answered", run: aborts },
  { name: "a run that kills its workers is given up and the others go on", run: survivesPoison },
  { name: "a run is finished by the version that began it", run: keepsVersionsApart },
  { name: "a long run goes on in new segments", run: goesOnInSegments },
];

/** Cases that take minutes. */
export const deepCases: ConformanceCase[] = [
  { name: "a crash after each single record changes nothing", run: (rig) => crashesAtEachRecord(rig, ["after"]) },
  {
    name: "crashes before records repeat only what may be repeated",
    run: (rig) => crashesAtEachRecord(rig, ["before", "before", "after"]),
  },
  {
    name: "30 runs end as promised through eight kills",
    run: (rig) => sharesRuns(rig, { runs: 30, turns: 25, workers: 2, kills: 8 }),
  },
  {
    name: "a run of 300 steps ends",
    run: async (rig) => {
      const { turns } = await submit(rig, "long", { turns: 50, modelMs: 0, toolMs: 0 });
      await rig.startWorker();
      auditRun(await result(rig, "long"), { runId: "long", turns, log: readLog(rig.logPath), kills: 0 });
    },
  },
];

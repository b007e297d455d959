// The engine of files with its workers in this process: what other processes find, and what is left when a worker lets go.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, scriptedModel } from "@rondo/ai/testing";
import { type AgentFactory, type JournalEngine, journalEngine, type WorkerOptions } from "@rondo/durable";
import { expect, onTestFinished, test } from "vitest";
import { EventWriter } from "../../src/journal/event-log.ts";
import { Journal } from "../../src/journal/journal.ts";
import { JournalSteps } from "../../src/journal/journal-steps.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** An engine in a new folder, and workers for it that are closed with the test. */
async function setUp() {
  const folder = temporaryFolder();
  const engine = await journalEngine({ folder });
  const work = async (factory: AgentFactory, options: Partial<WorkerOptions> = {}) => {
    const worker = await engine.worker({ agent: factory }, { version: "1", ...options });
    onTestFinished(() => worker.close());
    return worker;
  };
  return { folder, engine, work };
}

const saying =
  (script: ScriptedModel): AgentFactory =>
  () => ({ model: script.model, streamFn: script.streamFn, prompt: "Go.", config: { abortGraceMs: 0 } });

/** An agent whose model never answers, and when that was asked. */
function hanging(): { factory: AgentFactory; asked: Promise<void> } {
  let tell = () => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const { model, streamFn } = scriptedModel([{ hang: true }]);
  const factory: AgentFactory = () => ({
    model,
    streamFn: (...call) => {
      tell();
      return streamFn(...call);
    },
    prompt: "Go.",
    config: { abortGraceMs: 0 },
  });
  return { factory, asked };
}

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

/** What this process has open of a folder, where the system tells. */
function openFilesIn(folder: string): string[] {
  if (process.platform !== "linux") return [];
  const targets = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ""; // Closed meanwhile.
    }
  });
  return targets.filter((target) => target.startsWith(folder));
}

async function typesOf(engine: JournalEngine, runId: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { event } of engine.events(runId)) types.push(event.type);
  return types;
}

test("a worker that is closed lets go of its run, its lock and its timers, and the next one goes on", async () => {
  const { folder, engine, work } = await setUp();
  const before = timers();
  const { factory, asked } = hanging();
  await engine.submit("agent", null, { runId: "cut" });
  const worker = await work(factory);
  await asked;
  expect(await engine.state("cut")).toBe("running");
  await worker.close();
  expect(openFilesIn(folder)).toEqual([]);
  expect(await engine.state("cut")).toBe("waiting");
  expect(timers()).toBeLessThanOrEqual(before);
  const journal = readFileSync(join(folder, "cut/journal.jsonl"), "utf8");
  expect(journal.split("\n").map((line) => line.slice(0, 14))).toEqual([
    '{"open":1,"ver',
    '{"step":"begin',
    '{"mail":"mail:',
    '{"letGo":1}',
    "",
  ]);
  appendFileSync(join(folder, "cut/events.jsonl"), '[{"torn');
  await work(saying(scriptedModel(["Hello."])));
  const { reason, messages } = await engine.result("cut");
  expect([reason, messages.length]).toEqual(["completed", 2]);
  expect((await typesOf(engine, "cut")).filter((type) => type !== "message_update")).toEqual([
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

test("a worker that is closed at any moment of its look for runs is at none of their files afterwards, and gives none up", async () => {
  const { folder, engine, work } = await setUp();
  await engine.submit("agent", null, { runId: "waiting" });
  for (let turns = 0; turns < 20; turns++) {
    const worker = await work(hanging().factory, { attemptsMax: 2 });
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await worker.close();
    expect(openFilesIn(folder)).toEqual([]);
    expect(await engine.state("waiting")).toBe("waiting");
  }
});

test("a worker whose folder is gone waits for it, and closes all the same", async () => {
  const { folder, engine, work } = await setUp();
  rmSync(folder, { recursive: true });
  const early = await work(saying(scriptedModel([])));
  await early.close();
  await work(saying(scriptedModel(["Hello."])));
  await engine.submit("agent", null, { runId: "later" });
  expect((await engine.result("later")).reason).toBe("completed");
});

test("what ends after its run was let go of is not recorded, and nothing new is begun", async () => {
  const folder = temporaryFolder();
  const halt = new AbortController();
  const journal = await Journal.open("run", join(folder, "journal.jsonl"), "1");
  const events = await EventWriter.open(join(folder, "events.jsonl"));
  const inboxPath = join(folder, "inbox.jsonl");
  const abort = new AbortController().signal;
  const steps = new JournalSteps({ runId: "run", journal, events, inboxPath, abort, halt: halt.signal });
  expect(await steps.run("in time", async () => 1)).toBe(1);
  let begun = 0;
  const late = steps.run("late", async () => {
    begun++;
    halt.abort();
  });
  await expect(late).rejects.toMatchObject({ name: "SuspendedError" });
  const never = steps.run("never", async () => void begun++);
  for (const refused of [never, steps.confirm(), steps.drain("mail:1")])
    await expect(refused).rejects.toMatchObject({ name: "SuspendedError" });
  await events.close();
  await journal.close();
  const records = readFileSync(join(folder, "journal.jsonl"), "utf8").trimEnd().split("\n");
  expect([begun, records]).toEqual([1, ['{"open":1,"version":"1"}', '{"step":"in time","value":1}']]);
});

test("no more runs are at work than a worker may have", async () => {
  const { engine, work } = await setUp();
  const runIds = ["a", "b", "c", "d"];
  for (const runId of runIds) await engine.submit("agent", null, { runId });
  let working = 0;
  const most: number[] = [];
  const factory: AgentFactory = async (input, scope) => {
    most.push(++working);
    await scope.step("wait", () => new Promise((resolve) => setImmediate(() => resolve(null))));
    const agent = await saying(scriptedModel(["Hello."]))(input, scope);
    const shouldStopAfterTurn = () => {
      working--;
      return true;
    };
    return { ...agent, config: { shouldStopAfterTurn } };
  };
  await work(factory, { concurrency: 2 });
  for (const runId of runIds) await engine.result(runId);
  expect(Math.max(...most)).toBe(2);
});

test.each([
  [2, "completed"],
  [3, 'The run "tried" has failed: it was taken up 3 times without getting any further.'],
])("a run that was taken up %d times for nothing, where 3 are allowed", async (opened, expected) => {
  const { folder, engine, work } = await setUp();
  await engine.submit("agent", null, { runId: "tried" });
  const opens = Array.from({ length: opened }, (_, index) => JSON.stringify({ open: index + 1, version: "1" }));
  writeFileSync(join(folder, "tried/journal.jsonl"), `${opens.join("\n")}\n`);
  await work(saying(scriptedModel(["Hello."])), { attemptsMax: 3 });
  const came = await engine.result("tried").then(
    ({ reason }) => reason,
    (error: Error) => error.message,
  );
  expect(came).toBe(expected);
});

test("what is no run, and a run that cannot be read, keep no other run waiting, and the latter is told of once", async () => {
  const { folder, engine, work } = await setUp();
  const told: string[] = [];
  mkdirSync(join(folder, ".trash"));
  mkdirSync(join(folder, "a name with spaces"));
  writeFileSync(join(folder, "0-note.txt"), "");
  await engine.submit("agent", null, { runId: "1-damaged" });
  writeFileSync(join(folder, "1-damaged/result.json"), "{");
  await engine.submit("agent", null, { runId: "2-sound" });
  expect(await engine.runIds()).toEqual(["1-damaged", "2-sound"]);
  const onProblem = (runId: string, { message }: Error) => void told.push(`${runId}: ${message}`);
  await work(saying(scriptedModel(["Hello."])), { onProblem });
  expect((await engine.result("2-sound")).reason).toBe("completed");
  expect(told).toEqual([
    expect.stringMatching(/^1-damaged: The file .*1-damaged\/result\.json cannot be read: .*JSON/),
  ]);
});

test("a worker of runs that cannot be is refused at once", async () => {
  const { work } = await setUp();
  await expect(work(saying(scriptedModel([])), { runIds: ["../outside"] })).rejects.toThrow("cannot name a run");
});

test("a run that has ended takes no mail and no abort, and one that was sent twice before comes back once", async () => {
  const { folder, engine, work } = await setUp();
  await engine.submit("agent", null, { runId: "ended" });
  const send = (requestId: string) => engine.send("ended", { kind: "followUp", content: "late", requestId });
  await engine.abort("ended", "not needed");
  expect([await send("1"), await send("1")]).toEqual(["waiting", "waiting"]);
  await work(saying(scriptedModel([])));
  const result = await engine.result("ended");
  expect([result.reason, result.errorMessage]).toEqual(["aborted", "The run was aborted: not needed"]);
  expect(result.undelivered.map(({ requestId }) => requestId)).toEqual(["1"]);
  const inbox = readFileSync(join(folder, "ended/inbox.jsonl"), "utf8");
  expect([await send("2"), await engine.abort("ended")]).toEqual(["ended", undefined]);
  expect(readFileSync(join(folder, "ended/inbox.jsonl"), "utf8")).toBe(inbox);
});

test("a reader of events or of the result may leave before the end", async () => {
  const { engine } = await setUp();
  await engine.submit("agent", null, { runId: "waiting" });
  const leaving = new AbortController();
  const result = engine.result("waiting", { signal: leaving.signal });
  const events = (async () => {
    for await (const _event of engine.events("waiting", { signal: leaving.signal })) throw new Error("An event.");
  })();
  leaving.abort();
  await expect(result).rejects.toMatchObject({ name: "AbortError" });
  await events;
});

test("a run is submitted whole: a name that is taken by another run is refused, and nothing is left lying about", async () => {
  const { folder, engine } = await setUp();
  await engine.submit("agent", { task: 1 }, { runId: "once" });
  await engine.submit("agent", { task: 1 }, { runId: "once" });
  await expect(engine.submit("agent", { task: 2 }, { runId: "once" })).rejects.toThrow("exists already");
  expect(readdirSync(join(folder, "once"))).toEqual(["run.json"]);
  await expect(engine.submit("agent", null, { runId: ".." })).rejects.toThrow("cannot name a run");
});

// What only a distributed engine meets: workers that sleep and wake, cut cables, a database that dies.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { DBOSClient } from "@dbos-inc/dbos-sdk";
import { RunFailedError } from "@rondo/durable";
import { auditEvents, auditRun, readLog } from "@rondo/durable/testing";
import { dbosEngine } from "@rondo/durable-dbos";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cuttableProxy } from "./cuttable-proxy.ts";
import { type DbosRig, DbosRunner, LEASE_MS } from "./dbos-rig.ts";
import { skipReason } from "./test-postgres.ts";

const START_TIMEOUT_MS = 60_000;
const RUNS = ["run-1", "run-2", "run-3", "run-4", "run-5", "run-6"];
const TURNS = 8;
const POSTGRES_PORT = 5432;

async function submitRuns(rig: DbosRig): Promise<void> {
  const input = { logPath: rig.logPath, turns: TURNS, modelMs: 100, toolMs: 50 };
  for (const runId of RUNS) await rig.engine.submit("rehearsal", input, { runId });
}

async function untilAtWork(rig: DbosRig, pids: number[] = []): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    const log = readLog(rig.logPath);
    if (log.length > 10 && pids.every((pid) => log.some((entry) => entry.pid === pid))) return;
    await delay(20);
  }
  throw new Error("The workers never came to work.");
}

async function auditAll(rig: DbosRig, kills: number): Promise<void> {
  for (const runId of RUNS) {
    const result = await rig.engine.result(runId, { signal: AbortSignal.timeout(120_000) });
    auditRun(result, { runId, turns: TURNS, log: readLog(rig.logPath), kills });
    const events = [];
    for await (const event of rig.engine.events(runId)) events.push(event);
    auditEvents(events, result);
  }
}

describe.skipIf(skipReason !== undefined)(`failures${skipReason ? `, skipped: ${skipReason}` : ""}`, () => {
  let runner: DbosRunner | undefined;

  beforeAll(async () => {
    runner = await DbosRunner.create();
  }, START_TIMEOUT_MS);
  afterAll(() => runner?.dispose(), START_TIMEOUT_MS);

  test("a worker that sleeps loses its runs, and when it wakes it can do nothing to them", async () => {
    await runner?.run(async (rig) => {
      await submitRuns(rig);
      const sleeper = await rig.startWorker({ concurrency: 6 });
      await untilAtWork(rig);
      await sleeper.kill("SIGSTOP");
      await rig.startWorker({ concurrency: 6 });
      await auditAll(rig, 1);
      const before = readLog(rig.logPath);
      await sleeper.kill("SIGCONT");
      await delay(3_000);
      const after = readLog(rig.logPath).slice(before.length);
      expectNothingBegun(after);
      assert.ok(sleeper.alive, "the worker lives on");
      await rig.engine.submit(
        "rehearsal",
        { logPath: rig.logPath, turns: 1, modelMs: 1, toolMs: 1 },
        { runId: "after-sleep" },
      );
      expect((await rig.engine.result("after-sleep")).reason).toBe("completed");
    });
  });

  test("a worker that sleeps and whose runs nobody took goes on with them", async () => {
    await runner?.run(async (rig) => {
      await submitRuns(rig);
      const sleeper = await rig.startWorker({ concurrency: RUNS.length });
      await untilAtWork(rig);
      await sleeper.kill("SIGSTOP");
      await delay(2 * LEASE_MS);
      await sleeper.kill("SIGCONT");
      await auditAll(rig, 0);
    });
  });

  test("a worker whose cable is cut loses its runs and is fenced when it is back", async () => {
    await runner?.run(async (rig) => {
      const url = new URL(rig.url);
      const proxy = await cuttableProxy({ host: url.hostname, port: Number(url.port || POSTGRES_PORT) });
      url.hostname = "127.0.0.1";
      url.port = String(proxy.port);
      try {
        await submitRuns(rig);
        const cutOff = await rig.startWorkerVia(url.href);
        await untilAtWork(rig, [cutOff.pid]);
        proxy.cut();
        await rig.startWorker();
        await auditAll(rig, 1);
        const before = readLog(rig.logPath).length;
        proxy.heal();
        await delay(3_000);
        expectNothingBegun(readLog(rig.logPath).slice(before));
      } finally {
        await proxy.close();
      }
    });
  });

  test("runs go on when the database was killed and is back", async (context) => {
    await runner?.run(async (rig) => {
      const { cluster } = rig;
      if (!cluster) return context.skip("the server of DATABASE_URL is not the test's to kill");
      await submitRuns(rig);
      const workers = [await rig.startWorker(), await rig.startWorker()];
      await untilAtWork(rig);
      await cluster.crash();
      await delay(2_000);
      await cluster.start();
      await auditAll(rig, 2);
      assert.ok(workers.every((worker) => worker.alive));
    });
  });

  test("a worker that is asked to stop hands its runs over at once", async () => {
    await runner?.run(async (rig) => {
      await submitRuns(rig);
      const leaving = await rig.startWorker();
      await untilAtWork(rig);
      await leaving.kill("SIGTERM");
      await rig.startWorker();
      await auditAll(rig, 1);
    });
  });

  test("a run that is cancelled in DBOS itself ends as failed and says so", async () => {
    await runner?.run(async (rig) => {
      await submitRuns(rig);
      await rig.startWorker();
      await untilAtWork(rig);
      const client = await DBOSClient.create({ systemDatabaseUrl: rig.url, applicationName: "rondo" });
      await client.cancelWorkflow("run-1");
      await client.destroy();
      await expect(rig.engine.result("run-1")).rejects.toThrow(RunFailedError);
      expect(await rig.engine.state("run-1")).toBe("failed");
      expect((await rig.engine.result("run-2")).reason).toBe("completed");
    });
  });

  test("engines that meet on an empty database migrate it one after the other", async () => {
    await runner?.run(async (rig) => {
      const admin = new Client({ connectionString: rig.url });
      await admin.connect();
      await admin.query("drop schema dbos cascade");
      await admin.query("drop schema rondo cascade");
      await admin.end();
      const engines = await Promise.all([1, 2, 3, 4].map(() => dbosEngine({ url: rig.url })));
      await rig.startWorker();
      await submitRuns(rig);
      await auditAll(rig, 0);
      for (const engine of engines) await engine.close();
    });
  });
});

/** What a tool was doing it goes on doing; nothing more is begun. */
function expectNothingBegun(after: ReturnType<typeof readLog>): void {
  expect(after.filter(({ phase }) => phase === "start")).toEqual([]);
}

// One story of workers and clients that every engine must tell alike, through the built command alone.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { type CommandEnd, rondo } from "../command.ts";
import { temporaryFolder } from "../temporary-workspace.ts";
import { ALLOW, ANSWER, logIn, serveTask, taskFolder } from "./task-model.ts";
import { startWorker } from "./worker-process.ts";

const PATIENCE_MS = 30_000;

/**
 * A worker is killed in the middle of a command, another one ends the run; messages reach it; a run without permissions is refused
 * them; an abort ends one that waits.
 */
export async function tellWorkerStory(engine: string[]): Promise<void> {
  const base = temporaryFolder();
  const cwd = taskFolder(base);
  const env = { PATH: process.env["PATH"] ?? "", HOME: base, RONDO_DATA: join(base, "data"), TMPDIR: base };
  const client = (...args: string[]): Promise<CommandEnd> => rondo(args, { cwd, env });
  const model = await serveTask(2);

  const submitted = await client("submit", ...engine, "--run", "first", "work");
  expect([submitted.code, submitted.stdout]).toEqual([0, "first\n"]);
  const sent = await client("send", ...engine, "first", "by the way");
  expect([sent.code, sent.stderr]).toEqual([0, "rondo: The message waits for the run.\n"]);
  await client("send", ...engine, "first", "--follow-up", "and then");

  writeFileSync(join(cwd, "slow"), "");
  const first = await startWorker([...engine, ...model.flags, ...ALLOW], { cwd, env });
  await vi.waitUntil(() => logIn(cwd).length > 0, { timeout: PATIENCE_MS, interval: 20 });
  await first.kill("SIGKILL");
  rmSync(join(cwd, "slow"));
  const second = await startWorker([...engine, ...model.flags, ...ALLOW], { cwd, env });
  const watched = await client("watch", ...engine, "first");
  expect([watched.code, watched.stdout.split("\n").filter((line) => line === ANSWER).length]).toEqual([0, 2]);
  expect(watched.stderr).toContain("was interrupted");
  expect(logIn(cwd)).toEqual([1, 2]);
  const said = model.requests.at(-1)?.messages.flatMap((message) => (message.role === "user" ? message.text : []));
  // Neighbours of one role are one message on the wire.
  expect(said).toEqual(["work\nby the way", "and then"]);
  expect((await client("send", ...engine, "first", "late")).code).toBe(1);
  expect(await second.kill("SIGTERM")).toBe(0);

  await client("submit", ...engine, "--run", "second", "work");
  await client("submit", ...engine, "--run", "third", "work");
  expect((await client("send", ...engine, "--abort", "third", "not needed")).code).toBe(0);
  await startWorker([...engine, ...model.flags], { cwd, env });
  const refused = await client("watch", ...engine, "second", "--mode", "json");
  expect(refused.stdout).toContain("nobody here could be asked");
  expect([refused.code, logIn(cwd)]).toEqual([0, [1, 2]]);
  const aborted = await client("watch", ...engine, "third");
  expect([aborted.code, aborted.stderr]).toEqual([130, expect.stringContaining("not needed")]);
}

// `rondo --durable` through the built command: killed at many records, ended by signals, gone on with, audited by what the
// commands of the model really wrote.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentMessage } from "@rondo/agent";
import { expect, test } from "vitest";
import { checkDurableFlags } from "../../src/durable/check-flags.ts";
import { parseCommandLine } from "../../src/flags/parse.ts";
import { readSessionFile } from "../../src/session/session-file.ts";
import { SessionTree } from "../../src/session/session-tree.ts";
import { rondo } from "../command.ts";
import { onlySession } from "../session/killed-runs.ts";
import { temporaryFolder } from "../temporary-workspace.ts";
import { ALLOW, ANSWER, logIn, serveTask, taskFolder } from "./task-model.ts";

/** Seconds on a machine with time; many processes on one without. */
const PATIENCE_MS = 180_000;

function place() {
  const base = temporaryFolder();
  return { cwd: taskFolder(base), data: join(base, "data"), env: { RONDO_DATA: join(base, "data") } };
}

/** How many records there are of all runs that are kept. */
function recordCount(data: string): number {
  try {
    const names = readdirSync(join(data, "runs"), { recursive: true, encoding: "utf8" });
    const journals = names.filter((name) => name.endsWith("journal.jsonl"));
    return journals.reduce((sum, name) => sum + readFileSync(join(data, "runs", name), "utf8").split("\n").length, 0);
  } catch {
    return 0;
  }
}

function messagesIn(data: string): AgentMessage[] {
  return new SessionTree(readSessionFile(onlySession(data)).entries).state().messages;
}

/** Every call has one result; a command ran once if its result says so, and at most once if it was cut. */
function audit(messages: AgentMessage[], log: number[], turns: number): void {
  const results = messages.filter((message) => message.role === "toolResult");
  const ids = Array.from({ length: turns }, (_, index) => [`look_${index + 1}`, `write_${index + 1}`]).flat();
  expect(results.map(({ toolCallId }) => toolCallId)).toEqual(ids);
  expect(log).toEqual([...new Set(log)]);
  for (const { toolCallId, content, isError } of results) {
    const said = JSON.stringify(content);
    if (toolCallId.startsWith("look")) expect([toolCallId, isError]).toEqual([toolCallId, false]);
    else if (isError) expect(said).toContain("was interrupted");
    else expect(log).toContain(Number(toolCallId.slice("write_".length)));
  }
}

test("a run that is killed again and again goes on where it was, and no command runs twice", {
  timeout: PATIENCE_MS,
}, async () => {
  const { cwd, data, env } = place();
  const turns = 2;
  const model = await serveTask(turns);
  const flags = ["--durable", ...model.flags, ...ALLOW];
  let kills = 0;
  let end = await killAfterRecords([...flags, "work"]);
  while (end.signal === "SIGKILL") {
    kills++;
    end = await killAfterRecords([...flags, "--continue"]);
  }
  expect(kills).toBeGreaterThanOrEqual(1);
  expect([end.code, end.stdout]).toEqual([0, `${ANSWER}\n`]);
  expect(end.stderr).toContain("Going on with the run that was cut.");
  const messages = messagesIn(data);
  expect(messages.map(({ role }) => role).join(" ")).toBe(
    "user assistant toolResult toolResult assistant toolResult toolResult assistant",
  );
  audit(messages, logIn(cwd), turns);
  expect(recordCount(data)).toBe(0);

  /** Each process is killed when it has added a few records. */
  async function killAfterRecords(args: string[]) {
    const most = recordCount(data) + 8;
    let timer: NodeJS.Timeout | undefined;
    const ended = await rondo(args, {
      cwd,
      env,
      onStart: (child) => {
        timer = setInterval(() => recordCount(data) >= most && child.kill("SIGKILL"), 3);
      },
    });
    clearInterval(timer);
    return ended;
  }
});

test("a model call that was cut is made again; a command that was cut is not, and the model is told", async () => {
  const { cwd, data, env } = place();
  let kill = () => {};
  const model = await serveTask(1, () => kill());
  const flags = ["--durable", ...model.flags, ...ALLOW];
  const onStart = (child: { kill(name: NodeJS.Signals): boolean }) => {
    kill = () => child.kill("SIGKILL");
  };
  const cut = await rondo([...flags, "work"], { cwd, env, onStart });
  expect([cut.signal, model.requests.length]).toEqual(["SIGKILL", 1]);
  const other = await rondo([...flags, "--continue", "something else"], { cwd, env });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("Go on with it first")]);

  writeFileSync(join(cwd, "slow"), "");
  let timer: NodeJS.Timeout | undefined;
  const cutInCommand = await rondo([...flags, "--continue"], {
    cwd,
    env,
    onStart: (child) => {
      kill = () => {};
      timer = setInterval(() => logIn(cwd).length > 0 && child.kill("SIGKILL"), 5);
    },
  });
  clearInterval(timer);
  expect([cutInCommand.signal, model.requests.length]).toEqual(["SIGKILL", 2]);

  rmSync(join(cwd, "slow"));
  const end = await rondo([...flags, "--continue"], { cwd, env });
  expect([end.code, end.stdout, model.requests.length]).toEqual([0, `${ANSWER}\n`, 3]);
  expect(logIn(cwd)).toEqual([1]);
  const told = messagesIn(data).find((message) => message.role === "toolResult" && message.toolCallId === "write_1");
  expect(told).toEqual(expect.objectContaining({ isError: true }));
  audit(messagesIn(data), [1], 1);
});

test("SIGTERM lets go of a run, which goes on later; an interruption ends it", async () => {
  const { cwd, data, env } = place();
  let signal = () => {};
  const model = await serveTask(1, () => signal());
  const flags = ["--durable", ...model.flags, ...ALLOW];
  const sending = (name: NodeJS.Signals) => ({
    cwd,
    env,
    onStart: (child: { kill(name: NodeJS.Signals): boolean }) => {
      signal = () => {
        signal = () => {}; // A second one would end the process without order.
        child.kill(name);
      };
    },
  });
  const left = await rondo([...flags, "work"], sending("SIGTERM"));
  expect([left.code, messagesIn(data).length]).toEqual([143, 1]);
  const ended = await rondo([...flags, "--continue"], sending("SIGINT"));
  expect([ended.code, messagesIn(data).length > 1]).toEqual([130, true]);
  const nothing = await rondo([...flags, "--continue"], { cwd, env });
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("No run of this session was cut")]);
});

test.each([
  [["--durable", "--no-session", "x"], "--durable and --no-session exclude each other"],
  [["--durable", "--mode", "rpc"], "does not go with --mode rpc"],
  [["--engine", "dbos", "x"], "--engine is for the commands of durable runs"],
])("%j is a usage error", (args, message) => {
  expect(() => checkDurableFlags(parseCommandLine(args))).toThrow(message);
});

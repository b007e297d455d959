// Sessions as a person meets them: through the command alone, one process after the other.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getModel } from "@rondo/ai";
import { replayScript, type WireRequest } from "@rondo/test-fixtures";
import { expect, test } from "vitest";
import { main, rondo } from "./command.ts";
import { serve, text, through } from "./served-model.ts";
import { killRuns, onlySession } from "./session/killed-runs.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

/** A folder to work in, and one where sessions are kept. */
function place() {
  const base = temporaryFolder();
  const cwd = join(base, "workspace");
  mkdirSync(cwd);
  return { cwd, env: { RONDO_DATA: join(base, "data") }, data: join(base, "data") };
}

const DEMO = ["-p", "--model", "demo"];

/** A model that answers with a number, and what it was sent. */
async function countingModel() {
  const seen: WireRequest[] = [];
  const server = await serve(
    replayScript((request) => {
      seen.push(request);
      return text(`Answer ${seen.length}.`);
    }),
  );
  const said = () => seen.map(({ messages }) => messages.map((message) => ("text" in message ? message.text : "")));
  return { said, flags: ["-p", ...through(server.url)] };
}

test("a conversation goes on where it was, in a file that only its owner can read", async () => {
  const { cwd, env, data } = place();
  const { said, flags } = await countingModel();
  await rondo([...flags, "one"], { cwd, env });
  await rondo([...flags, "-c", "two"], { cwd, env });
  const listed = await rondo(["sessions"], { cwd, env });
  expect([listed.code, listed.stdout]).toEqual([
    0,
    expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{6} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}4 messages {2}one\n$/),
  ]);
  const id = listed.stdout.split(" ")[0] ?? "";
  await rondo([...flags, "--resume", id.slice(-6), "three"], { cwd, env });
  await rondo([...flags, "--resume=ON", "four"], { cwd, env });
  await rondo([...flags, "--no-session", "alone"], { cwd, env });
  expect(said()).toEqual([
    ["one"],
    ["one", "Answer 1.", "two"],
    ["one", "Answer 1.", "two", "Answer 2.", "three"],
    ["one", "Answer 1.", "two", "Answer 2.", "three", "Answer 3.", "four"],
    ["alone"],
  ]);
  expect(statSync(onlySession(data)).mode & 0o777).toBe(0o600);
});

test("a copy goes on from any entry, and the session that it is a copy of stays as it was", async () => {
  const { cwd, env, data } = place();
  const { said, flags } = await countingModel();
  await rondo([...flags, "one"], { cwd, env });
  await rondo([...flags, "-c", "two"], { cwd, env });
  const original = onlySession(data);
  const before = readFileSync(original, "utf8");
  const lines = before
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const answer = lines.find(({ message }) => message?.role === "assistant");
  const { stdout: shown } = await rondo(["sessions", lines[0].id], { cwd, env });
  expect(shown.split("\n").slice(1, 5)).toEqual([
    expect.stringMatching(/^ {2}[0-9a-f]{8} {2}you {4}one$/),
    `  ${answer.id}  model  Answer 1.`,
    expect.stringMatching(/^ {2}[0-9a-f]{8} {2}you {4}two$/),
    expect.stringMatching(/^ {2}[0-9a-f]{8} {2}model {2}Answer 2\.$/),
  ]);
  await rondo([...flags, `--fork=:${answer.id}`, "else"], { cwd, env });
  expect(said().at(-1)).toEqual(["one", "Answer 1.", "else"]);
  expect(readFileSync(original, "utf8")).toBe(before);
  const copies = readdirSync(join(original, "..")).filter((name) => name.endsWith(".jsonl"));
  const copy = copies.map((name) => join(original, "..", name)).find((path) => path !== original) ?? "";
  const copied = readFileSync(copy, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(copied.map(({ type }) => type).filter((type) => type === "session")).toEqual(["session"]);
  expect(copied[0].parent).toEqual({ session: lines[0].id, entry: answer.id });
});

test("the model of a session is that of the next run; a flag changes it", async () => {
  const { cwd, env } = place();
  await rondo([...DEMO, "repeat: one"], { cwd, env });
  const next = await rondo(["-p", "-c", "repeat: two"], { cwd, env: { ...env, OPENAI_API_KEY: "k" } });
  expect([next.code, next.stdout]).toEqual([0, "two\n"]);
});

test.each([
  [["-c", "hi"], "There is no session of this folder yet, so there is none to go on with."],
  [["--resume", "x", "hi"], "There is no session of this folder yet."],
  [["--fork", "--", "hi"], "There is no session of this folder yet, so there is none to copy."],
  [["-c", "--no-session", "hi"], "--continue and --no-session exclude each other."],
  [["--session", "note.txt", "hi"], "note.txt is no session of rondo, so it is left alone."],
  [["--session", "barred.jsonl", "hi"], "barred.jsonl cannot be written: "],
])("%j is a usage error", async (args, message) => {
  const { cwd, env } = place();
  writeFileSync(join(cwd, "note.txt"), "not JSON\n");
  mkdirSync(join(cwd, "barred.jsonl.lock"));
  const end = await rondo([...DEMO, ...args], { cwd, env });
  expect([end.code, end.stdout, end.stderr]).toEqual([2, "", expect.stringContaining(message)]);
});

test("a session that another rondo has open is not written to; a copy of it can be", async () => {
  const { cwd, env, data } = place();
  await rondo([...DEMO, "repeat: one"], { cwd, env });
  const holder = rondo(["--model", "demo", "--mode", "rpc", "-c"], {
    cwd,
    env,
    stdin: "open",
    onStart: (child) => child.stdout.once("data", () => void contend(child)),
  });
  let ends: [number | null, string][] = [];
  async function contend(child: { stdin: { end: () => void } }) {
    const refused = await rondo([...DEMO, "-c", "repeat: two"], { cwd, env });
    const copied = await rondo([...DEMO, "--fork", "--", "repeat: two"], { cwd, env });
    ends = [
      [refused.code, refused.stderr],
      [copied.code, copied.stdout],
    ];
    child.stdin.end();
  }
  expect((await holder).code).toBe(0);
  expect(ends).toEqual([
    [
      2,
      expect.stringMatching(
        /is open in another rondo\. End that one first, or go on in a copy: rondo --fork=[0-9a-f]{6}\n$/,
      ),
    ],
    [0, "two\n"],
  ]);
  expect(
    readdirSync(join(data, "sessions"), { recursive: true }).filter((name) => String(name).endsWith(".jsonl")),
  ).toHaveLength(2);
});

test("sessions are listed in columns, in local time; those that no key was found for are left out", async () => {
  const { cwd, env, data } = place();
  await rondo([...DEMO, "repeat: one"], { cwd, env });
  const folder = join(onlySession(data), "..");
  await rondo([...DEMO, "--session", join(folder, "two.jsonl"), "repeat: ein 長い\n\tTitel"], { cwd, env });
  const failed = await rondo(["-p", "--model", "anthropic/claude-sonnet-5-5", "no key"], { cwd, env });
  expect([failed.code, readdirSync(folder).length]).toEqual([3, 3]);
  const moment = new Date("2026-03-04T23:30:00Z");
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), moment, moment);
  const { stdout } = await rondo(["sessions"], { cwd, env: { ...env, TZ: "Asia/Tokyo" } });
  const rows = stdout.trimEnd().split("\n");
  expect(rows.map((row) => row.replace(/\d{8}-\d{6}-[0-9a-f]{6}/, "ID"))).toEqual([
    expect.stringMatching(/^ID {2}2026-03-05 08:30 {2}2 messages {2}repeat: /),
    expect.stringMatching(/^ID {2}2026-03-05 08:30 {2}2 messages {2}repeat: /),
  ]);
  expect(rows.map((row) => row.split("  ").at(-1)).sort()).toEqual(["repeat: ein 長い Titel", "repeat: one"]);
  const next = await rondo(["-p", "-c", "repeat: on"], { cwd, env });
  expect([next.code, next.stdout]).toEqual([0, "on\n"]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".lock"))).toEqual([]);
});

test.each(["--fork", "--resume"])("a prompt that %s took for a session is told how to say it", async (flag) => {
  const { cwd, env } = place();
  await rondo([...DEMO, "repeat: one"], { cwd, env });
  const end = await rondo([...DEMO, flag, "try it otherwise"], { cwd, env });
  expect([end.code, end.stdout, end.stderr.replace(/\d{8}-\S+ {2}\S+ \S+/, "ID  WHEN")]).toEqual([
    2,
    "",
    `rondo: No session of this folder fits "try it otherwise". If that was the prompt, write ${flag} -- "…" for the last session, or ${flag}=<id> "…" for another. There are:\n  ID  WHEN  2 messages  repeat: one\n`,
  ]);
  const named = await rondo([...DEMO, flag, "try", "it otherwise"], { cwd, env });
  expect(named.stderr).toMatch(/^rondo: No session of this folder fits "try"\. There are:\n {2}/);
});

test("when notes are made is a setting", async () => {
  const { cwd, env } = place();
  const window = getModel("anthropic", "claude-sonnet-5-5")?.contextWindow ?? 0;
  const asked: string[] = [];
  const server = await serve(
    replayScript(({ messages }) => {
      const last = messages.at(-1);
      asked.push(last && "text" in last ? last.text : "");
      return { ...text(`Answer. ${"word ".repeat(4000)}`), usage: { input: window - 60_000, output: 1 } };
    }),
  );
  const flags = ["-p", ...through(server.url)];
  await rondo([...flags, "one"], { cwd, env });
  await rondo([...flags, "-c", "two"], { cwd, env });
  expect(asked.map((said) => said.includes("handover notes"))).toEqual([false, false]);
  const config = join(cwd, "..", "config");
  mkdirSync(config);
  writeFileSync(join(config, "settings.json"), '{"compaction":{"reserveTokens":100000,"keepRecentTokens":4000}}');
  const end = await rondo([...flags, "-c", "three"], { cwd, env: { ...env, RONDO_CONFIG: config } });
  expect(asked.slice(2).map((said) => said.includes("handover notes"))).toEqual([true, false]);
  expect(end.stderr).toMatch(/^rondo: Notes stand for the first \d messages now/);
});

test.skipIf(process.platform === "win32")("a line that had no room on the disk is taken back whole", async () => {
  const { cwd, env, data } = place();
  // 512 bytes each: the question fits, the answer does not.
  const line = `ulimit -f 8; '${process.execPath}' '${main}' ${DEMO.join(" ")} 'repeat what you get'`;
  const end = spawnSync("sh", ["-c", line], {
    ...{ cwd, env: { ...process.env, ...env }, encoding: "utf8", input: "word ".repeat(500) },
  });
  expect([end.status, end.stderr]).toEqual([1, expect.stringContaining("cannot be written: the disk is full.")]);
  const lines = readFileSync(onlySession(data), "utf8").split("\n");
  expect(lines.pop()).toBe("");
  expect(lines.map((each) => JSON.parse(each).type)).toEqual(["session", "model", "thinking", "message"]);
});

test("a damaged session says so and goes on", async () => {
  const { cwd, env, data } = place();
  await rondo([...DEMO, "repeat: one"], { cwd, env });
  const path = onlySession(data);
  writeFileSync(path, readFileSync(path, "utf8").slice(0, -20));
  const end = await rondo([...DEMO, "-c", "repeat: two"], { cwd, env });
  expect([end.code, end.stdout, end.stderr]).toEqual([
    0,
    "two\n",
    expect.stringContaining("The session had damage and goes on without line 5 (it is cut off or no JSON)."),
  ]);
});

test("a run that is killed at any moment loses nothing that was reported, and its session goes on", async () => {
  await killRuns(4, 3);
});

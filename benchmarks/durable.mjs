#!/usr/bin/env node
// Durable runs measured on both engines, in one command: node benchmarks/durable.mjs [--write] [journal|dbos …]. Builds the packages,
// and takes the server of DATABASE_URL or starts a private PostgreSQL if its programs are here; without either, the journal alone.
// Prints a table; --write puts it into docs/durable.md. Each number is the median of its rounds.
import { fork, spawn, spawnSync } from "node:child_process";
import { on, once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs/durable.md");
const MARKS = ["<!-- bench:durable -->", "<!-- /bench:durable -->"];
const ROUNDS = 5;
const RUNS_AT_ONCE = 200;
const LONG_RUN_STEPS = 1_000;

/** Each engine is measured in a process of its own, which tells its lines to this one. */
const isMeasuring = process.send !== undefined;

const packages = ["ai", "agent", "durable", "durable-dbos"].map((name) => `packages/${name}`);
const bundle = [join(root, "tools/bundle.mjs"), ...packages];
if (!isMeasuring && spawnSync(process.execPath, bundle, { stdio: "inherit" }).status !== 0) process.exit(1);
const { runAgentLoop } = await import("../packages/agent/dist/index.js");
const { agentOf, openEngine } = await import("./durable-agent.mjs");

const now = () => performance.now();
const round = (value, digits) => Number(value.toFixed(digits));
const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];

/** The median of several rounds of a measurement, and the worst. */
async function rounds(measure, count = ROUNDS) {
  const values = [];
  for (let index = 0; index < count; index++) values.push(await measure());
  return { median: median(values), worst: Math.max(...values) };
}

let runs = 0;
const nextName = () => `bench-${process.pid}-${runs++}`;

/** Runs an agent to its end; how long it took, and how many steps were recorded. */
async function timeRun(engine, input) {
  let steps = 0;
  const runId = nextName();
  await engine.submit("bench", input, { runId });
  const started = now();
  const onRecord = (moment) => {
    if (moment === "after") steps++;
  };
  const worker = await engine.worker({ bench: agentOf }, { version: "1", onRecord });
  await engine.result(runId);
  const ms = now() - started;
  await worker.close();
  return { ms, steps };
}

/** What a step costs beyond the same loop without an engine, whose start is taken off with a short run. */
async function overheadPerStep(engine) {
  const loop = async (turns) => {
    const { model, streamFn, tools } = agentOf({ turns });
    const started = now();
    const config = { model, convertToLlm: (messages) => messages };
    const prompt = { role: "user", content: "Go.", timestamp: 0 };
    await runAgentLoop([prompt], { systemPrompt: "", messages: [], tools }, config, () => {}, undefined, streamFn);
    return now() - started;
  };
  await loop(100);
  await timeRun(engine, { turns: 10 });
  const plainMs = (await loop(200)) - (await loop(10));
  const short = await timeRun(engine, { turns: 10 });
  const long = await timeRun(engine, { turns: 200 });
  return (long.ms - short.ms - plainMs) / (long.steps - short.steps);
}

/** Runs of three turns, all at once. */
async function manyRuns(engine, count = RUNS_AT_ONCE) {
  const names = Array.from({ length: count }, nextName);
  const memoryBefore = process.memoryUsage().rss;
  for (const runId of names) await engine.submit("bench", { turns: 3 }, { runId });
  const started = now();
  const worker = await engine.worker({ bench: agentOf }, { version: "1", concurrency: count });
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  // One after the other: two hundred who wait would be most of what the store has to do.
  for (const runId of names) await engine.result(runId);
  const seconds = (now() - started) / 1000;
  clearInterval(timer);
  await worker.close();
  return { runsPerSecond: count / seconds, memoryPerRunKb: (most - memoryBefore) / count / 1024 };
}

/** From kill -9 of a worker until another one, which was there all along, has done a new step. */
async function recoveryMs(engine, name, place) {
  await engine.submit("bench", { turns: 200, toolMs: 20 }, { runId: nextName() });
  const script = fileURLToPath(new URL("durable-agent.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, name, place], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const [part] of on(child.stdout, "data")) {
    output += part;
    if (output.split("\n").length > 20) break;
  }
  // It goes on working and telling until it is killed.
  child.stdout.resume();
  let onFirst = () => {};
  const first = new Promise((resolve) => {
    onFirst = resolve;
  });
  const worker = await engine.worker({ bench: agentOf }, { version: "1", onRecord: () => onFirst() });
  child.kill("SIGKILL");
  const killed = now();
  await once(child, "exit");
  await first;
  const ms = now() - killed;
  await worker.close();
  return ms;
}

/** From taking up a run with so many recorded steps until its next step. */
async function resumeMs(engine) {
  const runId = nextName();
  await engine.submit("bench", { turns: LONG_RUN_STEPS / 2 }, { runId });
  let reached = () => {};
  const enough = new Promise((resolve) => {
    reached = resolve;
  });
  let steps = 0;
  const count = (moment) => moment === "after" && ++steps === LONG_RUN_STEPS && reached();
  const first = await engine.worker({ bench: agentOf }, { version: "1", onRecord: count });
  await enough;
  await first.close();
  let onFirst = () => {};
  const next = new Promise((resolve) => {
    onFirst = resolve;
  });
  const started = now();
  const second = await engine.worker({ bench: agentOf }, { version: "1", onRecord: () => onFirst() });
  await next;
  const ms = now() - started;
  await engine.result(runId);
  await second.close();
  return ms;
}

/** Everything about one engine, as lines of a table. */
async function measure(name, place) {
  const engine = await openEngine(name, place);
  const tell = (what, value) => {
    console.log(`${name}: ${what}: ${value}`);
    return [what, value];
  };
  // Before anything else, since later rounds find the memory of the one before.
  const many = [];
  for (let index = 0; index < 3; index++) many.push(await manyRuns(engine));
  const rate = median(many.map(({ runsPerSecond }) => runsPerSecond));
  const lines = [tell(`runs of three turns a second, ${RUNS_AT_ONCE} at once`, round(rate, 1))];
  lines.push(tell("memory a run, of those", `${round(many[0].memoryPerRunKb, 0)} KB`));
  const overhead = await rounds(() => overheadPerStep(engine));
  lines.push(tell("a step, beyond the bare loop", `${round(overhead.median, 2)} ms`));
  const resume = await rounds(() => resumeMs(engine), 3);
  lines.push(tell(`resume of a run of ${LONG_RUN_STEPS} steps`, `${round(resume.median, 0)} ms`));
  const recovery = await rounds(() => recoveryMs(engine, name, place));
  const told = `${round(recovery.median, 0)} ms, at worst ${round(recovery.worst, 0)}`;
  lines.push(tell("from kill -9 to the next step on another worker", told));
  await engine.close();
  return lines;
}

/** PostgreSQL as the tests have it, from their TypeScript; undefined where there is none. */
async function startPostgres() {
  const { rolldown } = await import("rolldown");
  const file = join(root, "packages/durable-dbos/node_modules/.cache/rondo-bench", `postgres-${process.pid}.mjs`);
  const bundle = await rolldown({
    input: join(root, "packages/durable-dbos/test/test-postgres.ts"),
    platform: "node",
    external: [/^pg$/],
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  const { skipReason, TestPostgres } = await import(file).finally(() => rmSync(file));
  if (skipReason === undefined) return TestPostgres.start();
  console.log(`DBOS is left out: ${skipReason}.`);
  return undefined;
}

const ENGINES = {
  async journal() {
    const folder = mkdtempSync(join(tmpdir(), "rondo-bench-"));
    const lines = await measure("journal", folder);
    rmSync(folder, { recursive: true });
    return lines;
  },
  async dbos() {
    const postgres = await startPostgres();
    if (!postgres) return undefined;
    const url = await postgres.createDatabase();
    const lines = await measure("dbos", url);
    await postgres.dropDatabase(url);
    await postgres.dispose();
    return lines;
  },
};

const wanted = process.argv.slice(2).filter((argument) => argument !== "--write");
const unknown = wanted.find((name) => !(name in ENGINES));
if (unknown !== undefined) {
  console.error(`There is no engine "${unknown}". There are: ${Object.keys(ENGINES).join(", ")}.`);
  process.exit(2);
}
if (isMeasuring) {
  process.send((await ENGINES[wanted[0]]()) ?? [], () => process.exit(0));
  await once(process, "exit");
}
const columns = [];
for (const name of wanted.length > 0 ? wanted : Object.keys(ENGINES)) {
  const child = fork(fileURLToPath(import.meta.url), [name]);
  const [lines] = await once(child, "message");
  await once(child, "exit");
  if (lines.length > 0) columns.push({ name, lines });
}
const row = (cells) => `| ${cells.join(" | ")} |`;
const table = [
  row(["", ...columns.map(({ name }) => name)]),
  row(["---", ...columns.map(() => "---")]),
  ...columns[0].lines.map(([what], index) => row([what, ...columns.map(({ lines }) => lines[index][1])])),
].join("\n");
const conditions = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0].model.trim()}, load ${round(loadavg()[0], 1)}.`;
console.log(`\n${table}\n\n${conditions}`);
if (process.argv.includes("--write")) {
  const [before] = readFileSync(page, "utf8").split(MARKS[0]);
  const [, after] = readFileSync(page, "utf8").split(MARKS[1]);
  writeFileSync(page, `${before}${MARKS[0]}\n${table}\n\n${conditions}\n${MARKS[1]}${after}`);
}

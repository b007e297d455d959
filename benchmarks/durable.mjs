#!/usr/bin/env node
// Durable runs measured, on the built packages: node benchmarks/durable.mjs [postgresql://…]. Without a database the journal alone.
// Numbers go to standard output as lines of JSON; docs/durable.md has those of one machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAgentLoop } from "../packages/agent/dist/index.js";
import { agentOf, openEngine } from "./durable-agent.mjs";

const now = () => performance.now();
const round = (value) => Math.round(value * 100) / 100;
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
  return round((long.ms - short.ms - plainMs) / (long.steps - short.steps));
}

/** Runs of three turns, all at once. */
async function manyRuns(engine, count = 200) {
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
  return { runsPerSecond: round(count / seconds), memoryPerRunKb: Math.round((most - memoryBefore) / count / 1024) };
}

/** From kill -9 of a worker until another one, which was there all along, has done a new step. */
async function recoveryMs(engine, name, place) {
  await engine.submit("bench", { turns: 200, toolMs: 20 }, { runId: nextName() });
  const script = new URL("durable-agent.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, name, place], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const part of child.stdout) {
    output += part;
    if (output.split("\n").length > 20) break;
  }
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
  return Math.round(ms);
}

/** From taking up a run with 1,000 recorded steps until its next step. */
async function resumeMs(engine) {
  const runId = nextName();
  await engine.submit("bench", { turns: 400 }, { runId });
  let reached = () => {};
  const enough = new Promise((resolve) => {
    reached = resolve;
  });
  let steps = 0;
  const count = (moment) => moment === "after" && ++steps === 1000 && reached();
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
  return Math.round(ms);
}

async function measure(name, place) {
  const engine = await openEngine(name, place);
  const tell = (numbers) => process.stdout.write(`${JSON.stringify({ engine: name, ...numbers })}\n`);
  tell({ overheadPerStepMs: await overheadPerStep(engine) });
  tell(await manyRuns(engine));
  tell({ resumeOf1000StepsMs: await resumeMs(engine) });
  tell({ recoveryMs: await recoveryMs(engine, name, place) });
  await engine.close();
}

const folder = mkdtempSync(join(tmpdir(), "rondo-bench-"));
await measure("journal", folder);
rmSync(folder, { recursive: true });
if (process.argv[2]) await measure("dbos", process.argv[2]);

// Whether the command holds anything up: how late its event loop is while tools work on much, and what it costs while nothing happens.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { replayScript, startReplayServer } from "../../test-fixtures/dist/index.js";
import { env } from "../measure.mjs";

const rondo = fileURLToPath(new URL("../../apps/cli/dist/main.js", import.meta.url));
const DELAY_TARGET_MS = 100;
const IDLE_SECONDS = 10;
const IDLE_TARGET_PERCENT = 1;

export const title = "Responsiveness";
export const note = `The longest delay of the command's event loop during a call of a tool, and its processor time while an interactive session of 2,000 messages waits for ${IDLE_SECONDS} seconds. Targets: ${DELAY_TARGET_MS} ms, ${IDLE_TARGET_PERCENT} %.`;

/** Loaded before the command: watches the event loop from the moment the tool is called, and writes the longest delay at the end. */
const WATCH = `
import { existsSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
const { DELAY_FILE } = process.env;
const delays = monitorEventLoopDelay({ resolution: 5 });
const timer = setInterval(() => {
  if (!existsSync(DELAY_FILE)) return;
  delays.enable();
  clearInterval(timer);
}, 20).unref();
process.once("exit", () => writeFileSync(DELAY_FILE, String(delays.max / 1e6)));
`;

/** What the tools are given. */
const CALLS = {
  "ls of a small folder": { name: "ls", arguments: { path: "folder0" } },
  "grep with 100,000 matches": { name: "grep", arguments: { pattern: "needle", path: "many.txt" } },
  "find among 20,000 files": { name: "find", arguments: { pattern: "**/*7.txt" } },
  "read of 50 MB": { name: "read", arguments: { path: "large.txt", offset: 400_000 } },
  "edit of 5 MB, with its diff": {
    name: "edit",
    arguments: { path: "edited.txt", edits: [{ oldText: "line 90000 of the file", newText: "changed" }] },
  },
  "bash that prints 20 MB": { name: "bash", arguments: { command: "head -c 20000000 large.txt" } },
};

function makeWorkspace(folder) {
  writeFileSync(join(folder, "many.txt"), "a needle in a line\n".repeat(100_000));
  writeFileSync(join(folder, "large.txt"), "a line of fifty characters or so, again and again\n".repeat(1_000_000));
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index} of the file`);
  writeFileSync(join(folder, "edited.txt"), lines.join("\n"));
  for (let group = 0; group < 200; group++) {
    mkdirSync(join(folder, `folder${group}`));
    for (let file = 0; file < 100; file++) writeFileSync(join(folder, `folder${group}`, `${file}.txt`), "");
  }
}

/** The longest delay of a run that makes one call, from then on. */
async function longestDelay(call, workspace, home) {
  const file = join(home, "delay");
  rmSync(file, { force: true });
  const server = await startReplayServer(async (request) => {
    writeFileSync(file, "");
    await delay(300);
    return replayScript(({ messages }) =>
      messages.some(({ role }) => role === "toolResult")
        ? { content: [{ type: "text", text: "Done." }] }
        : { content: [{ type: "toolCall", id: "call_1", ...call }] },
    )(request);
  });
  const child = spawn(
    process.execPath,
    [rondo, "-p", "--yolo", "--model", "groq/m", "--base-url", `${server.url}/v1`, "--api-key", "none", "Go."],
    {
      cwd: workspace,
      env: {
        PATH: env.PATH,
        HOME: home,
        DELAY_FILE: file,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}`,
      },
      stdio: "ignore",
    },
  );
  const code = await new Promise((resolve) => child.once("exit", resolve));
  await server.close();
  if (code !== 0) throw new Error(`${call.name}: exit code ${code}`);
  return Number(readFileSync(file, "utf8"));
}

/** User and system time of a process so far, in milliseconds. Linux alone tells. */
function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks;
}

/** A session file of many messages, as a new one continued by hand. */
function writeSession(home, workspace) {
  const options = { cwd: workspace, env: { PATH: env.PATH, HOME: home }, stdio: "ignore" };
  execFileSync(process.execPath, [rondo, "-p", "--model", "demo", "hello"], options);
  const found = execFileSync("find", [home, "-name", "*.jsonl"], { encoding: "utf8" }).trim().split("\n")[0];
  const lines = readFileSync(found, "utf8").trimEnd().split("\n");
  const { parentId: _first, ...pattern } = JSON.parse(lines.findLast((line) => line.includes('"role":"user"')));
  let { id: parentId } = JSON.parse(lines.at(-1));
  for (let index = 0; index < 2_000; index++) {
    const entry = { ...pattern, id: `benchmark${index}`, parentId };
    lines.push(JSON.stringify(entry));
    parentId = entry.id;
  }
  writeFileSync(found, `${lines.join("\n")}\n`);
}

/** Percent of a core that an interactive session takes while nothing happens. */
async function idlePercent(workspace, home) {
  writeSession(home, workspace);
  const child = spawn(
    "script",
    ["-qfec", `exec '${process.execPath}' '${rondo}' --continue --model demo`, "/dev/null"],
    {
      cwd: workspace,
      env: { PATH: env.PATH, HOME: home, TERM: "xterm-256color" },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    },
  );
  await delay(5_000);
  const pid = Number(
    execFileSync("pgrep", ["-f", `${rondo} --continue`], { encoding: "utf8" })
      .trim()
      .split("\n")
      .at(-1),
  );
  const before = cpuMsOf(pid);
  await delay(IDLE_SECONDS * 1000);
  const percent = (cpuMsOf(pid) - before) / (IDLE_SECONDS * 10);
  process.kill(-child.pid, "SIGKILL");
  process.kill(pid, "SIGKILL");
  return percent;
}

export async function measure() {
  const home = mkdtempSync(join(tmpdir(), "rondo-responsive-"));
  const workspace = join(home, "workspace");
  mkdirSync(workspace);
  const quiet = join(home, "quiet");
  mkdirSync(quiet);
  const rows = [];
  try {
    makeWorkspace(workspace);
    for (const [what, call] of Object.entries(CALLS)) {
      const ms = await longestDelay(call, workspace, home);
      rows.push({ what, value: `${ms.toFixed(0)} ms`, target: ms <= DELAY_TARGET_MS ? "met" : "missed" });
    }
    const percent = await idlePercent(quiet, home);
    rows.push({
      what: "idle, of a core",
      value: `${percent.toFixed(1)} %`,
      target: percent <= IDLE_TARGET_PERCENT ? "met" : "missed",
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return rows;
}

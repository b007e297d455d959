// An answer that comes in on the screen, after conversations of growing length: a word must cost the same after each.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { env, median, startModelServer } from "../measure.mjs";
import { wireBody } from "../wire-bodies.mjs";
import { sessionsFolder, writeSession } from "../written-session.mjs";

const rondo = fileURLToPath(new URL("../../apps/cli/dist/main.js", import.meta.url));
const LENGTHS = [10, 200, 2000];
const ROUNDS = 3;
const DELTAS = 800;
/** Of the server, after each delta: slower than frames are drawn, so that each word is drawn by itself or nearly so. */
const PAUSE_MS = 12;
/** The kernel counts the CPU time of a process in these. */
const TICK_MS = 10;
const GROWTH_TARGET = 1.2;
const PATIENCE_MS = 120_000;
/** What stands above the editor while nothing is going on. */
const RESTING = "Enter sends";

export const title = "An answer on the screen";
export const note = `\`rondo -c\` in a pseudo-terminal of 80×24 (by the program script; on Linux), with ${DELTAS} deltas of a word, ${PAUSE_MS} ms apart, after conversations of so many messages: what is written to the terminal for each delta, and the CPU time of the process from the first word to the end. Medians of ${ROUNDS}, in turns. Target: after ${LENGTHS.at(-1)} messages at most ${GROWTH_TARGET} of that after ${LENGTHS[0]}.`;

/** CPU milliseconds that a process has used. */
function cpuOfProcess(id) {
  const fields = readFileSync(`/proc/${id}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  // The 14th and 15th field of proc(5), of which two are gone.
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The command on a terminal of its own. */
class Terminal {
  #child;
  #waiting = () => {};
  #hasEnded = false;
  bytes = 0;
  /** What was written since the last look. */
  text = "";

  constructor(args, options) {
    const command = `stty cols 80 rows 24; exec ${[process.execPath, ...args].map((word) => `'${word}'`).join(" ")}`;
    this.#child = spawn("script", ["-qfec", command, "/dev/null"], { ...options, stdio: ["pipe", "pipe", "ignore"] });
    this.#child.stdout.on("data", (bytes) => {
      this.bytes += bytes.length;
      this.text += bytes.toString("utf8");
      this.#waiting();
    });
    this.#child.once("exit", () => {
      this.#hasEnded = true;
      this.#waiting();
    });
  }

  /** Resolves when something has been written that was not there when it was last asked for something. */
  async waitFor(wanted) {
    const patience = setTimeout(() => this.#child.kill(), PATIENCE_MS);
    while (!this.text.includes(wanted)) {
      if (this.#hasEnded) throw new Error(`The command ended, or was too slow, before it wrote "${wanted}".`);
      await new Promise((resolve) => {
        this.#waiting = resolve;
      });
    }
    clearTimeout(patience);
    this.text = "";
  }

  write(text) {
    this.#child.stdin.write(text);
  }

  /** CPU milliseconds of the command so far. */
  cpu() {
    const child = execFileSync("ps", ["-o", "pid=", "--ppid", String(this.#child.pid)], { encoding: "utf8" });
    return cpuOfProcess(child.trim());
  }

  async close() {
    const ended = once(this.#child, "exit");
    this.write("\x03\x03");
    await ended;
  }
}

/** Bytes and CPU microseconds for each delta of one answer. */
async function measureAnswer(url, workspace, data) {
  const args = [rondo, "-c", "--base-url", url, "--model", "m", "--api-key", "none"];
  const terminal = new Terminal(args, {
    cwd: workspace,
    env: { PATH: env.PATH, HOME: data, RONDO_DATA: data, RONDO_CONFIG: join(data, "config"), TERM: "xterm-256color" },
  });
  await terminal.waitFor(RESTING);
  terminal.write("go on\r");
  await terminal.waitFor("Escape stops");
  await terminal.waitFor("word");
  const [bytes, cpu] = [terminal.bytes, terminal.cpu()];
  await terminal.waitFor(RESTING);
  const costs = { bytes: (terminal.bytes - bytes) / DELTAS, cpu: ((terminal.cpu() - cpu) * 1000) / DELTAS };
  await terminal.close();
  return costs;
}

export async function measure() {
  const base = mkdtempSync(join(tmpdir(), "rondo-screen-"));
  const server = await startModelServer();
  const settings = { api: "openai-completions", kind: "text" };
  const chunkBytes = wireBody({ ...settings, count: 2 }).length - wireBody({ ...settings, count: 1 }).length;
  const url = server.url({ ...settings, count: DELTAS, chunkBytes, pauseMs: PAUSE_MS });
  const taken = new Map(LENGTHS.map((length) => [length, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const length of LENGTHS) {
      // Each time anew, since an answer makes a conversation longer.
      const workspace = join(base, `${round}-${length}`);
      const data = join(workspace, "data");
      mkdirSync(data, { recursive: true });
      writeSession(
        join(sessionsFolder(data, workspace), "long.jsonl"),
        workspace,
        ({ messages }) => messages >= length,
      );
      taken.get(length).push(await measureAnswer(url, workspace, data));
    }
  server.close();
  rmSync(base, { recursive: true, force: true });
  return rowsOf(taken);
}

function rowsOf(taken) {
  const costs = (length, name) => median(taken.get(length).map((each) => each[name]));
  const [first] = LENGTHS;
  return LENGTHS.map((length) => {
    const growth = ["bytes", "cpu"].map((name) => costs(length, name) / costs(first, name));
    const isMet = growth.every((each) => each <= GROWTH_TARGET);
    return {
      messages: length,
      "bytes per delta": costs(length, "bytes").toFixed(0),
      "CPU per delta, µs": costs(length, "cpu").toFixed(0),
      "of the first": growth.map((each) => each.toFixed(2)).join("; "),
      target: length === LENGTHS.at(-1) ? (isMet ? "met" : "missed") : "",
    };
  });
}

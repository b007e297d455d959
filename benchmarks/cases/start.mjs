// From the start of the command to its first answer, and to its first request on the wire.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuOfProgram, env, inTurns, startModelServer } from "../measure.mjs";

const rondo = fileURLToPath(new URL("../../apps/cli/dist/main.js", import.meta.url));
const pi = fileURLToPath(new URL("../peers/node_modules/@earendil-works/pi-coding-agent/dist/cli.js", import.meta.url));
const VERSION_TARGET_MS = 20;
const REQUEST_TARGET = 0.4;

export const title = "Start of the command";
export const note = `CPU milliseconds over \`node -e 0\`; the first request and the first drawn prompt (in a pseudo-terminal, by the program script) by the clock, from the start of the process, in turns. Targets: --version within ${VERSION_TARGET_MS} ms, the first request at most ${REQUEST_TARGET} of pi's.`;

/** What both commands draw above their editor, byte by byte: a line of these, some with a colour for each. */
const LINE_PIECE = Buffer.from("─").toString("latin1");

const settings = { api: "openai-completions", kind: "text", count: 3 };

/** Milliseconds from the start of a program to its first request. */
async function firstRequest(server, args, home) {
  const arrived = server.nextRequest();
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: env.PATH, HOME: home, PI_OFFLINE: "1" },
    cwd: home,
    stdio: "ignore",
  });
  const ended = new Promise((_, reject) =>
    child.once("exit", (code) => setTimeout(reject, 500, new Error(`${args[0]} made no request (exit code ${code}).`))),
  );
  const requestAt = await Promise.race([arrived, ended]);
  ended.catch(() => {});
  child.kill();
  return requestAt - startedAt;
}

/** Milliseconds from the start of a program in a pseudo-terminal to the line above its editor. */
async function firstPrompt(args, home) {
  const startedAt = performance.now();
  const command = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qfec", command, "/dev/null"], {
    env: { PATH: env.PATH, HOME: home, PI_OFFLINE: "1", TERM: "xterm-256color" },
    cwd: home,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const tooLate = setTimeout(() => child.stdout.destroy(new Error(`${args[0]} drew no editor.`)), 60_000);
  let drawn = "";
  for await (const bytes of child.stdout) {
    drawn += bytes.toString("latin1");
    if (drawn.split(LINE_PIECE).length > 10) break;
  }
  const ms = performance.now() - startedAt;
  clearTimeout(tooLate);
  process.kill(-child.pid, "SIGKILL");
  return ms;
}

export async function measure() {
  const home = mkdtempSync(join(tmpdir(), "rondo-start-"));
  const server = await startModelServer();
  const url = server.url(settings);
  mkdirSync(join(home, ".pi/agent"), { recursive: true });
  const models = [
    {
      id: "m",
      name: "m",
      reasoning: false,
      input: ["text"],
      contextWindow: 100_000,
      maxTokens: 1_000,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    },
  ];
  writeFileSync(
    join(home, ".pi/agent/models.json"),
    JSON.stringify({ providers: { benchmark: { baseUrl: url, apiKey: "none", api: settings.api, models } } }),
  );
  const cpu = (args) => () => cpuOfProgram(args, { env: { HOME: home } });
  const costs = await inTurns(
    {
      nothing: cpu(["-e", "0"]),
      "rondo --version": cpu([rondo, "--version"]),
      "rondo --help": cpu([rondo, "--help"]),
      "pi --version": cpu([pi, "--version"]),
      "rondo: first request": () =>
        firstRequest(server, [rondo, "--model", "groq/m", "--base-url", url, "--api-key", "none", "-p", "Hello"], home),
      "pi: first request": () =>
        firstRequest(server, [pi, "--provider", "benchmark", "--model", "m", "-p", "Hello"], home),
      "rondo: prompt": () => firstPrompt([rondo, "--model", "groq/m", "--base-url", url, "--api-key", "none"], home),
      "pi: prompt": () => firstPrompt([pi, "--provider", "benchmark", "--model", "m"], home),
    },
    { rounds: 5, warmUps: 1 },
  );
  server.close();
  rmSync(home, { recursive: true, force: true });
  const over = (name) => costs[name] - costs.nothing;
  const part = costs["rondo: first request"] / costs["pi: first request"];
  return [
    {
      what: "rondo --version",
      ms: over("rondo --version").toFixed(0),
      target: over("rondo --version") <= VERSION_TARGET_MS ? "met" : "missed",
    },
    { what: "rondo --help", ms: over("rondo --help").toFixed(0), target: "" },
    { what: "pi --version", ms: over("pi --version").toFixed(0), target: "" },
    {
      what: "rondo, to the first request",
      ms: costs["rondo: first request"].toFixed(0),
      target: `${part.toFixed(2)} of pi's: ${part <= REQUEST_TARGET ? "met" : "missed"}`,
    },
    { what: "pi, to the first request", ms: costs["pi: first request"].toFixed(0), target: "" },
    { what: "rondo, to the prompt", ms: costs["rondo: prompt"].toFixed(0), target: "" },
    { what: "pi, to the prompt", ms: costs["pi: prompt"].toFixed(0), target: "" },
  ];
}

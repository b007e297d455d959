// Kills runs of the command in the middle, and looks whether the session kept all that was reported and can be gone on with. The
// runs of a chain go on with one session, each with what the one before it left, and only the last one is let live: a state that
// could not be gone on with would end the next run with a failure, or make the strict server refuse it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentMessage } from "@rondo/agent";
import { replayScript, type ScriptedReply, seededRandom, strict, type WireRequest } from "@rondo/test-fixtures";
import { expect } from "vitest";
import { readSessionFile } from "../../src/session/session-file.ts";
import { SessionTree } from "../../src/session/session-tree.ts";
import { commandLine, rondo } from "../command.ts";
import { serve, text, through } from "../served-model.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

const CHAIN_KILLS_MAX = 8;
const CHAINS_AT_ONCE = 2;
/** About as many lines as a whole run writes. */
const LINES_MAX = 45;
/** About as long as a run takes until its first line. */
const START_MS_MAX = 400;

/** When a run is killed: so many milliseconds after so many lines of its output, the time before the first one included. */
interface Moment {
  seed: number;
  chain: number;
  kill: number;
  afterLines: number;
  delayMs: number;
}

/** The only session in a data folder. */
export function onlySession(data: string): string {
  const [path, ...others] = sessionsIn(data);
  expect([path, others]).toEqual([expect.any(String), []]);
  return path ?? "";
}

function sessionsIn(data: string): string[] {
  const folder = join(data, "sessions");
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
}

/** The next step of a small work: two calls side by side, a command, a file, the answer. */
function nextStep({ messages }: WireRequest): ScriptedReply {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const results = messages.slice(asked).filter(({ role }) => role === "toolResult").length;
  const call = (name: string, args: Record<string, unknown>) => {
    const id = `call_${messages.length}_${name}`;
    return { type: "toolCall" as const, id, name, arguments: args };
  };
  if (results === 0) return { content: [call("ls", { path: "." }), call("find", { pattern: "*.md" })] };
  if (results === 2) return { content: [call("bash", { command: "echo at work" })] };
  if (results === 3) return { content: [call("write", { path: `note-${messages.length}.md`, content: "Kept.\n" })] };
  return text("That is all there is to do here.");
}

/** Runs the command in JSON mode until it is killed. The messages that it had reported, and whether it had ended by itself. */
async function runAndKill(
  place: { cwd: string; env: Record<string, string> },
  args: string[],
  { afterLines, delayMs }: Moment,
): Promise<{ reported: AgentMessage[]; code: number | null }> {
  const [program = "", ...first] = await commandLine();
  const child: ChildProcess = spawn(program, [...first, "--mode", "json", "--yolo", ...args], {
    ...place,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  let isDoomed = false;
  const doomAfter = (lines: number) => {
    if (isDoomed || lines < afterLines) return;
    isDoomed = true;
    setTimeout(() => child.kill("SIGKILL"), delayMs);
  };
  doomAfter(0);
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    output += part;
    doomAfter(output.split("\n").length - 1);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines = output
    .slice(0, output.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean);
  const events = lines.map((line) => JSON.parse(line));
  return { reported: events.flatMap((event) => (event.type === "message_end" ? [event.message] : [])), code };
}

/** Looks whether a session holds what was said before and what was reported since, and nothing else. Gives all that it holds. */
function checkSession(path: string, moment: Moment, before: AgentMessage[], reported: AgentMessage[]): AgentMessage[] {
  const { entries, problems } = readSessionFile(path);
  const { messages } = new SessionTree(entries).state();
  const known = [...before, ...reported];
  expect({ ...moment, messages: messages.slice(0, known.length) }).toEqual({ ...moment, messages: known });
  // What was being written when it was killed may be there or not.
  expect({ ...moment, unreported: messages.length - known.length <= 1 }).toEqual({ ...moment, unreported: true });
  // The kernel may end a write at the border of a page: then the line that nobody had heard of is torn, and no other.
  const torn = problems.map(({ end }) => end);
  expect({ ...moment, torn }).toEqual({ ...moment, torn: torn.length === 0 ? [] : [statSync(path).size] });
  return messages;
}

async function killChain(random: () => number, seed: number, chain: number, kills: number, url: string): Promise<void> {
  const base = temporaryFolder();
  const cwd = join(base, "workspace");
  mkdirSync(cwd);
  const data = join(base, "data");
  const env = { PATH: process.env["PATH"] ?? "", HOME: base, RONDO_DATA: data, TMPDIR: base };
  let held: AgentMessage[] = [];
  const goOn = () => (sessionsIn(data).length > 0 ? ["--continue"] : []);
  for (let kill = 0; kill < kills; kill++) {
    const afterLines = Math.floor(random() * LINES_MAX);
    const delayMs = Math.floor(random() * (afterLines === 0 ? START_MS_MAX : 12));
    const moment = { seed, chain, kill, afterLines, delayMs };
    const { reported, code } = await runAndKill({ cwd, env }, [...goOn(), ...through(url), "work"], moment);
    // Killed, or done before it could be.
    expect({ ...moment, code: code ?? 0 }).toEqual({ ...moment, code: 0 });
    // Killed before the first message was written, there is nothing to go on with.
    if (reported.length > 0 || sessionsIn(data).length > 0)
      held = checkSession(onlySession(data), moment, held, reported);
  }
  const end = await rondo(["-p", "--yolo", ...goOn(), ...through(url), "work"], { cwd, env: { RONDO_DATA: data } });
  const expected = { seed, chain, code: 0, stdout: "That is all there is to do here.\n" };
  expect({ seed, chain, code: end.code, stdout: end.stdout }).toEqual(expected);
}

/** Kills so many runs at random moments. The moments follow from the seed, whatever runs beside them. */
export async function killRuns(count: number, seed: number): Promise<void> {
  const server = await serve(strict(replayScript(nextStep)));
  const chains = Array.from({ length: Math.ceil(count / CHAIN_KILLS_MAX) }, (_, chain) => chain);
  const work = async () => {
    for (let chain = chains.shift(); chain !== undefined; chain = chains.shift()) {
      const kills = Math.min(CHAIN_KILLS_MAX, count - chain * CHAIN_KILLS_MAX);
      await killChain(seededRandom(seed + chain), seed, chain, kills, server.url);
    }
  };
  await Promise.all(Array.from({ length: CHAINS_AT_ONCE }, work));
}

// Kills runs of the command in the middle, and looks whether the session kept all that was reported and can be gone on with.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentMessage } from "@rondo/agent";
import { replayScript, seededRandom, strict } from "@rondo/test-fixtures";
import { expect } from "vitest";
import { readSessionFile } from "../../src/session/session-file.ts";
import { SessionTree } from "../../src/session/session-tree.ts";
import { commandLine, rondo } from "../command.ts";
import { serve, text, through } from "../served-model.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../test-fixtures/workspaces/rondo-form", import.meta.url));

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

/** Runs the demo's work in JSON mode and kills it so many milliseconds after a line of its output. What it had reported. */
async function runAndKill(cwd: string, data: string, afterLines: number, delayMs: number): Promise<AgentMessage[]> {
  const [program = "", ...first] = await commandLine();
  const env = { PATH: process.env["PATH"] ?? "", HOME: data, RONDO_DATA: data, TMPDIR: data };
  const args = [...first, "--model", "demo", "--mode", "json", "--yolo", "fix the failing test"];
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  let isDoomed = false;
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    output += part;
    if (isDoomed || output.split("\n").length <= afterLines) return;
    isDoomed = true;
    setTimeout(() => child.kill("SIGKILL"), delayMs);
  });
  await new Promise((resolve) => child.once("close", resolve));
  const lines = output.slice(0, output.lastIndexOf("\n")).split("\n");
  return lines.map((line) => JSON.parse(line)).flatMap((line) => (line.type === "message_end" ? [line.message] : []));
}

/** Kills so many runs at random moments; each must leave a session that holds what was reported and that a strict server takes. */
export async function killRuns(count: number, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const server = await serve(strict(replayScript(() => text("I go on."))));
  for (let run = 0; run < count; run++) {
    const base = temporaryFolder();
    const cwd = join(base, "workspace");
    const data = join(base, "data");
    mkdirSync(data);
    cpSync(EXAMPLE, cwd, { recursive: true });
    const moment = { seed, run, afterLines: 4 + Math.floor(random() * 70), delayMs: Math.floor(random() * 12) };
    const reported = await runAndKill(cwd, data, moment.afterLines, moment.delayMs);
    // Killed before the first message was written, there is nothing to go on with.
    if (reported.length === 0 && sessionsIn(data).length === 0) continue;
    const path = onlySession(data);
    const { entries, problems } = readSessionFile(path);
    const { messages } = new SessionTree(entries).state();
    expect({ ...moment, messages: messages.slice(0, reported.length) }).toEqual({ ...moment, messages: reported });
    // What was being written when it was killed may be there or not; nothing else.
    expect(messages.length - reported.length).toBeLessThanOrEqual(1);
    // The kernel may end a write at the border of a page: then the line that nobody had heard of is torn, and no other.
    const isTorn = problems.length > 0;
    expect(problems.slice(1)).toEqual([]);
    if (isTorn) expect({ ...moment, end: problems[0]?.end }).toEqual({ ...moment, end: statSync(path).size });
    const next = await rondo(["-p", "-c", "go on", ...through(server.url)], { cwd, env: { RONDO_DATA: data } });
    const stderr = isTorn ? expect.stringContaining("The session had damage and goes on without line") : "";
    expect({ ...moment, next }).toEqual({ ...moment, next: { code: 0, signal: null, stdout: "I go on.\n", stderr } });
  }
}

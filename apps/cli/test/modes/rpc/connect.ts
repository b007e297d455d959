// Clients of RPC mode for tests: the typed one, and the bare process with its lines.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { RpcClient, type RpcClientOptions, type RpcEvent } from "../../../src/modes/rpc/client.ts";
import { LineReader } from "../../../src/modes/rpc/line-reader.ts";
import { commandLine } from "../../command.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";

export const DEMO = ["--model", "demo/script"];

/** A folder with a file in it, and a home of its own. */
function place() {
  const base = temporaryFolder();
  const [cwd, home] = [join(base, "workspace"), join(base, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  writeFileSync(join(cwd, "note.txt"), "in the note\n");
  return { cwd, home, env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: base } };
}

/** A client of the built command. Its folder is new unless `options` say otherwise. */
export async function connect(options: RpcClientOptions = {}, args = DEMO) {
  const { cwd, home, env } = place();
  const events: RpcEvent[] = [];
  const command = await commandLine();
  const client = new RpcClient({ command, args, cwd, env, onEvent: (event) => events.push(event), ...options });
  onTestFinished(async () => {
    await client.close();
  });
  return { client, cwd, home, env, events };
}

/** A line of the command, parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever comes
export type Line = Record<string, any>;

/** The bare process: what it is sent is what a test writes. */
export interface BareProcess {
  child: ChildProcessWithoutNullStreams;
  cwd: string;
  /** All lines so far. */
  lines: Line[];
  /** Resolves with the first line, past or to come, that fits. */
  line: (fits: (line: Line) => boolean) => Promise<Line>;
  send: (request: object) => void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

/** Starts the command in RPC mode. */
export async function startBare(args = DEMO, more: Record<string, string> = {}): Promise<BareProcess> {
  const { cwd, env: own } = place();
  const env = { ...own, ...more };
  const [program = "", ...first] = await commandLine();
  const child = spawn(program, [...first, "--mode", "rpc", ...args], { cwd, env });
  const lines: Line[] = [];
  const waiting: { fits: (line: Line) => boolean; resolve: (line: Line) => void }[] = [];
  const reader = new LineReader(
    (whole) => {
      const line = JSON.parse(whole) as Line;
      lines.push(line);
      for (const { fits, resolve } of waiting) if (fits(line)) resolve(line);
    },
    () => child.kill("SIGKILL"),
  );
  child.stdout.on("data", (bytes: Buffer) => reader.write(bytes));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => {});
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    child,
    cwd,
    lines,
    line: (fits) => {
      const past = lines.find(fits);
      return past ? Promise.resolve(past) : new Promise((resolve) => waiting.push({ fits, resolve }));
    },
    send: (request) => void child.stdin.write(`${JSON.stringify(request)}\n`),
    ended: new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, stderr }))),
  };
}

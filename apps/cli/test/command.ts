// Runs the built command as people do: a child process with its own home, workspace and environment. Built once for all tests
// of a worker, which takes no time where the build is up to date.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "./temporary-workspace.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The entry of the built command. */
export const main = join(root, "apps/cli/dist/main.js");

/** A model server that happens to run on the machine must not be found. */
const NO_LOCAL_SERVERS = Object.fromEntries(
  ["OLLAMA", "LLAMA_CPP", "LMSTUDIO", "VLLM"].map((name) => [`${name}_BASE_URL`, "http://127.0.0.1:1/v1"]),
);

let built: Promise<unknown> | undefined;
/** Types are for `npm run check` to judge: the bundler reads the sources without them. */
export function build(): Promise<unknown> {
  built ??= promisify(execFile)(process.execPath, [join(root, "tools/bundle.mjs"), "apps/cli"]).catch((error) => {
    throw new Error(`The command does not build:\n${error.stdout}${error.stderr}`);
  });
  return built;
}

/** Program and arguments that start the built command. */
export async function commandLine(): Promise<string[]> {
  await build();
  return [process.execPath, main];
}

/** How a run of the command ended. */
export interface CommandEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** What a run may be given. */
export interface CommandOptions {
  /** Text for standard input, which is then closed; `open` leaves an empty pipe open. Default: empty and closed. */
  stdin?: string | "open";
  env?: Record<string, string>;
  /** Default: an empty folder. */
  cwd?: string;
  /** Sees the process as soon as it runs. */
  onStart?: (child: ChildProcessWithoutNullStreams) => void;
}

/** Runs the command to its end. Its environment has a path, a home of its own, and nothing else. */
export async function rondo(args: string[], options: CommandOptions = {}): Promise<CommandEnd> {
  const [program = "", ...first] = await commandLine();
  const base = temporaryFolder();
  const home = join(base, "home");
  const cwd = options.cwd ?? join(base, "workspace");
  mkdirSync(home);
  mkdirSync(cwd, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: base, ...NO_LOCAL_SERVERS, ...options.env };
  const child = spawn(program, [...first, ...args], { cwd, env });
  const end: CommandEnd = { code: null, signal: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    end.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    end.stderr += text;
  });
  child.stdin.on("error", () => {});
  if (options.stdin !== "open") child.stdin.end(options.stdin ?? "");
  options.onStart?.(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ ...end, code, signal }));
  });
}

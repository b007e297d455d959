// Workers of the built command, as children that a test kills and is sure to be rid of.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { commandLine } from "../command.ts";

/** Where a worker runs. */
export interface WorkerPlace {
  cwd: string;
  env: Record<string, string>;
}

/** Starts `rondo worker` and resolves when it takes tasks. It goes away with the test. */
export async function startWorker(flags: string[], { cwd, env }: WorkerPlace) {
  const [program = "", ...first] = await commandLine();
  const child = spawn(program, [...first, "worker", ...flags], { cwd, env });
  onTestFinished(async () => {
    await kill(child, "SIGKILL");
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  while (!said.includes("Working on tasks") && child.exitCode === null) await once(child.stderr, "data");
  if (child.exitCode !== null) throw new Error(`The worker ended: ${said}`);
  return { said: () => said, kill: (signal: NodeJS.Signals) => kill(child, signal) };
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

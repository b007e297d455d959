// The bash tool: runs one command in a process group of its own, without a terminal and with nothing to read, for a limited
// time. It returns when the shell has ended, whatever the shell left behind, and never hangs on a pipe.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentTool, AgentToolResult } from "@rondo/agent";
import { Type } from "@rondo/ai";
import { commandEnvironment } from "./command-environment.ts";
import { CommandOutput } from "./command-output.ts";
import { textResult } from "./result.ts";
import { removeStandIns, sandboxCommand } from "./sandbox.ts";
import type { Workspace } from "./workspace.ts";

const TIMEOUT_SECONDS = 120;
const TIMEOUT_SECONDS_MAX = 3600;
/** How long output may still come after the shell has ended, while children hold its pipe. */
const DRAIN_MS = 150;
const UPDATE_INTERVAL_MS = 100;
const SANDBOX_NOTE = " Commands run in a sandbox: there is no network, and only the workspace and /tmp can be written.";

const parameters = Type.Object({
  command: Type.String({ description: "Command for bash, run in the workspace" }),
  timeout: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: TIMEOUT_SECONDS_MAX,
      description: `Seconds after which it is ended. Default ${TIMEOUT_SECONDS}`,
    }),
  ),
});

/** How a command ended. */
export interface CommandDetails {
  command: string;
  /** Absent if a signal or the timeout ended it. */
  exitCode?: number;
  timedOut: boolean;
  /** File with the whole output, if it was too long to show. */
  outputFile?: string;
}

type Shell = ChildProcessByStdio<null, Readable, Readable>;

/** Makes the bash tool of a workspace. */
export function createBashTool(workspace: Workspace): AgentTool<typeof parameters, CommandDetails> {
  return {
    name: "bash",
    label: "Bash",
    description:
      "Run a command with bash in the workspace. There is no terminal and standard input is empty, so programs that ask " +
      `fail. Ends after ${TIMEOUT_SECONDS} seconds unless timeout says otherwise. Long output is shown by its beginning ` +
      "and end, and kept whole in a file. Programs started with & go on in the background until the session ends; jobs shows them." +
      (workspace.sandbox ? SANDBOX_NOTE : ""),
    parameters,
    async execute(_toolCallId, { command, timeout = TIMEOUT_SECONDS }, signal, onUpdate) {
      signal?.throwIfAborted();
      const mark = randomUUID();
      const output = new CommandOutput(workspace.outputFolder, `bash-${mark}.log`);
      const shell = await startShell(workspace, command, mark);
      let updateDue = true;
      const take = (stream: "stdout" | "stderr") => (bytes: Buffer) => {
        output.write(stream, bytes);
        if (!updateDue || !onUpdate) return;
        updateDue = false;
        setTimeout(() => {
          updateDue = true;
        }, UPDATE_INTERVAL_MS).unref();
        onUpdate(textResult(output.text(), { command, timedOut: false }));
      };
      shell.stdout.on("data", take("stdout"));
      shell.stderr.on("data", take("stderr"));
      const ending = await waitForEnd(workspace, shell, timeout * 1000, signal);
      const leader = shell.pid!;
      const isAlive = ending.cause === "exited" && workspace.processGroups.hasPrograms(leader);
      // A job's output goes on being collected, so that it can be read later.
      const job = isAlive ? workspace.jobs.add({ command, leader, output }) : undefined;
      if (isAlive) void ending.closed.then(() => output.close());
      else output.close();
      if (workspace.sandbox && !isAlive) {
        await workspace.processGroups.end(leader);
        if (!workspace.processGroups.isAnyAlive()) removeStandIns(workspace.sandbox);
      }
      const result = describeEnding(command, timeout, ending, output, job);
      if (ending.cause === "aborted")
        throw new Error(result.content.map((part) => "text" in part && part.text).join(""));
      return result;
    },
  };
}

/** Starts the shell; rejects with a sentence if it cannot start. */
function startShell(workspace: Workspace, command: string, mark: string): Promise<Shell> {
  if (!statSync(workspace.root, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`The command was not run: the folder ${workspace.root} is not there any more.`);
  const shellCommand = ["-c", command];
  const { file, args } = workspace.sandbox
    ? sandboxCommand(workspace.sandbox, ["bash", ...shellCommand])
    : { file: "bash", args: shellCommand };
  const shell = spawn(file, args, {
    cwd: workspace.root,
    env: commandEnvironment(workspace.env, mark),
    stdio: ["ignore", "pipe", "pipe"],
    // A session of its own: one group to signal, and no terminal to ask on.
    detached: true,
  });
  return new Promise((resolve, reject) => {
    shell.once("spawn", () => {
      workspace.processGroups.add(shell.pid!, mark);
      resolve(shell);
    });
    shell.once("error", (error) =>
      reject(new Error(`The command was not run: ${file} did not start (${error.message}).`)),
    );
  });
}

interface Ending {
  cause: "exited" | "timed-out" | "aborted";
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Resolves when nobody holds its pipes any more. */
  closed: Promise<void>;
}

async function waitForEnd(
  workspace: Workspace,
  shell: Shell,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Ending> {
  let cause: Ending["cause"] = "exited";
  const closed = new Promise<void>((resolve) => shell.once("close", () => resolve()));
  const exited = new Promise<Pick<Ending, "exitCode" | "signal">>((resolve) =>
    shell.once("exit", (exitCode, signal) => resolve({ exitCode, signal })),
  );
  const stop = (why: "timed-out" | "aborted") => {
    if (cause !== "exited") return;
    cause = why;
    void workspace.processGroups.end(shell.pid!);
  };
  const onAbort = () => stop("aborted");
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  const timer = setTimeout(() => stop("timed-out"), timeoutMs);
  const ending = await exited;
  clearTimeout(timer);
  signal?.removeEventListener("abort", onAbort);
  if (cause !== "exited") await workspace.processGroups.end(shell.pid!);
  await Promise.race([closed, delay(DRAIN_MS)]);
  // What is left of the pipes must be read, or a server in the background dies of it, but must keep nobody waiting.
  for (const pipe of [shell.stdout, shell.stderr]) (pipe as Readable & { unref?: () => void }).unref?.();
  shell.unref();
  return { cause, closed, ...ending };
}

function describeEnding(
  command: string,
  timeoutSeconds: number,
  { cause, exitCode, signal }: Ending,
  output: CommandOutput,
  job: number | undefined,
): AgentToolResult<CommandDetails> {
  const notes: string[] = [];
  if (cause === "timed-out") notes.push(`Ended after ${timeoutSeconds} s (timeout), with all that it had started.`);
  else if (cause === "aborted") notes.push("Ended because the run was aborted, with all that it had started.");
  else if (signal !== null) notes.push(`Ended by ${signal}.`);
  else if (exitCode !== 0) notes.push(`Exit code ${exitCode}.`);
  if (job !== undefined) notes.push(`Job ${job}: processes that it started are still running in the background.`);
  const shown = output.text().trimEnd() || (notes.length > 0 ? "" : "The command printed nothing.");
  const tail = notes.length > 0 ? `[${notes.join(" ")}]` : "";
  const details: CommandDetails = { command, timedOut: cause === "timed-out" };
  if (exitCode !== null && cause === "exited") details.exitCode = exitCode;
  if (output.file !== undefined) details.outputFile = output.file;
  const result = textResult([shown, tail].filter((part) => part !== "").join("\n\n"), details);
  return cause === "exited" && exitCode === 0 ? result : { ...result, isError: true };
}

// What the flags of durable runs go together with. Light: every run of the command looks here.
import { UsageError } from "../exit-codes.ts";
import type { CommandLine } from "../flags/parse.ts";

/** Flags that the commands worker, submit, watch and send alone take. */
const COMMAND_FLAGS = ["engine", "database-url", "concurrency", "run", "follow-up", "abort"] as const;

/** Refuses, for the main command, what does not go together. */
export function checkDurableFlags(commandLine: CommandLine): void {
  const stray = COMMAND_FLAGS.find((flag) => commandLine.has(flag));
  if (stray !== undefined)
    throw new UsageError(`--${stray} is for the commands of durable runs: rondo worker, submit, watch and send.`);
  if (!commandLine.has("durable")) return;
  if (commandLine.has("no-session"))
    throw new UsageError("--durable and --no-session exclude each other: the run is kept in its session.");
  if (commandLine.value("mode") === "rpc")
    throw new UsageError("--durable answers one prompt, so it does not go with --mode rpc.");
}

/** Whether the command line asks for a run that was cut, and for nothing new. */
export function wantsCutRun(commandLine: CommandLine): boolean {
  const namesSession = (["continue", "resume", "session"] as const).some((flag) => commandLine.has(flag));
  return commandLine.has("durable") && namesSession && commandLine.words.length === 0;
}

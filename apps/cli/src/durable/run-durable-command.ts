// The commands of durable runs: a worker, and the client that submits tasks, watches them and sends them messages.
import { type Ending, UsageError } from "../exit-codes.ts";
import { type CommandLine, parseCommandLine } from "../flags/parse.ts";
import { FLAGS, type FlagName } from "../flags/table.ts";
import { Output } from "../terminal/output.ts";
import { type ChosenEngine, openEngine } from "./engines.ts";
import { sendToRun } from "./send.ts";
import { submitTask } from "./submit.ts";
import { watchRun } from "./watch.ts";
import { type Console, runWorker } from "./worker.ts";

/** The commands here. */
export const DURABLE_COMMANDS = ["worker", "submit", "watch", "send"] as const;
/** The name of one. */
export type DurableCommandName = (typeof DURABLE_COMMANDS)[number];

const ENGINE_FLAGS: readonly FlagName[] = ["engine", "database-url"];
/** What else each command takes. Model, permissions and limits are the worker's business alone. */
const OWN_FLAGS: Record<DurableCommandName, readonly FlagName[]> = {
  worker: [
    ...FLAGS.filter(({ group }) => ["Model", "Permissions", "Limits"].includes(group)).map(({ name }) => name),
    "extension",
    "concurrency",
  ],
  submit: ["run"],
  watch: ["mode"],
  send: ["follow-up", "abort"],
};

/** Runs a command to its end. Mistakes are thrown as a `UsageError`. */
export async function runDurableCommand(name: DurableCommandName, argv: string[]): Promise<Ending> {
  refuseOtherFlags(name, parseCommandLine(argv));
  // What durable runs say is kept by their engine.
  const commandLine = parseCommandLine(["--no-session", ...argv]);
  const { words } = commandLine;
  const console: Console = {
    answer: new Output(process.stdout, process.env),
    progress: new Output(process.stderr, process.env),
  };
  const chosen = await openEngine(commandLine, process.env, process.cwd());
  try {
    return await runOn(name, chosen, commandLine, words, console);
  } catch (error) {
    throw asUsageError(error);
  } finally {
    await chosen.engine.close();
  }
}

function runOn(
  name: DurableCommandName,
  chosen: ChosenEngine,
  commandLine: CommandLine,
  words: string[],
  console: Console,
): Promise<Ending> {
  const [runId = "", ...rest] = words;
  switch (name) {
    case "worker":
      if (words.length > 0) throw new UsageError("rondo worker takes no words: rondo submit gives it tasks.");
      return runWorker(chosen, commandLine, console);
    case "submit":
      return submitTask(chosen, { task: words.join(" "), runId: commandLine.value("run") }, console.answer);
    case "watch":
      return watchRun(chosen, { runId, rest, isJson: commandLine.value("mode") === "json" }, console);
    case "send":
      return sendToRun(
        chosen,
        {
          runId,
          text: rest.join(" "),
          isFollowUp: commandLine.has("follow-up"),
          isAbort: commandLine.has("abort"),
        },
        console.progress,
      );
  }
}

function refuseOtherFlags(name: DurableCommandName, commandLine: CommandLine): void {
  const taken = [...ENGINE_FLAGS, ...OWN_FLAGS[name]];
  const other = FLAGS.find((flag) => commandLine.has(flag.name) && !taken.includes(flag.name));
  if (other) throw new UsageError(`--${other.name} means nothing to rondo ${name}.`);
}

/** Errors of the store that a person can do something about. By name, since each engine may bring its own copy of the classes. */
function asUsageError(error: unknown): unknown {
  const known = ["UnknownRunError", "RunConflictError"];
  return error instanceof Error && known.includes(error.name) ? new UsageError(error.message) : error;
}

// Runs one of the commands beside the main one.
import { homedir } from "node:os";
import { type Ending, UsageError } from "../exit-codes.ts";
import { sessionFolder } from "../session/session-folder.ts";
import { SessionShelf } from "../session/session-shelf.ts";
import { configFolder } from "../settings/config-folder.ts";
import { dataFolder } from "../settings/data-folder.ts";
import { catalogFolder, loadModelSources } from "../settings/model-sources.ts";
import { Output } from "../terminal/output.ts";
import { runAuth } from "./auth.ts";
import { runConfig } from "./config.ts";
import { runDoctor } from "./doctor.ts";
import { runModels } from "./models.ts";
import { runExport, runSessions } from "./sessions.ts";
import { COMMANDS, type CommandName } from "./table.ts";
import { runTrust } from "./trust.ts";

const TAKES_NOTHING: readonly CommandName[] = COMMANDS.filter(({ operands }) => operands === "").map(
  ({ name }) => name,
);

/** Runs a command with its operands. Mistakes are thrown as a `UsageError`. */
export async function runNamedCommand(name: CommandName, operands: string[]): Promise<Ending> {
  if (name === "worker" || name === "submit" || name === "watch" || name === "send") {
    const { runDurableCommand } = await import("../durable/run-durable-command.ts");
    return runDurableCommand(name, operands);
  }
  const { env } = process;
  const flag = operands.find((operand) => operand.startsWith("-"));
  if (flag !== undefined && name !== "export" && name !== "models")
    throw new UsageError(`rondo ${name} takes no flags, so ${flag} means nothing to it.`);
  if (TAKES_NOTHING.includes(name) && operands.length > 0)
    throw new UsageError(`rondo ${name} takes no words, so ${operands[0]} means nothing to it.`);
  const home = env["HOME"] || homedir();
  const folder = configFolder(env, home);
  const output = new Output(process.stdout, env);
  const root = process.cwd();
  const shelf = new SessionShelf(sessionFolder(dataFolder(env, home), root), root, true);
  const places = { root, home, configFolder: folder, dataFolder: dataFolder(env, home) };
  if (name === "config") return runConfig(places, output);
  if (name === "trust") return runTrust(operands, places, output);
  if (name === "sessions")
    return runSessions(operands, shelf, output, new Output(process.stderr, env), process.stdout.columns);
  if (name === "export") return runExport(operands, shelf, output);
  const damages: string[] = [];
  const sources = await loadModelSources(places, env, [], name === "doctor" ? (text) => damages.push(text) : undefined);
  switch (name) {
    case "models":
      return runModels(operands, sources, catalogFolder(places.dataFolder), output, new Output(process.stderr, env));
    case "auth":
      return runAuth(operands, sources, output, process.stdin);
    case "doctor":
      return runDoctor(sources, damages, folder, output);
  }
}

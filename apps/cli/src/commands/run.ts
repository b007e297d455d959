// Runs one of the commands beside the main one.
import { homedir } from "node:os";
import { type Ending, UsageError } from "../exit-codes.ts";
import { configFolder } from "../settings/config-folder.ts";
import { loadModelSources } from "../settings/model-sources.ts";
import { Output } from "../terminal/output.ts";
import { runAuth } from "./auth.ts";
import { runDoctor } from "./doctor.ts";
import { runModels } from "./models.ts";
import type { CommandName } from "./table.ts";

/** Runs a command with its operands. Mistakes are thrown as a `UsageError`. */
export async function runNamedCommand(name: CommandName, operands: string[]): Promise<Ending> {
  const { env } = process;
  const flag = operands.find((operand) => operand.startsWith("-"));
  if (flag !== undefined) throw new UsageError(`rondo ${name} takes no flags, so ${flag} means nothing to it.`);
  const folder = configFolder(env, env["HOME"] || homedir());
  const output = new Output(process.stdout, env);
  const sources = await loadModelSources(folder, env);
  switch (name) {
    case "models":
      return runModels(operands, sources, output);
    case "auth":
      return runAuth(operands, sources, output, process.stdin);
    case "doctor":
      return runDoctor(sources, folder, output);
  }
}

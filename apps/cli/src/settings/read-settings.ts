// The settings of a session out of the command line, the person's settings file and the environment. Flags win over the file.
import { homedir } from "node:os";
import type { ThinkingLevel } from "@rondo/ai";
import { UsageError } from "../exit-codes.ts";
import type { CommandLine } from "../flags/parse.ts";
import { ProjectRules } from "../permissions/project-rules.ts";
import { parseRule } from "../permissions/rules.ts";
import { readAnswerSchema } from "../prompt/answer-schema.ts";
import { chooseSession } from "../session/choose-session.ts";
import type { SessionSettings } from "../session/create-session.ts";
import { sessionFolder } from "../session/session-folder.ts";
import { SessionShelf } from "../session/session-shelf.ts";
import type { PathState } from "../session/session-tree.ts";
import { sandboxProblem } from "../tools/sandbox.ts";
import { configFolder } from "./config-folder.ts";
import { dataFolder } from "./data-folder.ts";
import { loadModelSources, type ModelSources } from "./model-sources.ts";
import { type ModelSelection, selectModel } from "./select-model.ts";
import { type FileSettings, readFileSettings } from "./settings-file.ts";

/** Pause after each word of the demo on a terminal, so that it looks like a stream. */
const DEMO_PAUSE_MS = 25;

/** Reads the settings. Rejects with a `UsageError` for what cannot be. */
export async function readSettings(commandLine: CommandLine, process: NodeJS.Process): Promise<SessionSettings> {
  const { env } = process;
  const home = env["HOME"] || homedir();
  const folder = configFolder(env, home);
  const root = process.cwd();
  const [file, sources, projectRules] = await Promise.all([
    readFileSettings(folder),
    loadModelSources(folder, env),
    ProjectRules.read(folder, root),
  ]);
  const shelf = new SessionShelf(sessionFolder(dataFolder(env, home), root), root, !commandLine.has("no-session"));
  const store = chooseSession(commandLine, shelf);
  const selection = await selectFor(commandLine, file, store.tree.state(), sources);
  const schemaFile = commandLine.value("schema");
  const timeoutSeconds = commandLine.number("timeout");
  return {
    root,
    home,
    env,
    shelf,
    store,
    sources,
    selection,
    apiKey: commandLine.value("api-key"),
    rules: (["deny", "ask", "allow"] as const).flatMap((verdict) =>
      [...commandLine.values(verdict), ...(file[verdict] ?? [])].map((text) => parseRule(verdict, text)),
    ),
    projectRules,
    yolo: commandLine.has("yolo"),
    sandbox: commandLine.has("sandbox") ? await sandboxFor(env, folder) : undefined,
    answerSchema: schemaFile === undefined ? undefined : await readAnswerSchema(schemaFile),
    budget: {
      ...withValue("turnsMax", commandLine.number("max-turns")),
      ...withValue("costMax", commandLine.number("max-cost")),
      ...withValue("durationMaxMs", timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000),
    },
    demoPauseMs: process.stdout.isTTY ? DEMO_PAUSE_MS : 0,
  };
}

/** The model of the flags, else that of the session that is gone on with, else that of the settings file. */
async function selectFor(
  commandLine: CommandLine,
  file: FileSettings,
  saved: PathState,
  sources: ModelSources,
): Promise<ModelSelection> {
  const provider = commandLine.value("provider");
  const model = commandLine.value("model");
  const thinking = (commandLine.value("thinking") as ThinkingLevel | undefined) ?? saved.thinking ?? file.thinking;
  const wish = { model, provider, baseUrl: commandLine.value("base-url"), thinking };
  if (model !== undefined || provider !== undefined) return selectModel(wish, sources);
  if (saved.model === undefined) return selectModel({ ...wish, model: file.model }, sources);
  try {
    return await selectModel({ ...wish, ...saved.model }, sources);
  } catch (error) {
    // A session outlives the settings that its model came from.
    if (error instanceof UsageError) return selectModel({ ...wish, model: file.model }, sources);
    throw error;
  }
}

/** A sandbox in which the person's keys and settings are not to be seen. */
async function sandboxFor(env: NodeJS.ProcessEnv, folder: string): Promise<SessionSettings["sandbox"]> {
  const problem = await sandboxProblem(env);
  if (problem !== undefined) throw new UsageError(problem);
  return { hidden: [folder] };
}

function withValue<K extends string>(name: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, number>>);
}

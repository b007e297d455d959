// The settings of a session out of the command line, the person's settings file and the environment. Flags win over the file.
import { homedir } from "node:os";
import type { ThinkingLevel } from "@rondo/ai";
import type { CommandLine } from "../flags/parse.ts";
import { parseRule } from "../permissions/rules.ts";
import { readAnswerSchema } from "../prompt/answer-schema.ts";
import type { SessionSettings } from "../session/create-session.ts";
import { configFolder } from "./config-folder.ts";
import { loadModelSources } from "./model-sources.ts";
import { selectModel } from "./select-model.ts";
import { readFileSettings } from "./settings-file.ts";

/** Pause after each word of the demo on a terminal, so that it looks like a stream. */
const DEMO_PAUSE_MS = 25;

/** Reads the settings. Rejects with a `UsageError` for what cannot be. */
export async function readSettings(commandLine: CommandLine, process: NodeJS.Process): Promise<SessionSettings> {
  const { env } = process;
  const home = env["HOME"] || homedir();
  const folder = configFolder(env, home);
  const [file, sources] = await Promise.all([readFileSettings(folder), loadModelSources(folder, env)]);
  const provider = commandLine.value("provider");
  const model = commandLine.value("model") ?? (provider === undefined ? file.model : undefined);
  const thinking = (commandLine.value("thinking") as ThinkingLevel | undefined) ?? file.thinking;
  const selection = await selectModel({ model, provider, baseUrl: commandLine.value("base-url"), thinking }, sources);
  const schemaFile = commandLine.value("schema");
  const timeoutSeconds = commandLine.number("timeout");
  return {
    root: process.cwd(),
    home,
    env,
    sources,
    selection,
    apiKey: commandLine.value("api-key"),
    rules: (["deny", "ask", "allow"] as const).flatMap((verdict) =>
      [...commandLine.values(verdict), ...(file[verdict] ?? [])].map((text) => parseRule(verdict, text)),
    ),
    yolo: commandLine.has("yolo"),
    answerSchema: schemaFile === undefined ? undefined : await readAnswerSchema(schemaFile),
    budget: {
      ...withValue("turnsMax", commandLine.number("max-turns")),
      ...withValue("costMax", commandLine.number("max-cost")),
      ...withValue("durationMaxMs", timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000),
    },
    demoPauseMs: process.stdout.isTTY ? DEMO_PAUSE_MS : 0,
  };
}

function withValue<K extends string>(name: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, number>>);
}

// The settings of a session out of the command line, the person's settings file and the environment. Flags win over the file.
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ThinkingLevel } from "@rondo/ai";
import { loadContext } from "../context/load-context.ts";
import { UsageError } from "../exit-codes.ts";
import { loadExtensions } from "../extensions/load-extensions.ts";
import type { CommandLine } from "../flags/parse.ts";
import { ProjectRules } from "../permissions/project-rules.ts";
import { parseRule } from "../permissions/rules.ts";
import { readAnswerSchema } from "../prompt/answer-schema.ts";
import { slashCommands } from "../prompt/slash-commands.ts";
import { chooseSession } from "../session/choose-session.ts";
import type { SessionSettings } from "../session/create-session.ts";
import { sessionFolder } from "../session/session-folder.ts";
import { SessionShelf } from "../session/session-shelf.ts";
import type { SessionStore } from "../session/session-store.ts";
import type { ModelChoice } from "../session/session-tree.ts";
import { sandboxProblem } from "../tools/sandbox.ts";
import { configFolder } from "./config-folder.ts";
import { configuredExtensions } from "./configured-extensions.ts";
import { dataFolder } from "./data-folder.ts";
import { type Layers, readLayers } from "./layers.ts";
import { loadModelSources, type ModelSources } from "./model-sources.ts";
import { type ModelSelection, selectModel } from "./select-model.ts";
import type { FileSettings, McpServerSettings } from "./settings-schema.ts";

/** Pause after each word of the demo on a terminal, so that it looks like a stream. */
const DEMO_PAUSE_MS = 25;

/** What somebody else than the command line decides. */
export interface SettingsWish {
  /** Absolute path of the workspace. Default: the current folder. */
  root?: string;
  /** Opens the session. Default: as the flags say. */
  openStore?: (shelf: SessionShelf) => SessionStore;
  /** MCP servers besides those of the settings. */
  mcpServers?: Record<string, McpServerSettings>;
}

/** Reads the settings. Rejects with a `UsageError` for what cannot be. */
export async function readSettings(
  commandLine: CommandLine,
  process: NodeJS.Process,
  wish: SettingsWish = {},
): Promise<SessionSettings> {
  const { env } = process;
  const home = env["HOME"] || homedir();
  const folder = configFolder(env, home);
  const root = wish.root ?? process.cwd();
  const data = dataFolder(env, home);
  const layers = await readLayers({ root, home, configFolder: folder, dataFolder: data });
  const extensions = await loadExtensions(
    [
      ...commandLine.values("extension").map((path) => resolve(path)),
      ...configuredExtensions(layers, folder).map(({ path }) => path),
    ],
    root,
  );
  const [sources, projectRules] = await Promise.all([
    loadModelSources({ configFolder: folder, dataFolder: data }, env, extensions.providers),
    ProjectRules.read(folder, root),
  ]);
  const file = layers.settings;
  const context = loadContext({
    root,
    configFolder: folder,
    home,
    projectFolder: layers.isTrusted ? layers.project?.folder : undefined,
  });
  const shelf = new SessionShelf(sessionFolder(data, root), root, !commandLine.has("no-session"));
  const store = wish.openStore ? wish.openStore(shelf) : chooseSession(commandLine, shelf);
  const selection = await selectFor(commandLine, file, store.tree.choice(), sources);
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
    rules: [
      ...(["deny", "ask", "allow"] as const).flatMap((verdict) =>
        commandLine.values(verdict).map((text) => parseRule(verdict, text)),
      ),
      ...layers.rules,
      ...context.rules,
    ],
    isUncertain: layers.isUncertain,
    context,
    extensions,
    commands: slashCommands(context.templates, extensions.commands),
    mcpServers: { ...file.mcpServers, ...wish.mcpServers },
    systemPrompt: commandLine.value("system-prompt") ?? file.systemPrompt,
    appendSystemPrompt: [file.appendSystemPrompt, commandLine.value("append-system-prompt")].filter(
      (text) => text !== undefined,
    ),
    notices: [...layers.problems, ...context.problems, ...extensions.problems, ...untrustedNotice(layers)],
    projectRules,
    yolo: commandLine.has("yolo"),
    sandbox: wantsSandbox(commandLine, file) ? await sandboxFor(env, folder) : undefined,
    answerSchema: schemaFile === undefined ? undefined : await readAnswerSchema(schemaFile),
    budget: {
      ...withValue("turnsMax", commandLine.number("max-turns")),
      ...withValue("costMax", commandLine.number("max-cost")),
      ...(commandLine.value("unknown-cost") === "warn" && { unknownCost: "warn" }),
      ...withValue("durationMaxMs", timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000),
    },
    compaction: file.compaction ?? {},
    appearance: {
      ...(file.theme !== undefined && { theme: file.theme }),
      ...(file.styles !== undefined && { styles: file.styles }),
      ...(file.showThinking !== undefined && { showThinking: file.showThinking }),
      ...(file.keys !== undefined && { keys: file.keys }),
    },
    demoPauseMs: process.stdout.isTTY ? DEMO_PAUSE_MS : 0,
  };
}

function untrustedNotice({ project, isTrusted }: Layers): string[] {
  if (!project || isTrusted) return [];
  return [
    `${project.folder} brings settings, skills or programs of its own along. They are left alone, since it is not trusted: see rondo trust.`,
  ];
}

/** The model of the flags, else that of the session that is gone on with, else that of the settings file. */
async function selectFor(
  commandLine: CommandLine,
  file: FileSettings,
  saved: ModelChoice,
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

function wantsSandbox(commandLine: CommandLine, file: FileSettings): boolean {
  return commandLine.has("sandbox") || (file.sandbox === true && !commandLine.has("no-sandbox"));
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

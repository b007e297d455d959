// Puts one session together: model, tools, permissions, agent. Owns what must be cleaned up when it ends.
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type AgentBudget, type AnyAgentTool } from "@rondo/agent";
import type { AssistantMessage } from "@rondo/ai";
import { composeSystemPrompt } from "../context/compose-system-prompt.ts";
import type { SessionContext } from "../context/load-context.ts";
import { createNestedInstructions } from "../context/nested-instructions.ts";
import { DEMO_MODEL } from "../demo/model.ts";
import { UsageError } from "../exit-codes.ts";
import { askBefore, attachListeners, changeAfter, wrapStreamFn } from "../extensions/attach-extensions.ts";
import type { Extensions } from "../extensions/load-extensions.ts";
import { prepareResultImages } from "../images/result-images.ts";
import { connectMcpServers, type McpServers } from "../mcp/mcp-servers.ts";
import { ModelChain } from "../models/model-chain.ts";
import { createModelStream } from "../models/model-stream.ts";
import { isSearchForbidden } from "../permissions/engine.ts";
import { type AskPerson, PermissionGate } from "../permissions/gate.ts";
import type { ProjectRules } from "../permissions/project-rules.ts";
import { isAbout, type Rule } from "../permissions/rules.ts";
import type { AnswerSchema } from "../prompt/answer-schema.ts";
import type { SlashCommand } from "../prompt/slash-commands.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { ModelSources } from "../settings/model-sources.ts";
import type { ModelSelection } from "../settings/select-model.ts";
import type { CompactionSettings, FileSettings, McpServerSettings } from "../settings/settings-schema.ts";
import { BackgroundJobs } from "../tools/background-jobs.ts";
import { withoutKeys } from "../tools/command-environment.ts";
import { createTools } from "../tools/index.ts";
import { ProcessGroups } from "../tools/process-groups.ts";
import { removeStandIns } from "../tools/sandbox.ts";
import { SeenFiles, type Workspace } from "../tools/workspace.ts";
import { noteLastModel } from "./note-last-model.ts";
import { SessionKeeper } from "./session-keeper.ts";
import type { SessionShelf } from "./session-shelf.ts";
import type { SessionStore } from "./session-store.ts";

/** What a session is made from. */
export interface SessionSettings {
  root: string;
  home: string;
  env: Record<string, string | undefined>;
  /** The sessions of this folder, and the one that is gone on with or begun. */
  shelf: SessionShelf;
  store: SessionStore;
  sources: ModelSources;
  selection: ModelSelection;
  /** The key from the command line. It is for the provider of the selected model and for no other. */
  apiKey: string | undefined;
  rules: Rule[];
  /** Whether a rule that was to forbid or to ask could not be read: then none allows anything. */
  isUncertain: boolean;
  /** Rules that are remembered for the project, and where further ones are kept. */
  projectRules: ProjectRules;
  yolo: boolean;
  /** Present if commands run in a sandbox: the folders that they find empty there. */
  sandbox: { hidden: readonly string[] } | undefined;
  budget: AgentBudget;
  /** When to compact, and how much stays. */
  compaction: CompactionSettings;
  /** How the terminal looks. */
  appearance: Pick<FileSettings, "theme" | "styles" | "showThinking" | "keys">;
  /** Instructions, skills and prompt templates. */
  context: SessionContext;
  extensions: Extensions;
  /** What can be said by its name. */
  commands: SlashCommand[];
  /** Servers of the Model Context Protocol, which `connectMcpServers` connects to. */
  mcpServers: Record<string, McpServerSettings>;
  /** In the place of our own system prompt. */
  systemPrompt: string | undefined;
  /** At the end of the system prompt. */
  appendSystemPrompt: string[];
  /** What the person should know before anything is said. */
  notices: string[];
  /** What the answer must be, if it must be JSON. */
  answerSchema: AnswerSchema | undefined;
  /** Pause after each word of the demo. */
  demoPauseMs: number;
}

/** A session that can be prompted. */
export interface Session {
  agent: Agent;
  gate: PermissionGate;
  keeper: SessionKeeper;
  /** What could not be had, in sentences for the person. */
  notices: string[];
  /** The models that are asked when the agent's fails. */
  chain: ModelChain;
  /** Ends the commands that still run and removes what they left in temporary folders. Synchronous, for the end of the process. */
  close: () => void;
}

/** Makes a session. Without `askPerson` there is nobody who could be asked about a tool call. */
export async function createSession(settings: SessionSettings, askPerson?: AskPerson): Promise<Session> {
  const mcp = await connectMcpServers(settings.mcpServers, settings.root);
  try {
    return putTogether(settings, mcp, askPerson);
  } catch (error) {
    // Their programs would keep this one, which has told what is wrong.
    mcp.close();
    settings.extensions.faults.stop();
    throw error;
  }
}

function putTogether(settings: SessionSettings, mcp: McpServers, askPerson: AskPerson | undefined): Session {
  const { root, home, env, selection, rules } = settings;
  // A name that nobody can guess and take first.
  const outputFolder = join(tmpdir(), `rondo-${randomUUID()}`);
  const processGroups = new ProcessGroups();
  const jobs = new BackgroundJobs(processGroups);
  const workspace: Workspace = {
    ...{
      root,
      home,
      env: withoutKeys(env, keyNames(settings.sources)),
      outputFolder,
      seenFiles: new SeenFiles(),
      processGroups,
      jobs,
    },
    ...(settings.sandbox && { sandbox: { root, outputFolder, ...settings.sandbox } }),
  };
  workspace.isSearchForbidden = (path) => isSearchForbidden({ root, home, rules, yolo: false }, path);
  const { extensions } = settings;
  const tools = withoutDoubles([...createTools(workspace), ...extensions.tools, ...mcp.tools]);
  const toolNames = tools.map((tool) => tool.name);
  const { yolo, problems: ruleProblems } = settleRules(settings, toolNames);
  const gate = new PermissionGate(
    { root, home, rules, yolo, readable: [outputFolder] },
    {
      ...(askPerson && { askPerson }),
      keepForProject: (rules) =>
        settings.projectRules
          .add(rules)
          .catch((error: Error) =>
            keeper.onNotice(`What you allowed could not be kept, so it holds for this session alone: ${error.message}`),
          ),
    },
  );
  const chain = new ModelChain([selection, ...selection.fallbacks]);
  const modelStream = createModelStream({
    protocols: extensions.protocols,
    sources: settings.sources,
    chain,
    ownKey: settings.apiKey === undefined ? undefined : { provider: selection.model.provider, apiKey: settings.apiKey },
    demoPauseMs: settings.demoPauseMs,
    onFallback: (notice) => keeper.onNotice(notice),
  });
  const streamFn = wrapStreamFn(modelStream, extensions);
  const addInstructions = createNestedInstructions({ root, home });
  const agent = new Agent({
    initialState: {
      systemPrompt: composeSystemPrompt({
        base: settings.systemPrompt ?? systemPrompt({ root, platform: process.platform, tools: toolNames }),
        context: settings.context,
        append: settings.appendSystemPrompt,
      }),
      model: selection.model,
      thinkingLevel: selection.thinking,
      tools: tools.map((tool) => gate.guard(tool)),
    },
    streamFn,
    ...(settings.answerSchema && {
      streamOptions: { responseSchema: { name: "answer", schema: settings.answerSchema } },
    }),
    beforeToolCall: async (context) => (await gate.check(context)) ?? askBefore(extensions, context),
    afterToolCall: (context) =>
      changeAfter([addInstructions, ...extensions.afterToolCall, prepareResultImages], context),
    retry: { attemptsMax: 3, isRetryable },
    budget: settings.budget,
  });
  const { catalog } = settings.sources;
  const keeper = new SessionKeeper(agent, {
    shelf: settings.shelf,
    store: settings.store,
    streamFn,
    compaction: settings.compaction,
    findModel: (provider, id) =>
      provider === DEMO_MODEL.provider ? DEMO_MODEL : catalog.getProvider(provider) && catalog.getModel(provider, id),
  });
  noteLastModel(agent, settings.sources);
  attachListeners(agent, extensions, (text) => keeper.onNotice(text));
  extensions.faults.listen((text) => keeper.onNotice(text));
  return {
    agent,
    gate,
    notices: [...ruleProblems, ...mcp.problems],
    keeper,
    chain,
    close() {
      keeper.close();
      mcp.close();
      extensions.faults.stop();
      processGroups.killAll();
      if (workspace.sandbox) removeStandIns(workspace.sandbox);
      rmSync(outputFolder, { recursive: true, force: true });
    },
  };
}

/** Variables in which keys of model providers are looked for. */
function keyNames({ catalog }: ModelSources): string[] {
  return catalog.getProviders().flatMap((id) => catalog.getProvider(id)?.env ?? []);
}

/** A server that is not there will not be there in a second either: a person wants to hear of it at once. */
function isRetryable({ error }: AssistantMessage): boolean {
  return error?.retryable === true && error.code !== "ECONNREFUSED" && error.code !== "ENOTFOUND";
}

/** A built-in tool is not replaced: what a rule allows by its name must be what it was written for. */
function withoutDoubles(tools: AnyAgentTool[]): AnyAgentTool[] {
  return tools.filter((tool, index) => tools.findIndex(({ name }) => name === tool.name) === index);
}

const UNCERTAIN =
  "Since a rule that forbids or asks is not understood, no rule and no flag allows anything in this run; only looking at files of the workspace is free.";

/**
 * Makes the rules of the session ready, in place. A rule with a slip in the tool's name would forbid nothing, and nobody would notice: on
 * the command line it is an error, and in a file it is named. If it was to protect, nothing is allowed by rules.
 */
function settleRules(settings: SessionSettings, tools: string[]): { yolo: boolean; problems: string[] } {
  const { rules } = settings;
  // The tools of an MCP server that does not answer today are not known.
  const names = (rule: Rule) => rule.tool.startsWith("mcp__") || tools.some((tool) => isAbout(rule, tool));
  const nameless = rules.filter((rule) => !names(rule));
  const said = ({ verdict, text }: Rule) =>
    `The rule --${verdict} '${text}' names no tool. The tools are ${tools.join(", ")}.`;
  const flag = nameless.find(({ place }) => place === undefined);
  if (flag) throw new UsageError(said(flag));
  const isUncertain = settings.isUncertain || nameless.some(({ verdict }) => verdict !== "allow");
  const kept = rules.filter((rule) => names(rule) && !(isUncertain && rule.verdict === "allow"));
  rules.splice(0, rules.length, ...kept, ...(isUncertain ? [] : settings.projectRules.rules));
  const problems = nameless.map((rule) => `${rule.place}: ${said(rule)}`);
  return { yolo: settings.yolo && !isUncertain, problems: isUncertain ? [...problems, UNCERTAIN] : problems };
}

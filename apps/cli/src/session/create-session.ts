// Puts one session together: model, tools, permissions, agent. Owns what must be cleaned up when it ends.
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type StreamFn } from "@rondo/agent";
import { type SimpleStreamOptions, streamSimple } from "@rondo/ai";
import { createDemoStream, DEMO_MODEL } from "../demo/model.ts";
import { type AskPerson, PermissionGate } from "../permissions/gate.ts";
import type { Rule } from "../permissions/rules.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { ModelSelection } from "../settings/select-model.ts";
import { createTools } from "../tools/index.ts";
import { ProcessGroups } from "../tools/process-groups.ts";
import { SeenFiles, type Workspace } from "../tools/workspace.ts";

/** What a session is made from. */
export interface SessionSettings {
  root: string;
  home: string;
  env: Record<string, string | undefined>;
  selection: ModelSelection;
  apiKey: string | undefined;
  rules: Rule[];
  yolo: boolean;
  turnsMax: number | undefined;
  durationMaxMs: number | undefined;
  /** Pause after each word of the demo. */
  demoPauseMs: number;
}

/** A session that can be prompted. */
export interface Session {
  agent: Agent;
  gate: PermissionGate;
  /** Ends the commands that still run and removes what they left in temporary folders. Synchronous, for the end of the process. */
  close: () => void;
}

/** Makes a session. Without `askPerson` there is nobody who could be asked about a tool call. */
export function createSession(settings: SessionSettings, askPerson?: AskPerson): Session {
  const { root, home, env, selection, rules, yolo } = settings;
  const outputFolder = join(tmpdir(), `rondo-${process.pid}`);
  const processGroups = new ProcessGroups();
  const workspace: Workspace = { root, home, env, outputFolder, seenFiles: new SeenFiles(), processGroups };
  const tools = createTools(workspace);
  const gate = new PermissionGate({ root, home, rules, yolo }, askPerson);
  const demoStream = createDemoStream(settings.demoPauseMs);
  const streamFn: StreamFn = (model, context, options) =>
    (model.api === DEMO_MODEL.api ? demoStream : streamSimple)(model, context, options);
  const streamOptions: SimpleStreamOptions = { env, ...(settings.apiKey !== undefined && { apiKey: settings.apiKey }) };
  const agent = new Agent({
    initialState: {
      systemPrompt: systemPrompt({ root, platform: process.platform, tools: tools.map((tool) => tool.name) }),
      model: selection.model,
      thinkingLevel: selection.thinking,
      tools,
    },
    streamFn,
    streamOptions,
    beforeToolCall: (context) => gate.check(context),
    retry: { attemptsMax: 3 },
    budget: {
      ...(settings.turnsMax !== undefined && { turnsMax: settings.turnsMax }),
      ...(settings.durationMaxMs !== undefined && { durationMaxMs: settings.durationMaxMs }),
    },
  });
  return {
    agent,
    gate,
    close() {
      processGroups.killAll();
      rmSync(outputFolder, { recursive: true, force: true });
    },
  };
}

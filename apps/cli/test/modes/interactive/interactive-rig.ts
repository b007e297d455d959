// Interactive mode in this process, on a virtual terminal, with an agent whose model follows a script.
import { setCapabilities, setKeybindings, TUI } from "@earendil-works/pi-tui";
import { Agent, type AgentOptions } from "@rondo/agent";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { onTestFinished } from "vitest";
import type { Command } from "../../../src/modes/interactive/commands/table.ts";
import { InteractiveMode } from "../../../src/modes/interactive/interactive-mode.ts";
import { KeptSession } from "../../../src/modes/interactive/kept-session.ts";
import { createKeyBindings } from "../../../src/modes/interactive/key-bindings.ts";
import { PermissionAsker } from "../../../src/modes/interactive/permission-asker.ts";
import { SessionKeeper } from "../../../src/session/session-keeper.ts";
import { SessionShelf } from "../../../src/session/session-shelf.ts";
import type { CompactionSettings } from "../../../src/settings/settings-schema.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { VirtualTerminal } from "./virtual-terminal.ts";

const LOOKS_MAX = 300;

// The library waits 16 ms between two frames, for the sake of terminals. There is none here.
Object.assign(TUI, { MIN_RENDER_INTERVAL_MS: 0 });

/** What a rig may be given. */
export interface RigOptions {
  steps?: ScriptedStep[];
  agent?: AgentOptions;
  compaction?: CompactionSettings;
  /** The folder of the workspace's sessions. Default: the workspace itself. */
  sessions?: string;
  columns?: number;
  rows?: number;
  greeting?: string;
  env?: Record<string, string | undefined>;
  commands?: Command[];
  /** Waits in the place of a timer. Default: not at all. */
  pause?: (milliseconds: number) => Promise<void>;
}

/** Starts interactive mode with a session that is kept nowhere. It ends with the test. */
export function startRig({
  steps = [],
  agent: options = {},
  compaction = {},
  sessions,
  columns = 80,
  rows = 24,
  greeting = "",
  env,
  commands = [],
  pause = async () => {},
}: RigOptions) {
  setKeybindings(createKeyBindings());
  setCapabilities({ images: null, trueColor: true, hyperlinks: false });
  const script = scriptedModel(steps);
  const root = temporaryFolder();
  const agent = new Agent({
    streamFn: script.streamFn,
    ...options,
    initialState: { model: script.model, ...options.initialState },
  });
  const terminal = new VirtualTerminal(columns, rows);
  const shelf = new SessionShelf(sessions ?? root, root, false);
  const keeper = new SessionKeeper(agent, {
    shelf,
    store: shelf.begin(),
    streamFn: agent.streamFunction,
    compaction,
    findModel: () => undefined,
  });
  keeper.adopt(options.initialState?.messages ?? []);
  const session = new KeptSession(keeper, root, []);
  const asker = new PermissionAsker();
  let hasLeft = false;
  const mode = new InteractiveMode(
    {
      session,
      asker,
      home: root,
      env: env ?? { TERM: "xterm-256color" },
      input: process.stdin,
      output: process.stdout,
      signal: new AbortController().signal,
      greeting,
      commands,
      pause,
    },
    terminal,
    () => {
      hasLeft = true;
    },
  );
  mode.start();
  onTestFinished(() => mode.close());
  let frames = 0;
  mode.screen.below.addChild({
    render: () => {
      frames++;
      return [];
    },
    invalidate: () => {},
  });
  /** Has a frame drawn, and resolves when it is. */
  const frame = async (): Promise<void> => {
    const before = frames;
    mode.screen.requestRender();
    while (frames === before) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  /** Resolves when the screen shows something; fails with the screen if that does not come. */
  const shows = async (wanted: string): Promise<void> => {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      await frame();
      if ((await terminal.screen()).join("\n").includes(wanted)) return;
    }
    throw new Error(`${wanted} did not appear. The screen:\n${(await terminal.screen()).join("\n")}`);
  };
  return { mode, agent, keeper, terminal, session, asker, script, root, frame, shows, hasLeft: () => hasLeft };
}

// Interactive mode: puts the parts together and ends in order whatever happens. The run ends when the promise settles; nothing
// here ends the process.
import { detectCapabilities, setCapabilities, setKeybindings } from "@earendil-works/pi-tui";
import type { ImageContent } from "@rondo/ai";
import type { Ending } from "../../exit-codes.ts";
import { divertWrites } from "../../terminal/divert-writes.ts";
import { RawTerminal, type TerminalInput, type TerminalOutput } from "../../terminal/raw-terminal.ts";
import type { Command } from "./commands/table.ts";
import { InteractiveMode } from "./interactive-mode.ts";
import { createKeyBindings } from "./key-bindings.ts";
import type { KeySettings } from "./key-table.ts";
import type { PermissionAsker } from "./permission-asker.ts";
import type { SessionPort } from "./session-port.ts";
import type { ThemeName, ThemeStyles } from "./themes.ts";

/** How it looks and which keys do what; settings files may fill it. */
export interface InteractiveSettings {
  theme?: ThemeName;
  styles?: Partial<ThemeStyles>;
  keys?: KeySettings;
  showThinking?: boolean;
}

/** What it runs on. */
export interface InteractiveOptions {
  session: SessionPort;
  asker: PermissionAsker;
  home: string;
  env: Record<string, string | undefined>;
  input: TerminalInput;
  output: TerminalOutput;
  /** Other streams that lead to the same terminal. */
  otherOutputs?: TerminalOutput[];
  /** Aborted when the process is told to end. */
  signal: AbortSignal;
  settings?: InteractiveSettings;
  /** Waits for so many milliseconds. Default: a timer. */
  pause?: (milliseconds: number) => Promise<unknown>;
  /** Commands of the editor besides its own: those of skills, templates and extensions. */
  commands?: Command[];
  /** Whether an error that nobody caught came from elsewhere and is told there. Default: every one ends the mode. */
  isForeignFault?: (error: unknown) => boolean;
  /** A command that is run at once, with its slash. */
  firstCommand?: string;
  /** Said at once. */
  prompt?: { text: string; images: ImageContent[] };
  /** Shown above everything. */
  greeting: string;
}

/** Runs until the person leaves, the process is told to end, or the terminal is gone. Rejects on a fault of our own. */
export async function runInteractive(options: InteractiveOptions): Promise<Ending> {
  setKeybindings(createKeyBindings(options.settings?.keys));
  // A link shows where it leads, since text that hides it may lie.
  setCapabilities({ ...detectCapabilities(), hyperlinks: false });
  let end: (ending: Ending) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<Ending>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const terminal = new RawTerminal(options.input, options.output, () => end("terminated"));
  const mode = new InteractiveMode(options, terminal, () => end("done"));
  const streams = [options.output, ...(options.otherOutputs ?? [])];
  const giveBack = divertWrites(streams, (lines) => mode.conversation.notice("note", lines));
  const onSignal = () => end(options.signal.reason === "interrupted" ? "interrupted" : "terminated");
  options.signal.addEventListener("abort", onSignal);
  const onFault = (error: unknown) => {
    if (options.isForeignFault?.(error) !== true) fail(error);
  };
  process.on("uncaughtException", onFault);
  process.on("unhandledRejection", onFault);
  // The last resort: whoever ends the process, the terminal is put back.
  process.on("exit", mode.restore);
  if (process.platform !== "win32") {
    process.on("SIGTSTP", mode.jobControl.suspend);
    process.on("SIGCONT", mode.jobControl.wake);
  }
  try {
    mode.start();
    return await ended;
  } finally {
    process.off("SIGTSTP", mode.jobControl.suspend);
    process.off("SIGCONT", mode.jobControl.wake);
    await mode.close().finally(() => {
      giveBack();
      options.signal.removeEventListener("abort", onSignal);
      process.off("uncaughtException", onFault);
      process.off("unhandledRejection", onFault);
      process.off("exit", mode.restore);
    });
  }
}

// The built command in a real pseudo-terminal, made by tmux: keys go in, the screen comes out. Nothing here waits for a time to
// pass; everything waits for what is to be seen, and fails with the screen as it was if that does not come.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { threadId } from "node:worker_threads";
import xterm from "@xterm/headless";
import { onTestFinished, type TestContext } from "vitest";
import { build, main } from "../../command.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";

const run = promisify(execFile);
const LOOK_INTERVAL_MS = 60;
const SIZE_LOOK_INTERVAL_MS = 10;
const SIZE_LOOKS_MAX = 25;
const LOOKS_AT_END_MAX = 100;
const PATIENCE_MS = 45_000;
const HISTORY_LINES = 20_000;

/** How a session is started. */
export interface SessionOptions {
  args?: string[];
  columns?: number;
  rows?: number;
  cwd?: string;
  home?: string;
  env?: Record<string, string>;
  /** Whether the exit code is kept in the file `code`, also when the terminal is gone. */
  keepsCode?: boolean;
  /** A shell with job control in which the command is started. */
  inShell?: boolean;
  /** What is on the screen when it has started. Default: the footer of the screen. */
  ready?: RegExp;
}

/** Leaves the test out, and says why, where there is no tmux. */
export function needsTmux({ skip }: TestContext): void {
  try {
    execFileSync("tmux", ["-V"]);
  } catch {
    skip("tmux is not installed, so there is no terminal to test in");
  }
}

let sessionCount = 0;

/** A running command and its terminal. */
export class TerminalSession {
  readonly base: string;
  readonly home: string;
  readonly #socket: string;
  readonly #outputFile: string;

  private constructor(base: string, home: string, socket: string) {
    this.base = base;
    this.home = home;
    this.#socket = socket;
    this.#outputFile = join(base, "output");
  }

  /** Starts the command with the demo model unless the arguments name another. It ends with the test. */
  static async start(options: SessionOptions = {}): Promise<TerminalSession> {
    await build();
    const base = temporaryFolder();
    const home = options.home ?? join(base, "home");
    const cwd = options.cwd ?? join(base, "workspace");
    for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
    const session = new TerminalSession(base, home, `rondo-test-${process.pid}-${threadId}-${++sessionCount}`);
    onTestFinished(() => session.#end());
    const { args = ["--model", "demo"], columns = 80, rows = 24 } = options;
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: base, LANG: "C.UTF-8", ...options.env };
    const assignments = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
    const command = [process.execPath, main, ...args].map(quote).join(" ");
    const inner = `echo $$ > ${quote(join(base, "pid"))}; exec ${command}`;
    const started = `sh -c ${quote(inner)}`;
    const watched = `sh -c ${quote(`trap '' HUP; ${started}; echo $? > ${quote(join(base, "code"))}`)}`;
    const line = options.inShell
      ? `exec env -i ${assignments.join(" ")} TERM=$TERM PS1='$ ' HISTFILE= bash --norc --noprofile -i`
      : `echo before; env -i ${assignments.join(" ")} TERM=$TERM ${options.keepsCode ? watched : started}; echo "ended with $?"; exec cat`;
    // One call for all, since each costs a process. The command has a window of its own, made after the limit was set.
    const history = ["set-option", "-g", "history-limit", String(HISTORY_LINES)];
    const terminal = ["set-option", "-g", "default-terminal", "tmux-256color"];
    const size = ["-x", String(columns), "-y", String(rows)];
    const calls = [
      ["-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, "cat"],
      history,
      terminal,
      ["new-window", "-k", "-t", ":0", "-c", cwd, line],
      ["pipe-pane", `cat >> ${quote(session.#outputFile)}`],
    ];
    await session.#tmux(...calls.flatMap((call, index) => (index === 0 ? call : [";", ...call])));
    if (options.inShell) {
      await session.waitFor(/^\$/m);
      await session.type(`sh -c ${quote(inner)}`);
      await session.press("Enter");
    }
    await session.waitFor(options.ready ?? /context /);
    return session;
  }

  /** Keys by tmux's names: `Enter`, `Escape`, `C-c`, `M-Enter`. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  /** Types a text, letter by letter. */
  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", text);
  }

  /** Types a text byte by byte, each in a write of its own. */
  async typeBytes(text: string): Promise<void> {
    for (const byte of Buffer.from(text)) await this.#tmux("send-keys", "-H", byte.toString(16));
  }

  /** Pastes a text, as a terminal with bracketed paste does. */
  async paste(text: string): Promise<void> {
    await this.#tmux("set-buffer", text);
    await this.#tmux("paste-buffer", "-p", "-r");
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** What is on the screen, without blanks at the end of lines. */
  async screen(): Promise<string> {
    const { stdout } = await this.#tmux("capture-pane", "-p");
    return stdout.trimEnd();
  }

  /** The screen and all that has scrolled off it. */
  async everything(): Promise<string> {
    const { stdout } = await this.#tmux("capture-pane", "-p", "-S", "-");
    return stdout.trimEnd();
  }

  /** Waits until the screen shows something, and gives the screen. */
  async waitFor(wanted: string | RegExp | ((screen: string) => boolean)): Promise<string> {
    const isThere =
      typeof wanted === "function"
        ? wanted
        : (screen: string) => (typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen));
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const seen = this.#outputSize();
      const screen = await this.screen();
      if (isThere(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`${wanted} did not appear. The screen:\n${screen}`);
      await this.#somethingNew(seen);
    }
  }

  /** Resolves soon after more has been written, or after a while: to look at a size costs less than to look at a screen. */
  async #somethingNew(seen: number): Promise<void> {
    // While much is written there is always something new, and each look at a screen is a process.
    await delay(LOOK_INTERVAL_MS);
    for (let looks = 0; looks < SIZE_LOOKS_MAX && this.#outputSize() === seen; looks++)
      await delay(SIZE_LOOK_INTERVAL_MS);
  }

  #outputSize(): number {
    return statSync(this.#outputFile, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Types a text and waits until it stands there. */
  async write(text: string): Promise<void> {
    await this.type(text);
    await this.waitFor(text.slice(-20));
  }

  /** Sends a signal to the command. */
  kill(signal: NodeJS.Signals): void {
    process.kill(this.processId(), signal);
  }

  /** The id of the command's process. */
  processId(): number {
    return Number(readFileSync(join(this.base, "pid"), "utf8"));
  }

  /** Whether the command's process is there. One that has ended may have to wait until somebody takes note of it. */
  isRunning(): boolean {
    const id = this.processId();
    try {
      process.kill(id, 0);
    } catch {
      return false;
    }
    if (process.platform !== "linux") return true;
    try {
      return !/\) Z /.test(readFileSync(`/proc/${id}/stat`, "utf8"));
    } catch {
      return false;
    }
  }

  /** Takes the terminal away. */
  async close(): Promise<void> {
    await this.#tmux("kill-server");
  }

  /** The folder of the session can go when nobody writes into it any more. */
  async #end(): Promise<void> {
    await this.close().catch(() => undefined);
    for (let looks = 0; this.isRunning() && looks < LOOKS_AT_END_MAX; looks++) await delay(LOOK_INTERVAL_MS);
  }

  /** All bytes that the command has written. */
  output(): string {
    return readFileSync(this.#outputFile, "utf8");
  }

  /** What the terminal has been left in, by all that was written to it. */
  async modes(): Promise<{ bracketedPaste: boolean; cursorHidden: boolean; isCanonical: boolean }> {
    const terminal = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
    const output = this.output();
    await new Promise<void>((resolve) => terminal.write(output, resolve));
    const { stdout: tty } = await this.#tmux("display-message", "-p", "#{pane_tty}");
    const { stdout: settings } = await run("stty", ["-F", tty.trim(), "-a"]);
    return {
      bracketedPaste: terminal.modes.bracketedPasteMode,
      cursorHidden: output.lastIndexOf("\x1b[?25l") > output.lastIndexOf("\x1b[?25h"),
      isCanonical: /(?<!-)icanon/.test(settings) && /(?<!-)\becho\b/.test(settings),
    };
  }

  #tmux(...args: string[]): Promise<{ stdout: string }> {
    return run("tmux", ["-L", this.#socket, ...args]);
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

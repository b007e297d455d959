// The parts of interactive mode, connected. Owns what is started and must be stopped: the screen, the draft, a shell command of
// the person's.
import { setTimeout as delay } from "node:timers/promises";
import type { Terminal } from "@earendil-works/pi-tui";
import type { AgentEvent } from "@rondo/agent";
import { cleanForScreen } from "../../terminal/escape.ts";
import type { App } from "./app.ts";
import { PreviewBlock } from "./blocks/preview.ts";
import type { View } from "./blocks/view.ts";
import { createCommands, runCommandLine } from "./commands/index.ts";
import { showSession } from "./commands/session.ts";
import type { Command } from "./commands/table.ts";
import { Conversation } from "./conversation.ts";
import { type PermissionChoice, PermissionQuestion } from "./dialogs/permission-question.ts";
import { Completion } from "./editor/completion.ts";
import { Draft } from "./editor/draft.ts";
import { Footer } from "./footer.ts";
import { Highlighter } from "./highlighter.ts";
import type { InteractiveOptions } from "./index.ts";
import { JobControl } from "./job-control.ts";
import { connectKeys } from "./keys.ts";
import type { PermissionRequest } from "./permission-asker.ts";
import { describeRules, previewCall } from "./permission-preview.ts";
import { QueueList } from "./queue-list.ts";
import { Screen } from "./screen.ts";
import { runShellEscape } from "./shell-escape.ts";
import { Submission } from "./submit.ts";
import { Talk } from "./talk.ts";
import { createTheme, themeFor } from "./theme.ts";
import type { ThemeName } from "./themes.ts";
import { Workbench } from "./workbench.ts";

const REST_HINT = "Enter sends · / commands · @ files · ! shell · Escape Escape tree · /help";
const LEAVE_HINT = "Ctrl+C again leaves";
const WORK_HINT = "Escape stops · Enter steers · Alt+Enter queues";
/** How long a run that is stopped may take until the screen is left. */
const ENDING_MS = 1000;
/** How long a question stands there before it takes an answer: whoever types has struck the next key by then. */
export const OPENING_MS = 300;
/** How long the last frame may take. */
const LAST_FRAME_MS = 40;

/** One interactive run. */
export class InteractiveMode implements App {
  readonly session: App["session"];
  readonly env: App["env"];
  readonly home: string;
  readonly screen: Screen;
  readonly view: View;
  readonly workbench: Workbench;
  readonly conversation: Conversation;
  readonly footer: Footer;
  readonly talk: Talk;
  readonly jobControl: JobControl;
  readonly leave: () => void;
  readonly #options: InteractiveOptions;
  readonly #draft: Draft;
  readonly #highlighter: Highlighter;
  readonly #submission: Submission;
  readonly #commands: Command[];
  #themeName: ThemeName;
  /** What the person has started besides the agent, and what is said of it: shell commands, notes that are being written. */
  readonly #errands = new Map<AbortController, string>();
  #restHint = REST_HINT;
  #unsubscribe: () => void = () => {};

  constructor(options: InteractiveOptions, terminal: Terminal, leave: () => void) {
    const { session, env, home, settings = {}, pause = delay } = options;
    this.#options = options;
    this.session = session;
    this.env = env;
    this.home = home;
    this.leave = leave;
    this.screen = new Screen(terminal, pause);
    this.#highlighter = new Highlighter(() => {
      this.screen.transcript.invalidate();
      this.screen.requestRender();
    });
    this.#themeName = settings.theme ?? themeFor(env);
    this.view = {
      theme: createTheme(this.#themeName, this.#highlighter, settings.styles),
      isThinkingShown: settings.showThinking === true,
      areDetailsShown: false,
    };
    const getTheme = () => this.view.theme;
    this.footer = new Footer(session, home, getTheme);
    this.workbench = new Workbench(this.screen, getTheme, new QueueList(session.agent, getTheme), this.footer);
    this.conversation = new Conversation(this.screen, this.view);
    this.talk = new Talk({
      agent: session.agent,
      unseen: this.conversation.unseen,
      putBack: (text) => this.workbench.editor.putBack(text),
      onChange: () => {
        this.#noteDraft();
        this.screen.requestRender();
      },
      onError: (error) => this.conversation.notice("error", error instanceof Error ? error.message : String(error)),
    });
    this.#draft = new Draft(home, session.root);
    this.jobControl = new JobControl(this.screen, () => this.#draft.flush());
    this.#commands = createCommands(options.commands);
    this.#submission = new Submission(this, this.#commands, (command) => this.#runShell(command));
    this.#connect();
  }

  get themeName(): ThemeName {
    return this.#themeName;
  }

  setTheme(name: ThemeName): void {
    this.#themeName = name;
    this.view.theme = createTheme(name, this.#highlighter, this.#options.settings?.styles);
  }

  /** Puts everything on the screen, and says the first prompt if there is one. */
  start(): void {
    const { greeting, prompt, firstCommand } = this.#options;
    if (greeting !== "") this.conversation.notice("note", greeting);
    showSession(this);
    const draft = this.#draft.takeOver();
    if (draft !== "") {
      this.workbench.editor.putBack(draft);
      this.conversation.notice("note", "What you were writing when rondo last ended is in the editor again.");
    }
    this.#rest();
    this.screen.start();
    void this.#recallPrompts();
    if (firstCommand !== undefined) runCommandLine(this, this.#commands, firstCommand);
    if (prompt) this.talk.say(prompt.text, prompt.images);
  }

  /** However slow the disk is, one can write meanwhile. */
  async #recallPrompts(): Promise<void> {
    this.workbench.editor.addEarlier(await this.session.prompts.read());
  }

  /** Puts the terminal back, at any moment and any number of times. */
  readonly restore = (): void => {
    this.#draft.flush();
    this.screen.terminal.stop();
  };

  /** Stops what runs, and leaves the conversation on the screen. */
  async close(): Promise<void> {
    await this.jobControl.takeBack();
    this.#stopErrands();
    this.workbench.cancelDialogs();
    // What is queued is part of the draft then.
    this.talk.stop();
    // What runs has a moment to end in sight of the person.
    const patience = new AbortController();
    const endOfPatience = delay(ENDING_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([this.session.agent.waitForIdle(), endOfPatience]);
    patience.abort();
    this.#unsubscribe();
    this.workbench.activity.rest("");
    this.screen.below.clear();
    this.screen.requestRender();
    await delay(LAST_FRAME_MS);
    this.#draft.flush();
    await this.screen.terminal.drainInput();
    this.screen.stop();
  }

  lend<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.jobControl.lend(use);
  }

  #connect(): void {
    const { session, workbench } = this;
    const { editor } = workbench;
    editor.setAutocompleteProvider(new Completion(session.root, this.#completions()));
    editor.onSend((text) => this.#submission.send(text, false));
    editor.onChange = () => this.#noteDraft();
    session.onNotice((text) => {
      // It may be that notes stand in the place of old messages now.
      this.footer.measure();
      this.conversation.notice("note", text);
    });
    this.#unsubscribe = session.agent.subscribe((event) => this.#handle(event));
    this.#options.asker.connect((request) => this.#askPermission(request));
    connectKeys(this, {
      submitLater: () => {
        const text = editor.getExpandedText();
        editor.setText("");
        this.#submission.send(text, true);
      },
      showHint: (leaves) => {
        this.#restHint = leaves ? LEAVE_HINT : REST_HINT;
        this.#rest();
      },
      pause: this.#options.pause ?? delay,
      stopErrands: () => this.#stopErrands(),
      hasErrands: () => this.#errands.size > 0,
      suspend: () => {
        if (process.platform !== "win32") this.jobControl.suspend();
      },
    });
  }

  #completions() {
    return this.#commands.map(({ name, description, argumentHint, completeArgument }) => ({
      name,
      description: cleanForScreen(description),
      ...(argumentHint !== undefined && { argumentHint: cleanForScreen(argumentHint) }),
      ...(completeArgument && { getArgumentCompletions: (begun: string) => completeArgument(this, begun) }),
    }));
  }

  #handle(event: AgentEvent): void {
    this.footer.handle(event);
    this.conversation.handle(event);
    // It may be one that was queued.
    if (event.type === "message_start" && event.message.role === "user") this.#noteDraft();
    if (event.type === "agent_start") this.workbench.activity.work(WORK_HINT);
    if (event.type !== "agent_end") return;
    this.workbench.cancelDialogs();
    const [errand] = this.#errands.values();
    if (errand === undefined) this.workbench.activity.rest(this.#restHint);
    else this.workbench.activity.work(errand);
  }

  async #askPermission(request: PermissionRequest): Promise<PermissionChoice> {
    const { theme } = this.view;
    const place = { root: this.session.root, home: this.home };
    const preview = await previewCall(theme, place, request.tool, request.args);
    if (this.session.agent.signal?.aborted) return { kind: "withdrawn" };
    const query = {
      ...request,
      preview,
      rows: () => this.screen.terminal.rows,
      onShowAll: () => {
        const all = [...preview, ...describeRules(theme, request.rules)];
        this.screen.transcript.add(new PreviewBlock(this.view, request.tool, all));
      },
      interrupts: this.workbench.editor.getText() !== "",
    };
    const { pause = delay } = this.#options;
    return this.workbench.ask((answer) => {
      const question = new PermissionQuestion(theme, query, answer);
      void pause(OPENING_MS).then(() => {
        question.open();
        this.screen.requestRender();
      });
      return question;
    });
  }

  async #runShell(command: string): Promise<void> {
    if (command !== "") await this.runErrand("Escape stops", (signal) => runShellEscape(this, command, signal));
  }

  async runErrand<T>(what: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const errand = new AbortController();
    this.#errands.set(errand, what);
    this.workbench.activity.work(what);
    try {
      return await run(errand.signal);
    } finally {
      this.#errands.delete(errand);
      if (this.talk.isWorking) this.workbench.activity.work(WORK_HINT);
      this.#rest();
    }
  }

  /** What the person has written and nobody has heard. */
  #noteDraft(): void {
    const written = [...this.talk.queued, this.workbench.editor.getExpandedText()];
    this.#draft.note(written.filter((text) => text !== "").join("\n"));
  }

  /** The line above the editor, when nothing is going on. */
  #rest(): void {
    if (!this.talk.isWorking && this.#errands.size === 0) this.workbench.activity.rest(this.#restHint);
  }

  /** Whether there were any. */
  #stopErrands(): boolean {
    for (const errand of this.#errands.keys()) errand.abort();
    return this.#errands.size > 0;
  }
}

// What stands below the transcript: what is going on, what is queued, the editor or a question in its place, the footer.
// Invariant: exactly one thing has the keys; a question that is closed gives them to the next one, the last to the editor.
import { type Component, Container } from "@earendil-works/pi-tui";
import { ActivityLine } from "./activity-line.ts";
import type { Dialog } from "./dialogs/dialog.ts";
import { type PickItem, PickList } from "./dialogs/pick-list.ts";
import { PromptEditor } from "./editor/prompt-editor.ts";
import type { Screen } from "./screen.ts";
import type { Theme } from "./theme.ts";

/** The working area. */
export class Workbench {
  readonly editor: PromptEditor;
  readonly activity: ActivityLine;
  readonly #screen: Screen;
  readonly #getTheme: () => Theme;
  readonly #slot = new Container();
  #dialogs: Dialog[] = [];

  constructor(screen: Screen, getTheme: () => Theme, queue: Component, footer: Component) {
    this.#screen = screen;
    this.#getTheme = getTheme;
    this.editor = new PromptEditor(screen, getTheme);
    this.activity = new ActivityLine(screen, getTheme);
    for (const part of [this.activity, queue, this.#slot, footer]) screen.below.addChild(part);
    this.#fill();
  }

  /** Whether something else than the editor has the keys. */
  get isAsking(): boolean {
    return this.#dialogs.length > 0;
  }

  /** Puts a dialog in the editor's place until it answers. One that comes later goes first. */
  ask<T>(create: (answer: (value: T) => void) => Dialog): Promise<T> {
    return new Promise((resolve) => {
      const dialog = create((value) => {
        this.#dialogs = this.#dialogs.filter((other) => other !== dialog);
        this.#fill();
        resolve(value);
      });
      this.#dialogs.push(dialog);
      this.#fill();
    });
  }

  /** Lets the person choose from a list. Undefined if nothing was chosen. */
  pick(title: string, items: PickItem[], chosen?: string): Promise<string | undefined> {
    return this.ask(
      (answer) => new PickList(this.#getTheme(), title, () => this.#screen.terminal.rows, items, answer, chosen),
    );
  }

  /** Takes all questions away unanswered. */
  cancelDialogs(): void {
    for (const dialog of [...this.#dialogs]) dialog.cancel();
  }

  #fill(): void {
    const shown = this.#dialogs.at(-1) ?? this.editor;
    this.#slot.clear();
    this.#slot.addChild(shown);
    this.#screen.setFocus(shown);
    this.#screen.requestRender();
  }
}

// The editor of the terminal library with the keys of the command in front of its own. It knows what keys mean, not what is
// done about them.
import { Editor, getKeybindings, type Keybinding, type TUI } from "@earendil-works/pi-tui";
import { withoutControls } from "../../../terminal/escape.ts";
import type { RONDO_KEY_BINDINGS } from "../key-table.ts";
import type { Theme } from "../theme.ts";

/** In less than this the library's wrapping does not come to an end over a wide character. What is too wide is cut off later. */
const WIDTH_MIN = 8;

const SUGGESTIONS_MAX = 8;
/** The library's own limit. */
const HISTORY_MAX = 100;
/** Rows that are taken by other things than suggestions. */
const OTHER_ROWS = 8;
/** The library makes blanks of tabs. A character that no text has keeps their place, and is a blank on the screen alone. */
const TAB_STAND_IN = "\ufdd0";
const hideTabs = (text: string) => text.replaceAll("\t", TAB_STAND_IN);
const restoreTabs = (text: string) => text.replaceAll(TAB_STAND_IN, "\t");

/** What a key asks for. */
export type EditorAction = Exclude<keyof typeof RONDO_KEY_BINDINGS, "rondo.abort">;
/** Does it. `false` leaves the key to the editor. */
export type EditorActions = Record<EditorAction, () => boolean | undefined>;

/** Where the person writes. */
export class PromptEditor extends Editor {
  readonly #getTheme: () => Theme;
  #actions: EditorActions | undefined;

  constructor(ui: TUI, getTheme: () => Theme) {
    super(ui, getTheme().editor, { autocompleteMaxVisible: SUGGESTIONS_MAX });
    this.#getTheme = getTheme;
  }

  connect(actions: EditorActions): void {
    this.#actions = actions;
  }

  /** Who is told what the person sends. */
  onSend(send: (text: string) => void): void {
    this.onSubmit = (text) => send(restoreTabs(text));
  }

  override getText(): string {
    return restoreTabs(super.getText());
  }

  override getExpandedText(): string {
    return restoreTabs(super.getExpandedText());
  }

  override setText(text: string): void {
    super.setText(hideTabs(text));
  }

  /** What is said again has one place, the newest. */
  override addToHistory(text: string): void {
    const line = hideTabs(text.trim());
    const at = this.#history.indexOf(line);
    if (at !== -1) this.#history.splice(at, 1);
    super.addToHistory(line);
  }

  /** Puts lines, oldest first, before all that are there. */
  addEarlier(lines: string[]): void {
    const known = this.#history;
    const earlier = lines.map((line) => hideTabs(withoutControls(line))).filter((line) => !known.includes(line));
    known.push(...earlier.reverse().slice(0, Math.max(0, HISTORY_MAX - known.length)));
  }

  /** What was sent, newest first. The library has no call that puts something before what is there. */
  get #history(): string[] {
    return this["history"];
  }

  get isEmpty(): boolean {
    return this.getText() === "";
  }

  /** Puts a text there, for instance one that was taken back, before what stands there already. */
  putBack(text: string): void {
    this.setText([withoutControls(text), this.getExpandedText()].filter((part) => part !== "").join("\n"));
  }

  override handleInput(data: string): void {
    const keys = getKeybindings();
    for (const [name, act] of Object.entries(this.#actions ?? {}))
      if (keys.matches(data, name as Keybinding) && act() !== false) return;
    // There must be room for what is written too.
    this.setAutocompleteMaxVisible(Math.min(SUGGESTIONS_MAX, this.tui.terminal.rows - OTHER_ROWS));
    super.handleInput(data.length > 1 ? hideTabs(data) : data);
  }

  override render(width: number): string[] {
    const { paint } = this.#getTheme();
    const role = this.getText().startsWith("!") ? "warning" : "border";
    // Painted here: the library would paint each dash of the border by itself.
    this.borderColor = (text) => text;
    return super
      .render(Math.max(WIDTH_MIN, width))
      .map((line) => (line.startsWith("─") ? paint(role, line) : line.replaceAll(TAB_STAND_IN, " ")));
  }
}

// A list to choose from, with a line to search it.
import {
  type Focusable,
  fuzzyFilter,
  getKeybindings,
  Input,
  type SelectItem,
  SelectList,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import { cleanForScreen } from "../../../terminal/escape.ts";
import type { Theme } from "../theme.ts";
import type { Dialog } from "./dialog.ts";

const ITEMS_SHOWN_MAX = 8;
/** Rows that are taken by other things: the dialog's own lines, those above it, the footer, how far one is. */
const OTHER_ROWS = 10;
/** On a screen that is lower, borders and hint are left out. */
const LOW_ROWS = 18;
const SPARED_ROWS = 3;
const LIST_KEYS = [
  "tui.select.up",
  "tui.select.down",
  "tui.select.pageUp",
  "tui.select.pageDown",
  "tui.select.confirm",
] as const;

/** One line to choose. */
export interface PickItem {
  value: string;
  label: string;
  description?: string;
  /** Whether it comes before others that fit what is searched for as well or better. */
  isPreferred?: boolean;
}

/** Asks for one of several things. */
export class PickList implements Dialog, Focusable {
  focused = false;
  readonly #theme: Theme;
  readonly #title: string;
  readonly #rows: () => number;
  readonly #items: SelectItem[];
  readonly #preferred: ReadonlySet<string>;
  readonly #onChoice: (value: string | undefined) => void;
  readonly #search = new Input();
  #list: SelectList;
  #isEmpty = false;
  #height = 0;

  /**
   * @param rows how many rows the screen has
   * @param onChoice called once; with undefined if nothing was chosen
   */
  constructor(
    theme: Theme,
    title: string,
    rows: () => number,
    items: PickItem[],
    onChoice: (value: string | undefined) => void,
    chosen?: string,
  ) {
    this.#theme = theme;
    this.#title = title;
    this.#rows = rows;
    this.#items = items.map(({ value, label, description }) => ({
      value,
      label: cleanForScreen(label).replaceAll("\n", " "),
      ...(description !== undefined && { description: cleanForScreen(description).replaceAll("\n", " ") }),
    }));
    this.#preferred = new Set(items.filter(({ isPreferred }) => isPreferred).map(({ value }) => value));
    this.#onChoice = onChoice;
    this.#list = this.#createList(this.#items);
    this.#list.setSelectedIndex(
      Math.max(
        0,
        items.findIndex(({ value }) => value === chosen),
      ),
    );
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.cancel();
    else if (LIST_KEYS.some((key) => keys.matches(data, key))) this.#list.handleInput(data);
    else this.#searchFor(data);
  }

  #searchFor(data: string): void {
    const before = this.#search.getValue();
    this.#search.handleInput(data);
    const wanted = this.#search.getValue();
    if (wanted === before) return;
    const found = wanted.trim() === "" ? this.#items : fuzzyFilter(this.#items, wanted, searchText);
    const preferred = found.filter(({ value }) => this.#preferred.has(value));
    this.#list = this.#createList([...preferred, ...found.filter(({ value }) => !this.#preferred.has(value))]);
  }

  cancel(): void {
    this.#onChoice(undefined);
  }

  invalidate(): void {}

  render(width: number): string[] {
    this.#search.focused = this.focused;
    const { paint } = this.#theme;
    const list = [paint("accent", this.#title), ...this.#search.render(width), ...this.#renderList(width)];
    if (this.#rows() < LOW_ROWS) return list;
    const border = paint("border", "─".repeat(width));
    return [border, ...list, paint("muted", "↑↓ choose · Enter takes · Escape leaves it"), border];
  }

  /** Never less high than before, so that nothing below it jumps while one searches. */
  #renderList(width: number): string[] {
    const lines = this.#isEmpty ? [this.#emptyLine(width)] : this.#list.render(width);
    this.#height = Math.max(this.#height, lines.length);
    return [...lines, ...Array<string>(this.#height - lines.length).fill("")];
  }

  /** The list has a word of its own for this, which speaks of commands. */
  #emptyLine(width: number): string {
    const text = `  Nothing here fits “${cleanForScreen(this.#search.getValue().trim())}”.`;
    return this.#theme.paint("muted", truncateToWidth(text, width, "…"));
  }

  #itemsShown(): number {
    const rows = this.#rows();
    const others = OTHER_ROWS - (rows < LOW_ROWS ? SPARED_ROWS : 0);
    return Math.max(1, Math.min(ITEMS_SHOWN_MAX, rows - others));
  }

  #createList(items: SelectItem[]): SelectList {
    this.#isEmpty = items.length === 0;
    const list = new SelectList(items, this.#itemsShown(), this.#theme.list, { maxPrimaryColumnWidth: 44 });
    list.onSelect = ({ value }) => this.#onChoice(value);
    return list;
  }
}

function searchText({ label, description }: SelectItem): string {
  return `${label} ${description ?? ""}`;
}

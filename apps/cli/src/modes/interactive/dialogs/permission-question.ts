// Asks whether a tool call may run, and shows what it would do. The keys are the first letters of the answers; Enter takes the
// marked one. For a moment after it appears it takes none of them: they may be meant for what the person began to write.
import { stripVTControlCharacters } from "node:util";
import {
  type Focusable,
  getKeybindings,
  Input,
  type SelectItem,
  SelectList,
  truncateToWidth,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { countOf } from "../../../presentation/count-of.ts";
import { cleanForScreen } from "../../../terminal/escape.ts";
import { wrapAfter } from "../blocks/wrap.ts";
import { describeRules, ruleLine } from "../permission-preview.ts";
import type { Theme } from "../theme.ts";
import type { Dialog } from "./dialog.ts";

/** What a person may answer. */
export type PermissionChoice =
  | { kind: "once" | "session" | "project" }
  | { kind: "no"; reason?: string }
  /** The question was taken away before it was answered. */
  | { kind: "withdrawn" };

/** What is asked. */
export interface PermissionQuery {
  tool: string;
  /** What stands in the way, as the rest of a sentence about the call. */
  reason: string;
  /** The rules that would allow this call and little else; empty if there are none. */
  rules: string[];
  /** What it would do, as clean and styled lines. */
  preview: string[];
  /** How many rows the screen has. What does not fit is counted. */
  rows: () => number;
  /** Shows all of it elsewhere. */
  onShowAll: () => void;
  /** Whether the person was writing when it came. Letters and Enter then answer only after an arrow key: they may be meant for the text. */
  interrupts?: boolean;
}

const SHORT: Record<string, string> = {
  once: "yes",
  session: "session",
  project: "project",
  no: "no",
  why: "no, because…",
};

/** The answers that make rules. */
const RULED = new Set(["session", "project"]);

/** On a screen that is lower, the answers share a line. */
const LOW_ROWS = 18;
/** Rows that a question needs besides its preview. */
const OTHER_ROWS = 14;
const PREVIEW_ROWS_MIN = 3;
/** Characters of a styled line for each column, at most. */
const STYLED_LENGTH = 4;
/** Rows below a question. */
const FOOTER_ROWS = 2;
const ANSWER_COLUMNS = 34;
/** What the list keeps free beside an answer and what stands beside that. */
const LIST_COLUMNS = 4;
/** Beside an answer the list shows nothing in fewer columns than this. */
const BESIDE_COLUMNS_MIN = 11;
const RULE_ROWS_MAX = 4;
const LOW_RULE_ROWS_MAX = 2;

const STRAY = "You were writing. Press ↓ to answer.";
const GUARDED = "You were writing. Press ↓ to answer; what you wrote is kept.";

/** One question. */
export class PermissionQuestion implements Dialog, Focusable {
  focused = false;
  readonly #theme: Theme;
  readonly #query: PermissionQuery;
  readonly #onAnswer: (choice: PermissionChoice) => void;
  readonly #items: SelectItem[];
  readonly #list: SelectList;
  readonly #keys: Map<string, string>;
  /** The line for the reason, while one is written. */
  #reason: Input | undefined;
  /** Whether keys may still be meant for what the person was writing. */
  #isGuarded: boolean;
  #previewRows: string[] = [];
  #previewWidth = 0;
  /** Whether it has only just appeared. */
  #isOpening = true;
  /** Whether there is no room for what the lasting answers allow, so that they cannot be given. */
  #isTiny = false;

  /** @param onAnswer called once */
  constructor(theme: Theme, query: PermissionQuery, onAnswer: (choice: PermissionChoice) => void) {
    this.#theme = theme;
    this.#query = query;
    this.#isGuarded = query.interrupts ?? false;
    this.#onAnswer = onAnswer;
    this.#items = answers(query.rules.length > 0);
    this.#keys = new Map(this.#items.map(({ label, value }) => [label.slice(0, 1), value]));
    const layout = { maxPrimaryColumnWidth: ANSWER_COLUMNS };
    this.#list = new SelectList(this.#items, this.#items.length, theme.list, layout);
    this.#list.onSelect = ({ value }) => this.#choose(value);
  }

  /** From now on keys answer, unless one came before. */
  open(): void {
    this.#isOpening = false;
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (this.#reason) {
      if (keys.matches(data, "tui.select.cancel")) this.#reason = undefined;
      else this.#reason.handleInput(data);
      return;
    }
    if (keys.matches(data, "rondo.toggleDetails")) {
      this.#query.onShowAll();
      return;
    }
    if ((this.#isGuarded || this.#isOpening) && !keys.matches(data, "tui.select.cancel")) {
      const isAnswering = keys.matches(data, "tui.select.down") || keys.matches(data, "tui.select.up");
      this.#isGuarded = !isAnswering;
      if (isAnswering) this.#isOpening = false;
      return;
    }
    const value = this.#keys.get(data);
    if (value !== undefined) this.#choose(value);
    else if (keys.matches(data, "tui.select.cancel")) this.#onAnswer({ kind: "no" });
    else this.#list.handleInput(data);
  }

  cancel(): void {
    this.#onAnswer({ kind: "withdrawn" });
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { paint } = this.#theme;
    const { tool, reason } = this.#query;
    const question = `Allow ${paint("tool", cleanForScreen(tool))}? ${paint("muted", `${cleanForScreen(reason)}.`)}`;
    const asked = wrapAfter(paint("warning", "? "), question, width);
    const answers = this.#renderAnswers(width);
    if (this.#isLow) return this.#fit(width, [...asked, ...this.#renderPreview(width, 0), ...answers], answers);
    this.#isTiny = false;
    const border = paint("border", "─".repeat(width));
    const preview = this.#renderPreview(width, answers.length - this.#items.length);
    return [border, ...asked, ...preview, "", ...answers, border];
  }

  get #isLow(): boolean {
    return this.#query.rows() < LOW_ROWS;
  }

  /** The rows if there is room for them; else the beginning of what is asked about, and the answers for this once. */
  #fit(width: number, rows: string[], answers: string[]): string[] {
    const room = Math.max(2, this.#query.rows() - FOOTER_ROWS);
    this.#isTiny = rows.length > room;
    if (!this.#isTiny) return rows;
    const { paint } = this.#theme;
    const isChoice = !this.#isGuarded && !this.#reason;
    const once = wrapAfter("→ ", paint(this.#isOpening ? "muted" : "selected", this.#keysOf(false)), width);
    const below = (isChoice ? once : answers).slice(0, room - 1);
    const { tool, preview } = this.#query;
    const beginning = preview
      .slice(0, room)
      .join("\n")
      .slice(0, STYLED_LENGTH * room * width);
    const asked = `${paint("tool", cleanForScreen(tool))} ${stripVTControlCharacters(beginning)}`;
    const shown = wrapAfter(paint("warning", "? "), asked, width);
    const end = room - below.length;
    if (shown.length > end)
      shown[end - 1] = truncateToWidth(`${shown[end - 1]}${" ".repeat(width)}`, width, paint("warning", "…"));
    return [...shown.slice(0, end), ...below];
  }

  /** @param taken how many rows something else takes besides what a question usually needs */
  #renderPreview(width: number, taken: number): string[] {
    const { preview, rows } = this.#query;
    const rowsMax = Math.max(PREVIEW_ROWS_MIN, rows() - OTHER_ROWS - Math.max(0, taken));
    if (this.#previewWidth !== width) this.#previewRows = preview.flatMap((line) => wrapAfter("  ", line, width));
    this.#previewWidth = width;
    return this.#fold(this.#previewRows, rowsMax, width);
  }

  /** So many rows, the last of which counts those that have no room. */
  #fold(rows: string[], rowsMax: number, width: number): string[] {
    const hidden = rows.length - rowsMax + 1;
    if (hidden <= 1) return rows;
    const [key] = getKeybindings().getKeys("rondo.toggleDetails");
    const word = `… ${countOf(hidden, "line")} more${key === undefined ? ", which are not shown" : ` (${key} shows all)`}`;
    return [...rows.slice(0, rowsMax - 1), ...wrapAfter("  ", this.#theme.paint("warning", word), width)];
  }

  #renderAnswers(width: number): string[] {
    if (this.#isGuarded) {
      const hint = this.#query.interrupts ? GUARDED : STRAY;
      return wrapAfter("→ ", this.#theme.paint("selected", hint), width);
    }
    const lines = this.#renderChoices(width);
    return this.#isOpening ? lines.map((line) => this.#theme.paint("muted", withoutMark(line))) : lines;
  }

  #renderChoices(width: number): string[] {
    if (this.#reason) {
      this.#reason.focused = this.focused;
      return [this.#theme.paint("accent", "Why not, or what instead? (Enter sends it)"), ...this.#reason.render(width)];
    }
    const beside = this.#isLow ? "" : this.#rulesBeside(width);
    for (const item of this.#items) if (RULED.has(item.value)) item.description = beside;
    const above = beside === "" ? this.#renderRules(width) : [];
    if (!this.#isLow) return [...above, ...this.#list.render(width)];
    return [...above, ...wrapAfter("→ ", this.#theme.paint("selected", this.#keysOf(true)), width)];
  }

  /** The keys with their answers; not all of them where there is no room. */
  #keysOf(isAll: boolean): string {
    return [...this.#keys]
      .filter(([, value]) => isAll || value === "once" || value === "no")
      .map(([key, value]) => `${key} ${SHORT[value]}`)
      .join(" · ");
  }

  /** What the lasting answers allow, if there is room for all of it beside them. */
  #rulesBeside(width: number): string {
    const room = width - ANSWER_COLUMNS - LIST_COLUMNS;
    const rules = ruleLine(this.#query.rules);
    return room >= BESIDE_COLUMNS_MIN && visibleWidth(rules) <= room ? rules : "";
  }

  /** Nobody must allow more than can be seen. */
  #renderRules(width: number): string[] {
    const rows = describeRules(this.#theme, this.#query.rules).flatMap((line) => wrapAfter("  ", line, width));
    return this.#fold(rows, this.#isLow ? LOW_RULE_ROWS_MAX : RULE_ROWS_MAX, width);
  }

  #choose(value: string): void {
    if (this.#isTiny && RULED.has(value)) return;
    if (value === "why") {
      this.#reason = new Input();
      this.#reason.onSubmit = (text) => this.#onAnswer({ kind: "no", ...(text.trim() && { reason: text.trim() }) });
    } else this.#onAnswer({ kind: value as "once" | "session" | "project" | "no" });
  }
}

/** A line of the list in which nothing is marked yet. */
function withoutMark(line: string): string {
  return stripVTControlCharacters(line).replace(/^→/, " ");
}

/** @param hasRules whether what is asked about can be allowed for longer */
function answers(hasRules: boolean): SelectItem[] {
  return [
    { value: "once", label: "y  Yes, this once" },
    ...(hasRules
      ? [
          { value: "session", label: "a  Always in this session" },
          { value: "project", label: "p  Always in this project" },
        ]
      : []),
    { value: "no", label: "n  No" },
    { value: "why", label: "r  No, with a reason" },
  ];
}

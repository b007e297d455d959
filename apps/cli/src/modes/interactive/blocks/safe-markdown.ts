// Markdown that nobody meant to be read: the terminal library lays out quotations in quotations in time that doubles with each one
// that has no room, lists in lists and rows of marks in the square of their number, and gives up on some.
import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { inlineWork } from "./inline-work.ts";
import { wrapAfter } from "./wrap.ts";

/** Marks of quotations and lists at the beginning of a line; those after so many are text. */
const DEEP_BLOCK = /^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){6}[ \t]*\d*)(?=[->*+.)])/;
/** A line across, which looks like lists in lists. */
const RULE = /^ {0,3}([-*])[ \t]*(?:\1[ \t]*){2,}$/;
/** An item of a list begins no farther to the right. */
const DEEP_ITEM = /^ {40,}(?=(?:[-*+]|\d{1,9}[.)])[ \t])/;
const ITEM_INDENT = " ".repeat(40);
/** A block whose marks could make more work than this is text: it would take longer than a keystroke may wait. */
const WORK_MAX = 500_000;
const FENCE = /^ {0,3}(?:```|~~~)/;

/** Markdown that is always laid out, in the worst case as plain text. */
export class SafeMarkdown extends Markdown {
  #source = "";
  #isTooMuch = false;

  constructor(text: string, theme: MarkdownTheme) {
    super("", 0, 0, theme);
    this.setText(text);
  }

  override setText(text: string): void {
    this.#source = text;
    this.#isTooMuch = inlineWork(text) > WORK_MAX;
    super.setText(withoutDeepBlocks(text));
  }

  override render(width: number): string[] {
    try {
      if (!this.#isTooMuch) return super.render(width);
    } catch {
      // It is text then.
    }
    return wrapAfter("", this.#source, width);
  }
}

function withoutDeepBlocks(text: string): string {
  let isCode = false;
  const lines = text.split("\n").map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || RULE.test(line)) return line;
    return line.replace(DEEP_ITEM, ITEM_INDENT).replace(DEEP_BLOCK, "$1\\");
  });
  return lines.join("\n");
}

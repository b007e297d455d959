// Markdown that nobody meant to be read: the terminal library lays out quotations in quotations in time that doubles with each one
// that has no room, and gives up on some rows of marks.
import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { wrapAfter } from "./wrap.ts";

/** Marks of quotations at the beginning of a line; those after so many are text. */
const DEEP_QUOTATION = /^( {0,3}(?:>[ \t]?){6})(?=>)/;
const FENCE = /^ {0,3}(?:```|~~~)/;

/** Markdown that is always laid out, in the worst case as plain text. */
export class SafeMarkdown extends Markdown {
  #source: string;

  constructor(text: string, theme: MarkdownTheme) {
    const source = withoutDeepQuotations(text);
    super(source, 0, 0, theme);
    this.#source = source;
  }

  override setText(text: string): void {
    this.#source = withoutDeepQuotations(text);
    super.setText(this.#source);
  }

  override render(width: number): string[] {
    try {
      return super.render(width);
    } catch {
      return wrapAfter("", this.#source, width);
    }
  }
}

function withoutDeepQuotations(text: string): string {
  if (!text.includes(">")) return text;
  let isCode = false;
  const lines = text.split("\n").map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    return isCode ? line : line.replace(DEEP_QUOTATION, "$1\\");
  });
  return lines.join("\n");
}

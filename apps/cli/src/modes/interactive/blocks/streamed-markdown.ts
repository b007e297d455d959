// Markdown that grows at its end. What comes before the last place where a new block can begin is laid out once and kept, so
// that a word more costs the same however long the text is.
import type { MarkdownTheme } from "@earendil-works/pi-tui";
import { SafeMarkdown } from "./safe-markdown.ts";

/** A blank line, then a line that begins a block of its own: not indented, no item of a list, no quotation. */
const BLOCK_START = /\n[ \t]*\n(?=[^\s>*+\-\d])/g;
const FENCE = /^ {0,3}(?:```|~~~)/gm;

/** A text that is laid out as Markdown while it comes in. Give it clean text. */
export class StreamedMarkdown {
  readonly #theme: MarkdownTheme;
  #settled: SafeMarkdown[] = [];
  #open = "";
  #openMarkdown: SafeMarkdown;

  constructor(theme: MarkdownTheme) {
    this.#theme = theme;
    this.#openMarkdown = new SafeMarkdown("", theme);
  }

  append(text: string): void {
    this.#open += text;
    const cuts = blockStarts(this.#open);
    for (const [index, cut] of cuts.entries())
      this.#settled.push(new SafeMarkdown(this.#open.slice(cuts[index - 1] ?? 0, cut).trimEnd(), this.#theme));
    this.#open = this.#open.slice(cuts.at(-1) ?? 0);
    this.#openMarkdown.setText(this.#open);
  }

  invalidate(): void {
    for (const markdown of [...this.#settled, this.#openMarkdown]) markdown.invalidate();
  }

  render(width: number): string[] {
    const parts = [...this.#settled, this.#openMarkdown].map((markdown) => markdown.render(width));
    const all = parts
      .filter((lines) => lines.length > 0)
      .flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
    // Line feeds at the end are the beginning of what may come.
    return all.slice(0, all.findLastIndex((line) => line.trim() !== "") + 1);
  }
}

/** The places where the text can be cut without any part meaning something else. */
function blockStarts(text: string): number[] {
  const fences = [...text.matchAll(FENCE)].map((match) => match.index);
  const starts = [...text.matchAll(BLOCK_START)].map((match) => match.index + match[0].length);
  let fencesBefore = 0;
  return starts.filter((start) => {
    while ((fences[fencesBefore] ?? Infinity) < start) fencesBefore++;
    return fencesBefore % 2 === 0;
  });
}

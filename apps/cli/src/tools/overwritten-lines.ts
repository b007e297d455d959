// Lines that a program wrote over, such as a progress bar, as a terminal shows them in the end. The text may come in any pieces; the
// work grows with it and no faster, since of a line only so much can be written over.

const PARTS = /[^\r\b\n\x1b]+|\x1b\[[0-2]?K|[\r\b\n\x1b]/g;
/** The beginning of what may erase. */
const CUT_SEQUENCE = /\x1b(?:\[[0-2]?)?$/;
/** What is longer stays as it is. */
const LINE_CHARACTERS_MAX = 4000;
/** Where a character is no column. */
const HAS_NO_COLUMNS = /[\x1b\ud800-\udfff]/;

/** The text of one command. */
export class OverwrittenLines {
  #line = "";
  /** Where the next character goes. */
  #column = 0;
  #held = "";

  /** Takes the next piece, which must not end within a character. Gives what nothing can write over any more. */
  take(piece: string): string {
    const text = this.#held + piece;
    this.#held = CUT_SEQUENCE.exec(text)?.[0] ?? "";
    let settled = "";
    for (const [part] of text.slice(0, text.length - this.#held.length).matchAll(PARTS))
      settled += this.#takePart(part);
    return settled;
  }

  /** The line that is being written. */
  get line(): string {
    return this.#line + this.#held;
  }

  #takePart(part: string): string {
    if (part === "\n") return `${this.#settle()}\n`;
    if (part === "\r") this.#column = 0;
    else if (part === "\b") this.#column = Math.max(0, this.#column - 1);
    else if (part === "\x1b[K" || part === "\x1b[0K") this.#line = this.#line.slice(0, this.#column);
    else if (part === "\x1b[1K" || part === "\x1b[2K") this.#erase();
    else this.#write(part);
    return this.#line.length > LINE_CHARACTERS_MAX ? this.#settle() : "";
  }

  #write(text: string): void {
    const isOver = this.#column < this.#line.length;
    // Colours and emoji have no columns that we know: the old line goes.
    if (isOver && HAS_NO_COLUMNS.test(this.#line + text)) this.#erase();
    this.#line = this.#line.slice(0, this.#column) + text + this.#line.slice(this.#column + text.length);
    this.#column += text.length;
  }

  #erase(): void {
    this.#line = "";
    this.#column = 0;
  }

  #settle(): string {
    const line = this.#line;
    this.#erase();
    return line;
  }
}

// Some lines of a text that comes in pieces: those from an offset on, within the limits of a result. The others are counted.
import { LINE_CHARACTERS_MAX, RESULT_BYTES_MAX, shownOf } from "./result.ts";

/** Takes one text. */
export class LineWindow {
  readonly #offset: number;
  readonly #limit: number;
  readonly #lines: string[] = [];
  #size = 0;
  #isFull = false;
  /** Lines that ended. */
  #ended = 0;
  /** Of the line that is open: its beginning, if it is to be shown, its length, and whether its last character is a carriage return. */
  #start = "";
  #length = 0;
  #endsInReturn = false;

  constructor(offset: number, limit: number) {
    this.#offset = offset;
    this.#limit = limit;
  }

  /** Takes the next piece of the text. */
  write(text: string): void {
    let start = 0;
    for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", start)) {
      this.#lengthen(text, start, feed);
      this.#endLine();
      start = feed + 1;
    }
    this.#lengthen(text, start, text.length);
  }

  /** The lines, without their endings, and how many the whole text has. A last line may have no ending. */
  end(): { lines: string[]; count: number } {
    if (this.#length > 0) this.#endLine();
    return { lines: this.#lines, count: this.#ended };
  }

  get #isShown(): boolean {
    return !this.#isFull && this.#ended + 1 >= this.#offset;
  }

  #lengthen(text: string, start: number, end: number): void {
    if (start === end) return;
    this.#length += end - start;
    this.#endsInReturn = text[end - 1] === "\r";
    // One more than is shown, which may be the carriage return.
    const missing = LINE_CHARACTERS_MAX + 1 - this.#start.length;
    if (this.#isShown && missing > 0) this.#start += text.slice(start, Math.min(end, start + missing));
  }

  #endLine(): void {
    if (this.#isShown) this.#show();
    this.#ended++;
    this.#start = "";
    this.#length = 0;
    this.#endsInReturn = false;
  }

  #show(): void {
    const length = this.#length - (this.#endsInReturn ? 1 : 0);
    const line = shownOf(this.#start.slice(0, length), length);
    this.#size += Buffer.byteLength(line) + 1;
    if (this.#size <= RESULT_BYTES_MAX || this.#lines.length === 0) this.#lines.push(line);
    else this.#isFull = true;
    if (this.#lines.length === this.#limit) this.#isFull = true;
  }
}

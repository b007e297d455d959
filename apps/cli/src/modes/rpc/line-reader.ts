// Cuts a byte stream into lines: at line feeds and nowhere else, so that U+2028 within a text stays in its line, with a decoder
// that keeps a character whole across chunks. A line over the limit is reported and skipped, not kept.
import { StringDecoder } from "node:string_decoder";

/** The longest line that is taken, in characters. Images travel in lines as base64. */
export const LINE_LENGTH_MAX = 32_000_000;

/** Takes bytes as they come and gives whole lines. */
export class LineReader {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: () => void;
  readonly #lengthMax: number;
  #parts: string[] = [];
  #length = 0;
  #isTooLong = false;

  /** Lines come without their ending; a carriage return before the line feed is taken off, blank lines are left out. */
  constructor(onLine: (line: string) => void, onTooLong: () => void, lengthMax: number = LINE_LENGTH_MAX) {
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
    this.#lengthMax = lengthMax;
  }

  write(bytes: Buffer): void {
    this.#take(this.#decoder.write(bytes));
  }

  /** The stream has ended. A last line without a line feed counts. */
  end(): void {
    this.#take(this.#decoder.end());
    this.#finishLine();
  }

  #take(text: string): void {
    let start = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", start)) {
      this.#add(text.slice(start, at));
      this.#finishLine();
      start = at + 1;
    }
    this.#add(text.slice(start));
  }

  #add(part: string): void {
    this.#length += part.length;
    if (this.#length > this.#lengthMax) {
      this.#isTooLong = true;
      this.#parts = [];
    } else if (part !== "") this.#parts.push(part);
  }

  #finishLine(): void {
    const line = this.#parts.join("").replace(/\r$/, "");
    const isTooLong = this.#isTooLong;
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
    if (isTooLong) this.#onTooLong();
    else if (line.trim() !== "") this.#onLine(line);
  }
}

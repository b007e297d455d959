// Breaks lines that are no prose, such as minified code or an encoded file in one piece, for the terminal library, whose time
// grows with the square of a line. The terminal would wrap them anyway.

/** A longer word is broken. */
const WORD_CHARACTERS_MAX = 1000;
/** A longer line is broken at the next blank. */
const LINE_CHARACTERS_MAX = 4000;
/** What belongs to the character before it. */
const CONTINUES = /[\p{M}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d]/u;

/** Breaks the lines of a text that comes in pieces, wherever the pieces end. */
export class LineBreaker {
  #line = 0;
  #word = 0;
  #before = "";

  /** The next piece. It must not end within a character. */
  take(piece: string): string {
    if (this.#line + piece.length < WORD_CHARACTERS_MAX && !piece.includes("\n")) {
      this.#count(piece);
      return piece;
    }
    let broken = "";
    for (const character of piece) {
      if (this.#isPlace(character)) {
        broken += "\n";
        this.#line = 0;
        this.#word = 0;
      }
      this.#count(character);
      broken += character;
    }
    return broken;
  }

  #isPlace(next: string): boolean {
    if (this.#line > LINE_CHARACTERS_MAX && next === " ") return true;
    return this.#word >= WORD_CHARACTERS_MAX && !CONTINUES.test(next) && this.#before !== "\u200d";
  }

  #count(text: string): void {
    const lineStart = text.lastIndexOf("\n") + 1;
    this.#line = (lineStart > 0 ? 0 : this.#line) + text.length - lineStart;
    const wordStart = Math.max(lineStart, text.lastIndexOf(" ") + 1);
    this.#word = (wordStart > 0 ? 0 : this.#word) + text.length - wordStart;
    this.#before = text.at(-1) ?? this.#before;
  }
}

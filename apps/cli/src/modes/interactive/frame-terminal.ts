// Stands between the terminal library and the terminal. The library starts a full redraw by erasing screen and scrollback; here
// that becomes going up to the first line that is drawn anew and erasing what is below, so that nothing of the person's is lost.
// Also leaves out what changes nothing: ends of hyperlinks that nobody began, and a cursor that stays where it is. A frame ends when
// the cursor is back at the caret, and goes out as one piece: whoever composes a word with an input method composes it there.
import type { Terminal } from "@earendil-works/pi-tui";

const ERASE_ALL = "\x1b[2J\x1b[H\x1b[3J";
const END_OF_LINK = /\x1b\]8;;\x07/g;
const END_OF_FRAME = "\x1b[?2026l";
const CURSOR_MOVE = /^(?:\x1b\[\d+[AB])?\x1b\[\d+G$/;
const SAME_ROW_MOVE = /^\x1b\[\d+G$/;

/** A terminal for frames. */
export class FrameTerminal implements Terminal {
  readonly #terminal: Terminal;
  #lastWrite = "";
  #cursorShown: boolean | undefined;
  /** A frame without its end, for which the library has not placed the cursor yet. */
  #openFrame = "";
  /** How many rows above the cursor the next full redraw begins. */
  rowsToTop = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get kittyProtocolActive(): boolean {
    return this.#terminal.kittyProtocolActive;
  }

  write(data: string): void {
    if (SAME_ROW_MOVE.test(data) && data === this.#lastWrite) return;
    this.#lastWrite = CURSOR_MOVE.test(data) ? data.replace(/^\x1b\[\d+[AB]/, "") : "";
    if (CURSOR_MOVE.test(data)) {
      this.#closeFrame(data);
      return;
    }
    this.#closeFrame();
    const own = data.replace(END_OF_LINK, "").replace(ERASE_ALL, () => this.#eraseOwn());
    if (own.endsWith(END_OF_FRAME)) this.#openFrame = own.slice(0, -END_OF_FRAME.length);
    else this.#terminal.write(own);
  }

  /** Writes the frame that is open, if there is one, with the cursor's way to the caret in it. */
  #closeFrame(cursorMove = ""): void {
    const end = this.#openFrame === "" ? "" : END_OF_FRAME;
    const all = this.#openFrame + cursorMove + end;
    this.#openFrame = "";
    if (all !== "") this.#terminal.write(all);
  }

  #eraseOwn(): string {
    const up = this.rowsToTop > 0 ? `\x1b[${this.rowsToTop}A` : "";
    this.rowsToTop = 0;
    return `${up}\r\x1b[J`;
  }

  hideCursor(): void {
    this.#closeFrame();
    if (this.#cursorShown !== false) this.#terminal.hideCursor();
    this.#cursorShown = false;
  }

  showCursor(): void {
    this.#closeFrame();
    if (this.#cursorShown !== true) this.#terminal.showCursor();
    this.#cursorShown = true;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#cursorShown = undefined;
    this.#lastWrite = "";
    this.#terminal.start(onInput, onResize);
  }

  stop(): void {
    this.#closeFrame();
    this.#terminal.stop();
  }

  drainInput(maxMs?: number, idleMs?: number): Promise<void> {
    return this.#terminal.drainInput(maxMs, idleMs);
  }

  moveBy(lines: number): void {
    this.#closeFrame();
    this.#terminal.moveBy(lines);
  }

  clearLine(): void {
    this.#closeFrame();
    this.#terminal.clearLine();
  }

  clearFromCursor(): void {
    this.#closeFrame();
    this.#terminal.clearFromCursor();
  }

  clearScreen(): void {
    this.#closeFrame();
    this.#terminal.clearScreen();
  }

  setTitle(title: string): void {
    this.#closeFrame();
    this.#terminal.setTitle(title);
  }

  setProgress(active: boolean): void {
    this.#closeFrame();
    this.#terminal.setProgress(active);
  }
}

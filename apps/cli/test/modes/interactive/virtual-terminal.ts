// A terminal without a process: what is written goes into a real emulator, whose screen and scrollback can be read.
import type { Terminal } from "@earendil-works/pi-tui";
import xterm from "@xterm/headless";

const SCROLLBACK_LINES = 50_000;

/** The terminal. */
export class VirtualTerminal implements Terminal {
  readonly #emulator: xterm.Terminal;
  readonly kittyProtocolActive = false;
  /** Everything that was written. */
  written = "";
  /** The same, write by write. */
  writes: string[] = [];
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};

  constructor(columns: number, rows: number) {
    this.#emulator = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: SCROLLBACK_LINES,
      allowProposedApi: true,
      convertEol: false,
    });
  }

  get columns(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput;
    this.#onResize = onResize;
  }

  stop(): void {}

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.written += data;
    this.writes.push(data);
    this.#emulator.write(data);
  }

  /** A key, or the sequence that stands for it. */
  press(...keys: string[]): void {
    for (const key of keys) this.#onInput(key);
  }

  /** Letter by letter. */
  type(text: string): void {
    for (const letter of text) this.#onInput(letter);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#onResize();
  }

  /** Screen and scrollback as lines, without blanks at their ends. */
  async everything(): Promise<string[]> {
    await this.#settle();
    return this.#lines(0);
  }

  /** The screen. */
  async screen(): Promise<string[]> {
    await this.#settle();
    return this.#lines(this.#emulator.buffer.active.baseY);
  }

  /** The text left of the cursor. */
  async beforeCursor(): Promise<string> {
    await this.#settle();
    const { active } = this.#emulator.buffer;
    return active.getLine(active.baseY + active.cursorY)?.translateToString(false, 0, active.cursorX) ?? "";
  }

  #lines(from: number): string[] {
    const { active } = this.#emulator.buffer;
    const lines = Array.from({ length: active.length - from }, (_, index) => active.getLine(from + index));
    return lines.map((line) => line?.translateToString(true) ?? "");
  }

  #settle(): Promise<void> {
    return new Promise((resolve) => this.#emulator.write("", resolve));
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(`\x1b[${Math.abs(lines)}${lines > 0 ? "B" : "A"}`);
  }

  hideCursor(): void {
    this.write("\x1b[?25l");
  }

  showCursor(): void {
    this.write("\x1b[?25h");
  }

  clearLine(): void {
    this.write("\x1b[K");
  }

  clearFromCursor(): void {
    this.write("\x1b[J");
  }

  clearScreen(): void {
    this.write("\x1b[2J\x1b[H");
  }

  setTitle(): void {}

  setProgress(): void {}
}

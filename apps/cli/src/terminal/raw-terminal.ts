// A terminal in raw mode: keys come in as whole sequences, pastes as one piece, and every way out puts the terminal back as it
// was. Knows no screen. Invariant: `stop` undoes all that `start` did, may be called at any moment and any number of times.
import { setTimeout as delay } from "node:timers/promises";
import { StdinBuffer, setKittyProtocolActive, type Terminal } from "@earendil-works/pi-tui";

/** How long the rest of a key sequence may take before ESC counts as the key Escape. */
const SEQUENCE_MS = 25;
/** How long the release of a key may take. */
const RELEASE_MS = 60;
/** How long a terminal may take to say that it speaks the kitty keyboard protocol, before the older way is tried. */
const KEYBOARD_ANSWER_MS = 150;
const COLUMNS = 80;
const ROWS = 24;

const PASTE_ON = "\x1b[?2004h";
const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** Nobody types this much at once: a terminal without bracketed paste sent several lines, which must not be sent one by one. */
const PASTE_CHARACTERS_MIN = 16;
const UNMARKED_PASTE = /^[^\x1b]*[^\x1b\r\n][\r\n]+[^\x1b\r\n][^\x1b]*$/;
/** The beginning of a key or of a paste that is nothing by itself: its rest comes, however slow the line is. */
const CUT_SEQUENCE = /\x1b\[[\d:;<=>?]+$/;
const KEYBOARD_QUESTION = "\x1b[?u";
const KEYBOARD_ANSWER = /^\x1b\[\?(\d+)u$/;
/** Distinguish keys, report repeats and releases, report the key of the base layout. */
const KITTY_FLAGS = 7;
const KITTY_ON = `\x1b[>${KITTY_FLAGS}u`;
/** So many runs may have been killed in this terminal before it is believed that its flags are always ours. */
const KILLED_RUNS_MAX = 8;
const KITTY_OFF = "\x1b[<u";
const MODIFIED_KEYS_ON = "\x1b[>4;2m";
const MODIFIED_KEYS_OFF = "\x1b[>4;0m";
/** Ends a frame that was cut short, styles, bracketed paste and a hidden cursor. */
const REST = "\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?25h";

/** Where keys come from. */
export interface TerminalInput extends NodeJS.EventEmitter {
  isRaw?: boolean;
  setRawMode?(raw: boolean): unknown;
  setEncoding(encoding: "utf8"): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Where the picture goes. */
export interface TerminalOutput extends NodeJS.EventEmitter {
  columns?: number;
  rows?: number;
  write(text: string): unknown;
}

/** The terminal of one interactive run. */
export class RawTerminal implements Terminal {
  readonly #input: TerminalInput;
  readonly #output: TerminalOutput;
  /** That of the beginning: what others write later may go elsewhere. */
  readonly #writeOut: (text: string) => unknown;
  readonly #onGone: () => void;
  readonly #pause: (milliseconds: number) => Promise<unknown>;
  #started = false;
  #gone = false;
  #wasRaw = false;
  #kitty = false;
  /** How often the flags of a run that was killed have been taken off. */
  #killedRuns = 0;
  #modifiedKeys = false;
  #keyboardTimer: NodeJS.Timeout | undefined;
  #buffer: StdinBuffer | undefined;
  #onResize: (() => void) | undefined;
  #isInPaste = false;
  /** The first half of a character whose second half is the next thing that the library gives. */
  #halfCharacter = "";
  /** What waits for its rest. */
  #cutSequence = "";
  /** The last characters that came in. */
  #inputEnd = "";

  /**
   * @param onGone called once when the terminal is there no more
   * @param pause waits for so many milliseconds. Default: a timer
   */
  constructor(
    input: TerminalInput,
    output: TerminalOutput,
    onGone: () => void,
    pause: (milliseconds: number) => Promise<unknown> = delay,
  ) {
    this.#pause = pause;
    this.#input = input;
    this.#output = output;
    this.#writeOut = output.write.bind(output);
    this.#onGone = () => {
      if (!this.#gone) onGone();
      this.#gone = true;
    };
    // These stay for good: an error of a stream that nobody listens to would end the process.
    for (const stream of [input, output]) stream.on("error", this.#onGone);
    input.on("end", this.#onGone);
    input.on("close", this.#onGone);
  }

  get columns(): number {
    return this.#output.columns || COLUMNS;
  }

  get rows(): number {
    return this.#output.rows || ROWS;
  }

  get kittyProtocolActive(): boolean {
    return this.#kitty;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#started = true;
    this.#cutSequence = "";
    this.#wasRaw = this.#input.isRaw === true;
    this.#input.setRawMode?.(true);
    this.#input.setEncoding("utf8");
    this.#buffer = new StdinBuffer({ timeout: SEQUENCE_MS });
    this.#buffer.on("data", (sequence) => this.#takeSequence(sequence, onInput));
    this.#buffer.on("paste", (text) => onInput(`\x1b[200~${text}\x1b[201~`));
    this.#input.on("data", this.#takeInput);
    this.#input.resume();
    this.#onResize = onResize;
    this.#output.on("resize", onResize);
    this.write(PASTE_ON + KEYBOARD_QUESTION);
    this.#keyboardTimer = setTimeout(() => {
      this.#modifiedKeys = true;
      this.write(MODIFIED_KEYS_ON);
    }, KEYBOARD_ANSWER_MS);
  }

  readonly #takeInput = (read: string): void => {
    const wasInPaste = this.#isInPaste;
    this.#noteMarks(read);
    const data = this.#withoutCutSequence(this.#cutSequence + read);
    if (data === "") return;
    const isKeys = wasInPaste || this.#isInPaste || data.length < PASTE_CHARACTERS_MIN || !UNMARKED_PASTE.test(data);
    this.#buffer?.process(isKeys ? data : `${PASTE_BEGIN}${data}${PASTE_END}`);
  };

  /** Puts the beginning of a sequence by, until more comes. A paste is put together by the library. */
  #withoutCutSequence(data: string): string {
    this.#cutSequence = (!this.#isInPaste && CUT_SEQUENCE.exec(data)?.[0]) || "";
    return data.slice(0, data.length - this.#cutSequence.length);
  }

  /** Keeps track of marked pastes, whose marks may come in two pieces. */
  #noteMarks(data: string): void {
    const seen = this.#inputEnd + data;
    const [begin, end] = [seen.lastIndexOf(PASTE_BEGIN), seen.lastIndexOf(PASTE_END)];
    if (begin !== end) this.#isInPaste = begin > end;
    this.#inputEnd = seen.slice(1 - PASTE_BEGIN.length);
  }

  #takeSequence(sequence: string, onInput: (data: string) => void): void {
    const answer = KEYBOARD_ANSWER.exec(sequence);
    if (!answer) {
      // The key Escape, pressed twice before anybody looked.
      for (const key of sequence === "\x1b\x1b" ? ["\x1b", "\x1b"] : [sequence]) this.#takeKey(key, onInput);
      return;
    }
    clearTimeout(this.#keyboardTimer);
    if (this.#kitty) return;
    // A run that was killed could not take off what it had put on. Everything else is off when this one stops.
    if (Number(answer[1]) === KITTY_FLAGS && this.#killedRuns < KILLED_RUNS_MAX) {
      this.#killedRuns++;
      this.write(KITTY_OFF + KEYBOARD_QUESTION);
      return;
    }
    this.#kitty = true;
    setKittyProtocolActive(true);
    this.write(KITTY_ON);
  }

  stop(): void {
    if (!this.#started) return;
    this.#started = false;
    clearTimeout(this.#keyboardTimer);
    this.#leaveKitty();
    this.write((this.#modifiedKeys ? MODIFIED_KEYS_OFF : "") + REST);
    this.#modifiedKeys = false;
    this.#buffer?.destroy();
    this.#input.off("data", this.#takeInput);
    if (this.#onResize) this.#output.off("resize", this.#onResize);
    // Keys that are still under way must not be read as a line by whoever reads the terminal next.
    this.#input.pause();
    if (!this.#gone) this.#input.setRawMode?.(this.#wasRaw);
  }

  /** The library gives an emoji in two halves. */
  #takeKey(key: string, onInput: (data: string) => void): void {
    const whole = this.#halfCharacter + key;
    this.#halfCharacter = /^[\ud800-\udbff]$/.test(whole) ? whole : "";
    if (this.#halfCharacter === "") onInput(whole);
  }

  /**
   * Waits for the release of the key that was pressed last, where the terminal reports it: the shell would take it for text. To
   * be called before `stop`.
   */
  async drainInput(): Promise<void> {
    if (!this.#started || !this.#kitty) return;
    this.#input.off("data", this.#takeInput);
    this.#leaveKitty();
    await this.#pause(RELEASE_MS);
  }

  #leaveKitty(): void {
    if (this.#kitty) this.write(KITTY_OFF);
    this.#kitty = false;
    setKittyProtocolActive(false);
  }

  write(data: string): void {
    if (!this.#gone) this.#writeOut(data);
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

  /** Left out: the title belongs to the person. */
  setTitle(): void {}

  setProgress(): void {}
}

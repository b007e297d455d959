// The screen: the transcript above, the working area (questions, editor, footer) below, drawn by the terminal library line by
// line. What has scrolled off the top belongs to the terminal's scrollback: it is never written again and never erased.
// Invariant: no frame changes a line above the visible rows, so the library has no reason to draw everything anew.
import { type Component, Container, CURSOR_MARKER, type Terminal, TUI, visibleWidth } from "@earendil-works/pi-tui";
import { safeInput } from "../../terminal/safe-input.ts";
import { fitLines } from "./fit-lines.ts";
import { FrameTerminal } from "./frame-terminal.ts";
import { Transcript } from "./transcript.ts";

/** For so long after a key only keys are answered by a frame: what is being written must not be disturbed by what comes in. */
export const KEY_MS = 50;
/** When so many lines have scrolled off, they are let go, so that a frame costs the same however long the session is. */
const SCROLLED_OFF_MAX = 200;

interface Geometry {
  width: number;
  rows: number;
}

/** Draws one session. */
export class Screen extends TUI {
  readonly transcript = new Transcript();
  /** What stands below the transcript, from top to bottom. */
  readonly below = new Container();
  readonly #frames: FrameTerminal;
  /** How many of the lines held have scrolled off. */
  #scrolledOff = 0;
  #geometry: Geometry | undefined;
  #lastLines: string[] = [];
  #cursorLine = 0;
  /** Whether the coming frame is a full redraw whose beginning has been settled. */
  #isPlanned = false;
  /** How many keys were pressed a moment ago. */
  #recentKeys = 0;
  /** Whether a frame is due when there are none any more. */
  #isDue = false;

  /** @param pause waits for so many milliseconds */
  constructor(terminal: Terminal, pause: (milliseconds: number) => Promise<unknown>) {
    const frames = new FrameTerminal(terminal);
    super(frames, false);
    this.#frames = frames;
    this.addInputListener((data) => {
      this.#noteKey(pause);
      return { data: safeInput(data) };
    });
    // An environment variable of another program would switch it on: it erases all that is held whenever something shrinks.
    this.setClearOnShrink(false);
  }

  override requestRender(force?: boolean): void {
    if (force || this.#recentKeys === 0) super.requestRender(force);
    else this.#isDue = true;
  }

  /** A key has its frame at once; others wait for a moment. */
  #noteKey(pause: (milliseconds: number) => Promise<unknown>): void {
    this.#recentKeys++;
    super.requestRender();
    void pause(KEY_MS).then(() => {
      this.#recentKeys--;
      if (this.#recentKeys > 0 || !this.#isDue) return;
      this.#isDue = false;
      super.requestRender();
    });
  }

  /** Whether all that was drawn of a block is in the scrollback, so that it cannot change any more. */
  isOutOfReach(block: Component): boolean {
    return this.transcript.isOutOfReach(block, this.#scrolledOff);
  }

  /** Draws all that can be seen anew, for when its form has changed: a theme, thinking folded or not. */
  redraw(): void {
    this.#letGo();
    this.transcript.rewindToBlock();
    this.invalidate();
    this.transcript.invalidate();
    this.#prepareRedraw();
  }

  /** After something else has had the terminal: goes on below it, with what can still change. */
  resume(): void {
    this.transcript.letGoFinished();
    this.#scrolledOff = 0;
    this.#frames.rowsToTop = 0;
    this.#isPlanned = true;
    this.start();
    this.requestRender(true);
  }

  override render(width: number): string[] {
    const { rows } = this.terminal;
    const before = this.#geometry;
    const isResized = before !== undefined && (before.width !== width || before.rows !== rows);
    // Should the library draw everything anew by itself, it begins at the top of the screen.
    if (!this.#isPlanned) this.#frames.rowsToTop = Math.max(0, this.#cursorLine - this.#scrolledOff);
    if (isResized && !this.#isPlanned) this.#prepareResize(before, { width, rows });
    this.#isPlanned = false;
    this.#geometry = { width, rows };
    const below = fitLines(this.below.render(width), width);
    const lines = [...this.transcript.render(width, this.#scrolledOff), ...below];
    this.#scrolledOff = Math.max(this.#scrolledOff, lines.length - rows);
    this.#note(lines);
    if (this.#scrolledOff > SCROLLED_OFF_MAX)
      queueMicrotask(() => {
        this.#letGo();
        this.#prepareRedraw();
      });
    return lines;
  }

  /** Remembers the frame, and sees to it that the cursor has a place: the library counts rows from it. */
  #note(lines: string[]): void {
    this.#cursorLine = lines.findLastIndex((line) => line.includes(CURSOR_MARKER));
    if (this.#cursorLine === -1) {
      this.#cursorLine = Math.max(0, lines.length - 1);
      lines[this.#cursorLine] = `${lines[this.#cursorLine] ?? ""}${CURSOR_MARKER}`;
    }
    this.#lastLines = [...lines];
  }

  /** Lets lines go that are in the scrollback. */
  #letGo(lines = this.#scrolledOff): void {
    const count = Math.min(lines, this.transcript.lineCount);
    this.transcript.letGo(count);
    this.#lastLines = this.#lastLines.slice(count);
    this.#cursorLine -= count;
    this.#scrolledOff = Math.max(0, this.#scrolledOff - count);
  }

  #prepareRedraw(): void {
    const width = this.#geometry?.width ?? this.terminal.columns;
    this.#frames.rowsToTop = this.#rowsAboveCursor(width);
    this.#scrolledOff = 0;
    this.#isPlanned = true;
    this.requestRender(true);
  }

  /**
   * The terminal has laid out its rows anew around the cursor. What it could not hold above it is in the scrollback now; the
   * rest is drawn again, from the first line that is still there whole.
   */
  #prepareResize(before: Geometry, after: Geometry): void {
    this.#letGo();
    let first = this.#cursorLine;
    let rows = 0;
    while (first > 0 && rows + rowsOf(this.#lastLines[first - 1], after.width) < after.rows) {
      first--;
      rows += rowsOf(this.#lastLines[first], after.width);
    }
    this.#letGo(first);
    this.transcript.rescale(before.width, after.width);
    this.#frames.rowsToTop = rows;
    this.#scrolledOff = 0;
  }

  /** Rows from the first line held down to the cursor. */
  #rowsAboveCursor(width: number): number {
    return this.#lastLines.slice(0, this.#cursorLine).reduce((rows, line) => rows + rowsOf(line, width), 0);
  }
}

/** How many rows a line takes on a terminal that wraps what is wider than `width`. */
function rowsOf(line = "", width: number): number {
  return Math.max(1, Math.ceil(visibleWidth(line) / width));
}

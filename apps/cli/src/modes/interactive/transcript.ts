// The blocks of a conversation that can still be seen or still change, as lines. Lines that have scrolled off stay as they were
// drawn; once they are let go they are forgotten here, since the terminal keeps them.
import type { Component } from "@earendil-works/pi-tui";
import { fitLines } from "./fit-lines.ts";

/** One thing in the conversation: what somebody said, a tool call, a notice. */
export interface Block extends Component {
  /** Whether it may still change by itself. */
  readonly isFinished: boolean;
}

interface Entry {
  block: Block;
  /** The lines of the last frame, those that were let go included. */
  lines: string[];
  /** How many of them were let go. */
  letGo: number;
}

/** The upper part of the screen. */
export class Transcript {
  #entries: Entry[] = [];

  /** How many lines the last frame had. */
  get lineCount(): number {
    return this.#entries.reduce((sum, { lines, letGo }) => sum + lines.length - letGo, 0);
  }

  add(block: Block): void {
    this.#entries.push({ block, lines: [], letGo: 0 });
  }

  /** Takes a block away. What has scrolled off of it stays. */
  remove(block: Block): void {
    this.#entries = this.#entries.filter((entry) => entry.block !== block);
  }

  invalidate(): void {
    for (const { block } of this.#entries) block.invalidate();
  }

  /**
   * The lines of all blocks.
   *
   * @param fixed how many lines from the top must stay as the last frame had them
   */
  render(width: number, fixed: number): string[] {
    const all: string[] = [];
    for (const entry of this.#entries) {
      const shown = entry.lines.length - entry.letGo;
      const fixedHere = entry.letGo + Math.max(0, Math.min(shown, fixed - all.length));
      if (fixedHere === 0) entry.lines = fitLines(entry.block.render(width), width);
      else if (fixedHere < entry.lines.length || shown === 0)
        entry.lines = [
          ...entry.lines.slice(0, fixedHere),
          ...fitLines(entry.block.render(width), width).slice(fixedHere),
        ];
      for (let index = entry.letGo; index < entry.lines.length; index++) all.push(entry.lines[index] as string);
    }
    return all;
  }

  /** Whether none of the block's lines can be changed any more, `scrolledOff` lines being out of sight. */
  isOutOfReach(block: Component, scrolledOff: number): boolean {
    let end = 0;
    for (const entry of this.#entries) {
      end += entry.lines.length - entry.letGo;
      if (entry.block === block) return entry.lines.length > 0 && end <= scrolledOff;
    }
    return true;
  }

  /** Forgets lines from the top. A block that is forgotten whole never changes any more. */
  letGo(count: number): void {
    let left = count;
    while (left > 0 && this.#entries.length > 0) {
      const entry = this.#entries[0] as Entry;
      const shown = entry.lines.length - entry.letGo;
      if (shown > left) entry.letGo += left;
      else this.#entries.shift();
      left -= Math.min(shown, left);
    }
  }

  /** Forgets everything up to the first block that may still change. */
  letGoFinished(): void {
    const first = this.#entries.findIndex(({ block }) => !block.isFinished);
    this.#entries = first === -1 ? [] : this.#entries.slice(first);
  }

  /** Shows the first block from its beginning again. */
  rewindToBlock(): void {
    for (const entry of this.#entries) entry.letGo = 0;
  }

  /** After a change of width: as much of the first block counts as let go as before, as near as can be told. */
  rescale(widthBefore: number, width: number): void {
    const [first] = this.#entries;
    if (!first || first.letGo === 0 || widthBefore === width) return;
    const share = first.letGo / first.lines.length;
    first.lines = fitLines(first.block.render(width), width);
    first.letGo = Math.floor(share * first.lines.length);
  }
}

// A block whose lines are made of its present state, and kept until that changes.
import type { Block } from "../transcript.ts";

/** Takes care of keeping; what is shown is up to the block. */
export abstract class LinesBlock implements Block {
  #lines: string[] | undefined;
  #width = 0;

  abstract readonly isFinished: boolean;

  /** Makes the lines, which may still be too wide. */
  protected abstract draw(width: number): string[];

  /** To be called whenever the state has changed. */
  invalidate(): void {
    this.#lines = undefined;
  }

  render(width: number): string[] {
    if (!this.#lines || this.#width !== width) this.#lines = this.draw(width);
    this.#width = width;
    return this.#lines;
  }
}

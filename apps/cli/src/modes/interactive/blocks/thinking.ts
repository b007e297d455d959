// What the model thought: one line unless the person wants to see it.
import { cleanForScreen } from "../../../terminal/escape.ts";
import { LinesBlock } from "./lines-block.ts";
import type { View } from "./view.ts";
import { wrapAfter } from "./wrap.ts";

const MARK = "∴ ";

/** One piece of thinking, while it comes in and after. */
export class ThinkingBlock extends LinesBlock {
  readonly #view: View;
  #text = "";
  #isFinished = false;

  constructor(view: View) {
    super();
    this.#view = view;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  append(delta: string): void {
    this.#text += delta;
    if (this.#view.isThinkingShown) this.invalidate();
  }

  finish(): void {
    this.#isFinished = true;
    this.invalidate();
  }

  protected draw(width: number): string[] {
    const paint = (text: string) => this.#view.theme.paint("thinking", text);
    if (this.#view.isThinkingShown && this.#text.trim() !== "")
      return ["", ...wrapAfter(paint(MARK), paint(cleanForScreen(this.#text.trim())), width)];
    return ["", paint(`${MARK}${this.#isFinished ? "thought" : "thinking…"}`)];
  }
}

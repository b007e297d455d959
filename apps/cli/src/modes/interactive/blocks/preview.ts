// All of what a question is about, for when there was no room for it in the question.
import { cleanForScreen } from "../../../terminal/escape.ts";
import { LinesBlock } from "./lines-block.ts";
import type { View } from "./view.ts";
import { wrapAfter } from "./wrap.ts";

/** One preview of a call. */
export class PreviewBlock extends LinesBlock {
  readonly isFinished = true;
  readonly #view: View;
  readonly #tool: string;
  readonly #preview: string[];

  /** @param preview clean and styled lines */
  constructor(view: View, tool: string, preview: string[]) {
    super();
    this.#view = view;
    this.#tool = tool;
    this.#preview = preview;
  }

  protected draw(width: number): string[] {
    const { paint } = this.#view.theme;
    const title = wrapAfter(paint("warning", "? "), paint("tool", cleanForScreen(this.#tool)), width);
    return ["", ...title, ...this.#preview.flatMap((line) => wrapAfter("  ", line, width))];
  }
}

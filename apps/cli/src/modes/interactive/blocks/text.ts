// What the model said, as Markdown.
import { cleanForScreen } from "../../../terminal/escape.ts";
import type { Block } from "../transcript.ts";
import { LineBreaker } from "./break-lines.ts";
import { StreamedMarkdown } from "./streamed-markdown.ts";
import type { View } from "./view.ts";

/** One text of the model, while it comes in and after. */
export class TextBlock implements Block {
  readonly #view: View;
  #raw = "";
  #held = "";
  #markdown: StreamedMarkdown;
  #lines = new LineBreaker();
  isFinished = false;

  constructor(view: View) {
    this.#view = view;
    this.#markdown = new StreamedMarkdown(view.theme.markdown);
  }

  append(delta: string): void {
    this.#raw += delta;
    // Half a character waits for its other half, and so does half of an end of line.
    const ready = (this.#held + delta).replace(/[\ud800-\udbff\r]$/, "");
    this.#held = (this.#held + delta).slice(ready.length);
    this.#markdown.append(this.#lines.take(cleanForScreen(ready)));
  }

  /** The text is complete. */
  finish(text: string): void {
    this.isFinished = true;
    if (text.startsWith(this.#raw)) this.append(text.slice(this.#raw.length));
  }

  invalidate(): void {
    // The theme may have changed, so all is laid out anew.
    this.#markdown = new StreamedMarkdown(this.#view.theme.markdown);
    this.#lines = new LineBreaker();
    const ready = this.#raw.slice(0, this.#raw.length - this.#held.length);
    this.#markdown.append(this.#lines.take(cleanForScreen(ready)));
  }

  render(width: number): string[] {
    const lines = this.#markdown.render(width);
    return lines.length === 0 ? [] : ["", ...lines];
  }
}

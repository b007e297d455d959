// What the person said.
import type { UserMessage } from "@rondo/ai";
import { countOf } from "../../../presentation/count-of.ts";
import { cleanForScreen } from "../../../terminal/escape.ts";
import { LinesBlock } from "./lines-block.ts";
import type { View } from "./view.ts";
import { wrapAfter } from "./wrap.ts";

/** Longer messages, such as pasted logs, show their beginning alone. */
const LINES_MAX = 40;
/** What is not shown is not laid out either: a pasted log takes a second. */
const CHARACTERS_MAX = 10_000;

/** The text of a person's message, and a word for each image. */
export function personText({ content }: UserMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`)).join("\n");
}

/** One message of the person. */
export class PersonBlock extends LinesBlock {
  readonly isFinished = true;
  readonly #view: View;
  readonly #text: string;
  /** How many lines were left out before it was laid out. */
  readonly #linesLeftOut: number;

  constructor(view: View, message: UserMessage) {
    super();
    this.#view = view;
    const text = personText(message).trim();
    const shown = text.slice(0, CHARACTERS_MAX).split("\n", LINES_MAX).join("\n");
    this.#text = cleanForScreen(shown);
    this.#linesLeftOut = text.slice(shown.length).split("\n").length - 1;
  }

  protected draw(width: number): string[] {
    const { paint } = this.#view.theme;
    const lines = wrapAfter(paint("accent", "› "), paint("person", this.#text), width);
    const hidden = Math.max(0, lines.length - LINES_MAX) + this.#linesLeftOut;
    if (hidden === 0) return ["", ...lines];
    return ["", ...lines.slice(0, LINES_MAX), paint("muted", `  … ${countOf(hidden, "line")} more`)];
  }
}

// What the person said.
import type { UserMessage } from "@rondo/ai";
import { cleanForScreen } from "../../../terminal/escape.ts";
import { LinesBlock } from "./lines-block.ts";
import type { View } from "./view.ts";
import { wrapAfter } from "./wrap.ts";

/** Longer messages, such as pasted logs, show their beginning alone. */
const LINES_MAX = 40;

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

  constructor(view: View, message: UserMessage) {
    super();
    this.#view = view;
    this.#text = cleanForScreen(personText(message)).trim();
  }

  protected draw(width: number): string[] {
    const { paint } = this.#view.theme;
    const lines = wrapAfter(paint("accent", "› "), paint("person", this.#text), width);
    const hidden = lines.length - LINES_MAX;
    if (hidden <= 0) return ["", ...lines];
    return ["", ...lines.slice(0, LINES_MAX), paint("muted", `  … ${hidden} lines more`)];
  }
}

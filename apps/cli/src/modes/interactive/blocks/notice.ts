// What the command itself has to say: an error with what to do, the answer of a command, a note.
import { cleanForScreen } from "../../../terminal/escape.ts";
import type { Role } from "../themes.ts";
import { LinesBlock } from "./lines-block.ts";
import type { View } from "./view.ts";
import { wrapAfter } from "./wrap.ts";

/** How much it matters. */
export type NoticeKind = "note" | "warning" | "error";

const LOOKS: Record<NoticeKind, { mark: string; role: Role }> = {
  note: { mark: "· ", role: "muted" },
  warning: { mark: "! ", role: "warning" },
  error: { mark: "✗ ", role: "error" },
};

/** One notice. */
export class NoticeBlock extends LinesBlock {
  readonly isFinished = true;
  readonly #view: View;
  readonly #kind: NoticeKind;
  readonly #text: string;

  constructor(view: View, kind: NoticeKind, text: string) {
    super();
    this.#view = view;
    this.#kind = kind;
    this.#text = cleanForScreen(text).trim();
  }

  protected draw(width: number): string[] {
    const { mark, role } = LOOKS[this.#kind];
    const { paint } = this.#view.theme;
    return ["", ...wrapAfter(paint(role, mark), paint(role, this.#text), width)];
  }
}

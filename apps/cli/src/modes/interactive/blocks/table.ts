// Lines of two columns, for people who look something up.
import { visibleWidth } from "@earendil-works/pi-tui";
import { cleanForScreen } from "../../../terminal/escape.ts";
import { LinesBlock } from "./lines-block.ts";
import type { View } from "./view.ts";
import { wrapAfter } from "./wrap.ts";

const INDENT = "  ";
const GAP = "  ";

/** A title and the rows below it. */
export interface TableSection {
  title: string;
  rows: [left: string, right: string][];
}

/** One table. */
export class TableBlock extends LinesBlock {
  readonly isFinished = true;
  readonly #view: View;
  readonly #sections: TableSection[];

  constructor(view: View, sections: TableSection[]) {
    super();
    this.#view = view;
    this.#sections = sections.map(({ title, rows }) => ({
      title,
      rows: rows.map(([left, right]) => [cleanForScreen(left), cleanForScreen(right)]),
    }));
  }

  protected draw(width: number): string[] {
    const { paint } = this.#view.theme;
    const widest = Math.max(...this.#sections.flatMap(({ rows }) => rows.map(([left]) => visibleWidth(left))));
    const leftWidth = Math.min(widest, Math.floor(width / 2) - INDENT.length);
    return this.#sections.flatMap(({ title, rows }) => [
      "",
      paint("heading", title),
      ...rows.flatMap(([left, right]) => drawRow(left, paint("muted", right), leftWidth, width)),
    ]);
  }
}

/** What is too long for its column has a line of its own. */
function drawRow(left: string, right: string, leftWidth: number, width: number): string[] {
  const padding = leftWidth - visibleWidth(left);
  if (padding >= 0) return wrapAfter(`${INDENT}${left}${" ".repeat(padding)}${GAP}`, right, width);
  return [
    ...wrapAfter(INDENT, left, width),
    ...wrapAfter(" ".repeat(INDENT.length + leftWidth + GAP.length), right, width),
  ];
}

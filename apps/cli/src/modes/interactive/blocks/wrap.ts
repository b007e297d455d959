// Text over several lines with something before it: a mark before the first line, and as many blanks before the others.
import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** Wraps a text, which must be clean or styled by us. */
export function wrapAfter(mark: string, text: string, width: number): string[] {
  const indent = " ".repeat(visibleWidth(mark));
  return wrapTextWithAnsi(text, Math.max(1, width - indent.length)).map(
    (line, index) => (index === 0 ? mark : indent) + line,
  );
}

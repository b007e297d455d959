// Text over several lines with something before it: a mark before the first line, and as many blanks before the others.
import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** The library's time grows with the square of a line, as in minified code: a longer one is wrapped piece by piece. */
const PIECE_CHARACTERS = 600;
/** So far from the end of a piece a place to cut is looked for. */
const REACH = 80;
/** The beginning of a style. */
const CUT_STYLE = /\x1b\[?[\d;]*$/;

/** Wraps a text, which must be clean or styled by us. */
export function wrapAfter(mark: string, text: string, width: number): string[] {
  const indent = " ".repeat(visibleWidth(mark));
  return wrap(text, Math.max(1, width - indent.length)).map((line, index) => (index === 0 ? mark : indent) + line);
}

function wrap(text: string, width: number): string[] {
  const rows: string[] = [];
  let start = 0;
  do {
    const end = endOfPiece(text, start + PIECE_CHARACTERS);
    // The last row goes on, with the styles that it is in.
    const begun = start === 0 ? "" : rows.pop();
    rows.push(...wrapTextWithAnsi(`${begun}${text.slice(start, end)}`, width));
    start = end;
  } while (start < text.length);
  return rows;
}

/** A place to cut near another one: between two characters, not in a style, not behind a blank, which would be lost. */
function endOfPiece(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const from = wanted - REACH;
  const isPlace = (at: number) =>
    !/\s/.test(text.charAt(at - 1)) && !CUT_STYLE.test(text.slice(Math.max(0, at - REACH / 2), at));
  const places = [...new Intl.Segmenter().segment(text.slice(from, wanted + REACH))].map(({ index }) => from + index);
  return places.findLast((at) => at > from + REACH / 2 && at <= wanted && isPlace(at)) ?? wanted;
}

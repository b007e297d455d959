// Finds the text that an edit wants to replace: exactly, else with line endings, else with whitespace at line ends, quotes,
// dashes and width of characters taken loosely. A loose match counts only if it is the only one. Pure text; no files here.

/** A place in a text: from `start` up to but not including `end`. */
export interface Span {
  start: number;
  end: number;
}

/** How loosely a match was made. */
export type Looseness = "exact" | "line-endings" | "typography";

/** The places where a text stands in another, by the strictest comparison that finds any; none if none does. */
export function findSpans(text: string, wanted: string): { spans: Span[]; looseness: Looseness } {
  const exact = occurrences(text, wanted).map((start) => ({ start, end: start + wanted.length }));
  if (exact.length > 0) return { spans: exact, looseness: "exact" };
  for (const looseness of ["line-endings", "typography"] as const) {
    const { folded, starts, ends } = fold(text, looseness);
    const needle = fold(wanted, looseness).folded;
    if (needle.trim() === "") continue;
    // A character that was taken apart is matched as a whole or not at all.
    const isBoundary = (index: number) => index === 0 || starts[index] !== starts[index - 1];
    const spans = occurrences(folded, needle)
      .filter((start) => isBoundary(start) && isBoundary(start + needle.length))
      .map((start) => ({ start: starts[start]!, end: ends[start + needle.length - 1]! }));
    if (spans.length > 0) return { spans, looseness };
  }
  return { spans: [], looseness: "exact" };
}

/** The number of the line, from 1, in which a place is. */
export function lineNumberAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Where a text stands in another, without overlaps. */
function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

interface Folded {
  folded: string;
  /** For each character of `folded`, where the character of the original that it came from starts and ends. */
  starts: number[];
  ends: number[];
}

const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u02bc]/;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/;
const DASHES = /[\u2010-\u2015\u2212]/;

const BLANKS = /[^\S\n]+/y;

/** Removes the differences that a comparison is to overlook, and keeps the way back to the original. */
function fold(text: string, looseness: Exclude<Looseness, "exact">): Folded {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (characters: string, start: number, end: number) => {
    parts.push(characters);
    for (let index = 0; index < characters.length; index++) {
      starts.push(start);
      ends.push(end);
    }
  };
  for (let index = 0; index < text.length; ) {
    if (text.startsWith("\r\n", index)) {
      add("\n", index, index + 2);
      index += 2;
      continue;
    }
    BLANKS.lastIndex = index;
    const blanks = looseness === "typography" ? BLANKS.exec(text)?.[0].replace(/\r$/, "") : undefined;
    if (blanks) {
      const end = index + blanks.length;
      const isLineEnd = end === text.length || text[end] === "\n" || text.startsWith("\r\n", end);
      for (; index < end; index++) if (!isLineEnd) add(text[index] === "\t" ? "\t" : " ", index, index + 1);
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(index)!);
    const end = index + character.length;
    add(looseness === "typography" ? plainForm(character) : character, index, end);
    index = end;
  }
  return { folded: parts.join(""), starts, ends };
}

function plainForm(character: string): string {
  if (SINGLE_QUOTES.test(character)) return "'";
  if (DOUBLE_QUOTES.test(character)) return '"';
  if (DASHES.test(character)) return "-";
  return character.charCodeAt(0) < 0x80 ? character : character.normalize("NFKD");
}

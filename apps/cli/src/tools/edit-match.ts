// Finds the text that an edit wants to replace: exactly, else with line endings, else with whitespace at line ends, quotes,
// dashes and width of characters taken loosely. A loose match counts only if it is the only one. Pure text; no files here.
import { setImmediate } from "node:timers/promises";

/** A place in a text: from `start` up to but not including `end`. */
export interface Span {
  start: number;
  end: number;
}

/** How loosely a match was made. */
export type Looseness = "exact" | LooseComparison;
type LooseComparison = "line-endings" | "typography";

/** How much of a text is compared loosely before other things have their turn. */
const BLOCK_CHARACTERS = 200_000;

/** The places where a text stands in another, by the strictest comparison that finds any; none if none does. */
export async function findSpans(text: string, wanted: string): Promise<{ spans: Span[]; looseness: Looseness }> {
  const exact = occurrences(text, wanted).map((start) => ({ start, end: start + wanted.length }));
  if (exact.length > 0) return { spans: exact, looseness: "exact" };
  const hasReturns = text.includes("\r\n") || wanted.includes("\r\n");
  for (const looseness of hasReturns ? (["line-endings", "typography"] as const) : (["typography"] as const)) {
    const spans = await looseSpans(text, fold(wanted, looseness).folded, looseness);
    if (spans.length > 0) return { spans, looseness };
  }
  return { spans: [], looseness: "exact" };
}

/** Parts of a text, one after the other, that each end with a line. Between them other things have their turn. */
export async function* blocksOf(text: string): AsyncGenerator<Span> {
  for (let start = 0; start < text.length; ) {
    const end = afterFeed(text, start + BLOCK_CHARACTERS);
    yield { start, end };
    start = end;
    await setImmediate();
  }
}

async function looseSpans(text: string, needle: string, looseness: LooseComparison): Promise<Span[]> {
  const spans: Span[] = [];
  if (needle.trim() === "") return spans;
  const feeds = occurrences(needle, "\n").length;
  let free = 0;
  for await (const { start: from, end } of blocksOf(text)) {
    // Folding keeps lines, so what begins in a block ends as many lines behind it at most.
    let until = end;
    for (let line = 0; line < feeds; line++) until = afterFeed(text, until);
    const { folded, starts, ends } = fold(text.slice(from, until), looseness);
    // A character that was taken apart is matched as a whole or not at all.
    const isBoundary = (index: number) => index === 0 || starts[index] !== starts[index - 1];
    const first = starts.findIndex((start) => from + start >= free);
    for (const at of occurrences(folded, needle, first)) {
      const [start, stop] = [from + starts[at]!, from + ends[at + needle.length - 1]!];
      if (start >= end) break;
      free = stop;
      if (isBoundary(at) && isBoundary(at + needle.length)) spans.push({ start, end: stop });
    }
  }
  return spans;
}

/** The place after the first line feed from a place on, or the end. */
function afterFeed(text: string, index: number): number {
  const feed = text.indexOf("\n", index);
  return feed === -1 ? text.length : feed + 1;
}

/** The number of the line, from 1, in which a place is. */
export function lineNumberAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Where a text stands in another from a place on, without overlaps. */
function occurrences(text: string, wanted: string, from = 0): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted, from); at !== -1; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
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
/** What no comparison changes. */
const PLAIN = /[!-~]+/y;

/** Removes the differences that a comparison is to overlook, and keeps the way back to the original. */
function fold(text: string, looseness: LooseComparison): Folded {
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
    PLAIN.lastIndex = index;
    const plain = PLAIN.exec(text)?.[0];
    if (plain) {
      parts.push(plain);
      for (const end = index + plain.length; index < end; index++) {
        starts.push(index);
        ends.push(index + 1);
      }
      continue;
    }
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

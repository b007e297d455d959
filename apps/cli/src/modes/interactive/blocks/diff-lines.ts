// A unified diff in colours.
import { countOf } from "../../../presentation/count-of.ts";
import { cleanForScreen } from "../../../terminal/escape.ts";
import type { Theme } from "../theme.ts";

/** So much of a long line is shown before its change. */
const LEAD_CHARACTERS = 60;

/**
 * The lines of a diff, at most `linesMax` of them and then how many more there are.
 *
 * @param charactersMax of a longer line so much is shown, from where it differs. Default: all of it
 */
export function diffLines(theme: Theme, diff: string, linesMax: number, charactersMax = Infinity): string[] {
  const lines = diff.split("\n").filter((line) => !line.startsWith("\\ No newline"));
  const shown = lines.slice(0, linesMax).map((line, index) => {
    const clean = cleanForScreen(line.length > charactersMax ? changedPart(lines, index, charactersMax) : line);
    if (line.startsWith("+")) return theme.paint("added", clean);
    if (line.startsWith("-")) return theme.paint("removed", clean);
    return line.startsWith("@@") ? theme.paint("hunk", clean) : theme.paint("muted", clean);
  });
  const hidden = lines.length - shown.length;
  return hidden > 0 ? [...shown, theme.paint("muted", `… ${countOf(hidden, "line")} more`)] : shown;
}

/** The part of a line that differs from the one in whose place it came or that came in its place; else its beginning. */
function changedPart(lines: string[], index: number, charactersMax: number): string {
  const line = lines[index] ?? "";
  const change = firstDifference(line, counterpart(lines, index));
  const wanted = change + LEAD_CHARACTERS > charactersMax ? change - LEAD_CHARACTERS : 0;
  const from = endOfCharacter(line, wanted);
  const to = endOfCharacter(line, Math.max(1, from) + charactersMax - 1);
  const before = from === 0 ? "" : `${line.slice(0, 1)}… ${countOf(from - 1, "character")} …`;
  const after = to < line.length ? `… ${countOf(line.length - to, "character")} more` : "";
  return `${before}${line.slice(from, to)}${after}`;
}

/** The line of the same change with the other sign, if there is one. */
function counterpart(lines: string[], index: number): string | undefined {
  const isChange = (at: number) => /^[-+]/.test(lines[at] ?? "");
  if (!isChange(index)) return undefined;
  let start = index;
  while (isChange(start - 1)) start--;
  let middle = start;
  while (lines[middle]?.startsWith("-")) middle++;
  const removed = middle - start;
  if (index < middle) return lines[index + removed]?.startsWith("+") ? lines[index + removed] : undefined;
  return index - middle < removed ? lines[index - removed] : undefined;
}

/** Where two lines with different signs begin to differ; 0 without another one. */
function firstDifference(line: string, other: string | undefined): number {
  if (other === undefined) return 0;
  let at = 1;
  while (at < line.length && line[at] === other[at]) at++;
  return at;
}

/** A place in a text, or the next one if it is within a character. */
function endOfCharacter(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at;
}

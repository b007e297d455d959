// What changed in a file, for people: a unified diff, and how many lines came and went.
import { createTwoFilesPatch } from "diff";

/** A change to one file, as tools report it in their details. */
export interface FileChange {
  path: string;
  /** Unified diff without a header; empty if nothing changed. */
  diff: string;
  linesAdded: number;
  linesRemoved: number;
}

/** Beyond this size nobody reads a diff. */
const DIFF_CHARACTERS_MAX = 1_000_000;
/** The smallest diff takes lines times edits; with more it would hold the event loop for longer than a keystroke may wait. */
const DIFF_WORK_MAX = 4_000_000;

/**
 * Compares two contents of a file. Over 1,000,000 characters the diff is left out and the counts are those of all lines. With very
 * many changes it is a valid diff, but not the smallest, and without context.
 */
export function describeChange(path: string, before: string, after: string): FileChange {
  if (before.length + after.length > DIFF_CHARACTERS_MAX)
    return { path, diff: "", linesAdded: countLines(after), linesRemoved: countLines(before) };
  const maxEditLength = Math.ceil(DIFF_WORK_MAX / (1 + countLines(before) + countLines(after)));
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 2, maxEditLength });
  const diff = patch ? patch.split("\n").slice(4).join("\n").trimEnd() : diffInPlace(before, after);
  const lines = diff.split("\n");
  return {
    path,
    diff,
    linesAdded: lines.filter((line) => line.startsWith("+")).length,
    linesRemoved: lines.filter((line) => line.startsWith("-")).length,
  };
}

function countLines(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Each line against the one at its place, if there are as many as before; else all from the first to the last that differ. */
function diffInPlace(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start++;
  let same = 0;
  while (same < least - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  if (old.length !== now.length)
    return hunk(start, old.slice(start, old.length - same), now.slice(start, now.length - same));
  const hunks: string[] = [];
  for (let end = start; start < old.length; start = end + 1) {
    for (end = start; end < old.length && old[end] !== now[end]; ) end++;
    if (end > start) hunks.push(hunk(start, old.slice(start, end), now.slice(start, end)));
  }
  return hunks.join("\n");
}

/** With their endings, which may be what differs. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function hunk(start: number, old: string[], now: string[]): string {
  const place = ({ length }: string[]) => `${length === 0 ? start : start + 1},${length}`;
  const marked = (mark: string) => (line: string) =>
    `${mark}${line.endsWith("\n") ? line.slice(0, -1) : `${line}\n\\ No newline at end of file`}`;
  return [`@@ -${place(old)} +${place(now)} @@`, ...old.map(marked("-")), ...now.map(marked("+"))].join("\n");
}

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

/** Beyond this size a diff takes long and nobody reads it. */
const DIFF_CHARACTERS_MAX = 1_000_000;

/** Compares two contents of a file. Over 1,000,000 characters the diff is left out and the counts are those of all lines. */
export function describeChange(path: string, before: string, after: string): FileChange {
  const countLines = (text: string) => (text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
  if (before.length + after.length > DIFF_CHARACTERS_MAX)
    return { path, diff: "", linesAdded: countLines(after), linesRemoved: countLines(before) };
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 2, timeout: 2000 });
  const diff = patch ? patch.split("\n").slice(4).join("\n").trimEnd() : "";
  const lines = diff.split("\n");
  return {
    path,
    diff,
    linesAdded: lines.filter((line) => line.startsWith("+")).length,
    linesRemoved: lines.filter((line) => line.startsWith("-")).length,
  };
}

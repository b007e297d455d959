/** A number of things in words: `countOf(1, "line")` is "1 line", `countOf(2, "line")` "2 lines". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** What comes first of many: `firstOf(1, "line")` is "first line", `firstOf(2, "line")` "first 2 lines". */
export function firstOf(count: number, noun: string): string {
  return count === 1 ? `first ${noun}` : `first ${countOf(count, noun)}`;
}

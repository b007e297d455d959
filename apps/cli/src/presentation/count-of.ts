/** A number of things in words: `countOf(1, "line")` is "1 line", `countOf(2, "line")` "2 lines". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

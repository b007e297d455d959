/** A number of lines in words: "1 line", "2 lines". */
export function countLines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

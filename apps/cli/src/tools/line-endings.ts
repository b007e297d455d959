// Line endings of text that goes into a file: new lines take the ending of the place where they go.

const ENDINGS = /\r\n|\n/g;
const LONE_FEED = /(?<!\r)\n/;

/** The ending in use at a place: the next one from there on, else the last before it, else a line feed. */
export function endingAt(text: string, index: number): "\r\n" | "\n" {
  const next = text.indexOf("\n", index);
  const nearest = next === -1 ? text.lastIndexOf("\n", index) : next;
  return nearest > 0 && text[nearest - 1] === "\r" ? "\r\n" : "\n";
}

/** The ending that all lines of a text share; undefined if there are none or several. */
export function uniformEnding(text: string): "\r\n" | "\n" | undefined {
  if (!text.includes("\n")) return undefined;
  if (!text.includes("\r\n")) return "\n";
  return LONE_FEED.test(text) ? undefined : "\r\n";
}

/** The text with every line ending replaced. A carriage return alone is left as it is. */
export function withEnding(text: string, ending: "\r\n" | "\n"): string {
  return text.replace(ENDINGS, ending);
}

// Text cut to a length that an API takes, never in the middle of a character.

/** The beginning of a text, at most so many UTF-16 units long. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, "");
}

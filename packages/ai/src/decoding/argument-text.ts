// The arguments of a call as text. They come as text, or as the value itself.

/** Arguments as JSON text; none where there are none. A value that is no object stays what it is, so that nobody takes it for none. */
export function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

// The word with which a server says why the model stopped. Some send a number, and some what is neither.

/** The word as text; what is neither a text nor a number is told as JSON. */
export function wordOf(reason: unknown): string {
  if (typeof reason === "string") return reason;
  return typeof reason === "number" ? String(reason) : (JSON.stringify(reason) ?? "unknown");
}

// Makes texts and JSON values fit for any API: no lone surrogates (JSON parsers of servers refuse them) and no NUL.
// Returns what it was given when there is nothing to clean, so that callers can tell.

/** Deepest nesting of arguments that is sent; what lies deeper becomes null. */
const DEPTH_MAX = 200;

/** A text without NUL, with lone halves of surrogate pairs replaced by U+FFFD. */
export function cleanText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD").replaceAll("\u0000", "");
}

/** The arguments of a call fit to be sent: the same object if they are clean already. Never throws. */
export function cleanArguments(value: Record<string, unknown>): Record<string, unknown> {
  const before = jsonText(value);
  if (before !== undefined && !/\\u0000|\\ud[89a-f]/.test(before)) return value;
  const copy = cleanJson(value, []) as Record<string, unknown>;
  return jsonText(copy) === before ? value : copy;
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A plain JSON copy of any value, with every text and key in it clean. Cycles and values outside JSON become null. */
function cleanJson(value: unknown, ancestors: readonly object[]): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return null;
  if (ancestors.length >= DEPTH_MAX || ancestors.includes(value)) return null;
  const path = [...ancestors, value];
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, path));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && typeof item !== "function");
  return Object.fromEntries(entries.map(([key, item]) => [cleanText(key), cleanJson(item, path)]));
}

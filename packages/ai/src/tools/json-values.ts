// Questions about values as JSON sees them. Knows nothing of schemas or tools.

/** An object with string keys, as JSON has it. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object that JSON would write with braces: no array, no null, no class of its own. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON type of a value; `integer` is told apart from `number`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Whether two values are equal as JSON: the order of keys does not count. */
export function equalJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equalJson(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]));
}

/** A value as JSON for a person to read, cut to a length; never throws and never splits a character. */
export function shownJson(value: unknown, lengthMax = 120): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  text ??= String(typeof value);
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax).replace(/\p{Surrogate}/gu, "")}… (${text.length} characters)`;
}

// What a model wrote, read as the type that was asked for, and only where nothing can be lost on the way.
import { isObject, jsonTypeOf } from "./json-values.ts";

/** Digits that a double holds exactly, whatever they are. */
const EXACT_DIGITS_MAX = 15;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a value is of one of these JSON Schema types. A type that JSON Schema does not know is taken to fit. */
export function isOfType(value: unknown, types: readonly string[]): boolean {
  const type = jsonTypeOf(value);
  return types.some((wanted) => {
    if (wanted === type || (wanted === "number" && type === "integer")) return true;
    return !["string", "number", "integer", "boolean", "object", "array", "null"].includes(wanted);
  });
}

/**
 * `value` as one of `types`, or undefined if there is no lossless way: a JSON string becomes the object or array that it
 * holds, "42" becomes 42, "true" becomes true, "null" becomes null; a whole number becomes a string.
 */
export function coerced(value: unknown, types: readonly string[]): { value: unknown } | undefined {
  if (typeof value === "number") {
    return types.includes("string") && Number.isSafeInteger(value) ? { value: String(value) } : undefined;
  }
  if (typeof value !== "string" || types.includes("string")) return undefined;
  const text = value.trim();
  if (types.includes("object") || types.includes("array")) {
    const container = parsedContainer(text);
    if (container !== undefined && isOfType(container, types)) return { value: container };
  }
  if (types.includes("number") || types.includes("integer")) {
    const number = exactNumber(text);
    if (number !== undefined && isOfType(number, types)) return { value: number };
  }
  if (types.includes("boolean") && (text === "true" || text === "false")) return { value: text === "true" };
  if (types.includes("null") && text === "null") return { value: null };
  return undefined;
}

/** The object or array that a text is the JSON of. */
export function parsedContainer(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) || Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function exactNumber(text: string): number | undefined {
  if (!JSON_NUMBER.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/\D/g, "")
    .replace(/^0+/, "");
  return digits.length <= EXACT_DIGITS_MAX || (Number.isSafeInteger(number) && String(number) === text)
    ? number
    : undefined;
}

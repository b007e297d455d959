// What the arguments of a tool call are once it has ended: an object that can be saved, sent and run with, or none.
import { isObject, jsonTypeOf } from "./tools/json-values.ts";
import type { ToolCall } from "./types.ts";

/** Deeper than any real call. What writes messages and requests calls itself for each level, and ends after some thousands. */
const DEPTH_MAX = 500;

/**
 * Why a parsed value cannot be saved, sent and given to a tool as it is; undefined if it can. JSON allows numbers that no double holds, which
 * would be `null` in the saved message, and nesting that can be read but not written.
 */
function obstacleIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "hold a number that is too large";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth >= DEPTH_MAX) return `nest deeper than ${DEPTH_MAX} levels`;
  for (const item of Object.values(value)) {
    const obstacle = obstacleIn(item, depth + 1);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

/** What is wrong with raw arguments, as the end of a sentence about them: `are no complete JSON object`. */
export function faultOfArguments(raw: string): string {
  try {
    const parsed: unknown = JSON.parse(raw);
    if (!isObject(parsed)) return `must be a JSON object, but they are ${jsonTypeOf(parsed)}`;
    return obstacleIn(parsed) ?? "are no complete JSON object";
  } catch {
    return "are no complete JSON object";
  }
}

/**
 * Whether a value is just what would be read again from its text. Minus zero, numbers that JSON has no word for, `undefined`, arrays with
 * holes, objects of a class and endless depth are not.
 */
function isExactAsText(value: unknown, depth = 0): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || depth >= DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isExactAsText(item, depth + 1)) return false;
    return Object.keys(value).length === value.length;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) if (!isExactAsText((value as Record<string, unknown>)[name], depth + 1)) return false;
  return true;
}

/**
 * The strict reading of the arguments, which alone decides what a tool may run with.
 *
 * @param value what `raw` was written from, if it came as a value: it need not be read again
 */
export function settleArguments(call: ToolCall, raw: string, value?: unknown): void {
  if (isObject(value) && isExactAsText(value)) {
    call.arguments = value;
    return;
  }
  try {
    const parsed: unknown = raw.trim() === "" ? {} : JSON.parse(raw);
    if (isObject(parsed) && obstacleIn(parsed) === undefined) {
      call.arguments = parsed;
      return;
    }
  } catch {
    // Reported through malformedArguments, with the raw text.
  }
  call.arguments = {};
  call.malformedArguments = raw;
}

// What the arguments of a tool call are once it has ended: an object that can be saved, sent and run with, or none.
import type { ToolCall } from "./types.ts";

/** Deeper than any real call. What writes messages and requests calls itself for each level, and ends after some thousands. */
const DEPTH_MAX = 500;

/**
 * Whether a parsed value can be saved, sent and given to a tool as it is. JSON allows numbers that no double holds, which would be
 * `null` in the saved message, and nesting that can be read but not written.
 */
function isWritable(value: unknown, depth = 0): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return depth < DEPTH_MAX && Object.values(value).every((item) => isWritable(item, depth + 1));
}

/** The strict reading of the arguments, which alone decides what a tool may run with. */
export function settleArguments(call: ToolCall, raw: string): void {
  try {
    const parsed: unknown = raw.trim() === "" ? {} : JSON.parse(raw);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) && isWritable(parsed)) {
      call.arguments = parsed as Record<string, unknown>;
      return;
    }
  } catch {
    // Reported through malformedArguments, with the raw text.
  }
  call.arguments = {};
  call.malformedArguments = raw;
}

// Frames whose values are of other kinds than their API says: what can be understood all the same is, and what cannot is damage. Each
// edit goes through every field of every frame.
import type { ErrorKind } from "@rondo/ai";

type Json = Record<string, unknown>;
/** Returns what stands in the place of a field, or undefined to keep it. */
type Edit = (name: string, value: unknown) => unknown;

export interface OddFrames {
  name: string;
  edit: Edit;
  /** Which answer is edited. Default: one of text. */
  answer?: "tool";
  /** `as it is`, or one of these kinds. */
  ends: "as it is" | readonly ErrorKind[];
}

/** The frames with each field of their data edited. */
export function editedFrames(frames: readonly string[], edit: Edit): string {
  return frames
    .map((frame) => {
      const data = /^data: (\{.*)$/m.exec(frame)?.[1];
      if (data === undefined) return frame;
      // A number that no double holds cannot be written by JSON.stringify.
      const edited = JSON.stringify(editedValue(JSON.parse(data), edit)).replaceAll('"1e999"', "1e999");
      return frame.replace(/^data:.*$/m, () => `data: ${edited}`);
    })
    .join("");
}

function editedValue(value: unknown, edit: Edit): unknown {
  if (Array.isArray(value)) return value.map((item) => editedValue(item, edit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Json).map(([name, inner]) => [name, edit(name, inner) ?? editedValue(inner, edit)]),
  );
}

const REASONS = /^(stop_reason|finish_reason|finishReason)$/;
const IDS = /^(id|call_id|item_id|responseId)$/;
const INDEXES = /index$/;
const TEXTS = /^(text|content|delta)$/;
const LISTS = new Set(["choices", "candidates", "parts", "output", "tool_calls", "summary"]);

const numbers =
  (make: (count: number) => unknown): Edit =>
  (name, value) =>
    /token/i.test(name) && typeof value === "number" ? make(value) : undefined;
const where =
  (names: RegExp, make: (value: unknown) => unknown): Edit =>
  (name, value) =>
    names.test(name) && value !== null && value !== undefined ? make(value) : undefined;
/** The long texts of the answer itself, and no names or kinds. */
const words =
  (make: (text: string) => unknown): Edit =>
  (name, value) =>
    TEXTS.test(name) && typeof value === "string" && value !== "" ? make(value) : undefined;

export const ODD_FRAMES: OddFrames[] = [
  { name: "counts below zero", edit: numbers((count) => -count - 1), ends: "as it is" },
  { name: "counts as texts", edit: numbers(String), ends: "as it is" },
  { name: "counts that no double holds", edit: numbers(() => "1e999"), ends: "as it is" },
  { name: "counts as lists", edit: numbers((count) => [count]), ends: "as it is" },
  { name: "usage as a text", edit: where(/^usage/, () => "free"), ends: "as it is" },
  { name: "usage as a list", edit: where(/^usage/, (value) => [value]), ends: "as it is" },
  { name: "ids that are numbers", answer: "tool", edit: where(IDS, () => 7), ends: "as it is" },
  { name: "ids that are objects", answer: "tool", edit: where(IDS, () => ({ a: 1 })), ends: "as it is" },
  { name: "ids that are empty", answer: "tool", edit: where(IDS, () => ""), ends: "as it is" },
  { name: "ids of the prototype", answer: "tool", edit: where(IDS, () => "__proto__"), ends: "as it is" },
  { name: "indexes that are texts", answer: "tool", edit: where(INDEXES, String), ends: "as it is" },
  {
    name: "a tool of the prototype",
    answer: "tool",
    edit: (name, value) => (name === "name" && value === "read" ? "__proto__" : undefined),
    ends: "as it is",
  },
  {
    name: "reasons in capitals",
    answer: "tool",
    edit: where(REASONS, (value) => String(value).toUpperCase()),
    ends: "as it is",
  },
  {
    name: "reasons in small letters",
    answer: "tool",
    edit: where(REASONS, (value) => String(value).toLowerCase()),
    ends: "as it is",
  },
  { name: "a reason of the prototype", edit: where(REASONS, () => "__proto__"), ends: "as it is" },
  { name: "a reason that is a number", edit: where(REASONS, () => 1), ends: "as it is" },
  { name: "a reason that is an object", edit: where(REASONS, () => ({ type: "stop" })), ends: "as it is" },
  {
    name: "nulls in all lists",
    edit: (name, value) =>
      LISTS.has(name) && Array.isArray(value) && value.length > 0 ? [null, ...value, null] : undefined,
    ends: "as it is",
  },
  {
    name: "fields of the prototype beside all others",
    edit: (name) =>
      name === "model" || name === "modelVersion" ? JSON.parse('{"__proto__":{"polluted":1}}') : undefined,
    ends: "as it is",
  },
  { name: "text that is a number", edit: words(() => 42), ends: ["malformed_response"] },
  { name: "text that is true", edit: words(() => true), ends: ["malformed_response"] },
  { name: "text that is an object", edit: words((text) => ({ text })), ends: ["malformed_response"] },
  {
    name: "a list that is an object",
    edit: (name, value) => (["choices", "candidates"].includes(name) ? { 0: value } : undefined),
    ends: ["malformed_response", "truncated"],
  },
];

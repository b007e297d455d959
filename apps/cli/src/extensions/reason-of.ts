// What an extension threw, in words: it need not be an Error.
import { inspect } from "node:util";

/** The first line of what a thrown or rejected value says. */
export function reasonOf(thrown: unknown): string {
  const text =
    thrown instanceof Error ? thrown.message || thrown.name : typeof thrown === "string" ? thrown : inspect(thrown);
  return text.split("\n")[0] ?? "";
}

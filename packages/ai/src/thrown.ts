// Reads what others throw, which may be anything: a text, a symbol, a proxy, an object whose fields throw when they are looked at.
// Invariant: nothing here throws, since it runs where a failure is being reported.
import { ModelError } from "./errors.ts";

/** A field of a thrown value; undefined where there is none, or none that can be read. */
export function fieldOf(thrown: unknown, name: "message" | "cause" | "code" | "name"): unknown {
  try {
    return typeof thrown === "object" && thrown !== null ? (thrown as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

/** What a thrown value says: its message, or itself as text; empty if it says nothing. */
export function wordsOf(thrown: unknown): string {
  const message = fieldOf(thrown, "message");
  if (typeof message === "string") return message;
  try {
    return String(thrown);
  } catch {
    return "";
  }
}

/** Whether one of our own errors was thrown. `instanceof` alone throws on a revoked proxy. */
export function isModelError(thrown: unknown): thrown is ModelError {
  try {
    return thrown instanceof ModelError;
  } catch {
    return false;
  }
}

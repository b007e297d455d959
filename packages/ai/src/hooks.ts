// The caller's own functions, called where a failure of theirs can be told apart from one of ours or the provider's.
import { detailsOf } from "./error-kinds.ts";
import { ModelError } from "./errors.ts";
import { wordsOf } from "./thrown.ts";
import { excerpt } from "./wire/redact.ts";

/** Generous, since it is cut here before keys are taken out; the sentence is cut again after that. */
const WHY_CHARACTERS_MAX = 10_000;

/** Calls a hook and waits for it. Throws a `ModelError` with code `hook_failed` that names the hook if it throws or rejects. */
export async function callHook<T>(name: string, hook: () => T | Promise<T>): Promise<T> {
  try {
    return await hook();
  } catch (cause) {
    throw hookFailed(name, cause);
  }
}

/** The failure of a hook. No retry mends it, so it counts as a fault of the request. */
export function hookFailed(name: string, cause: unknown): ModelError {
  return new ModelError(
    `The hook ${name} failed: ${excerpt(wordsOf(cause), WHY_CHARACTERS_MAX) || "it gave no reason"}.`,
    detailsOf("invalid_request", { code: "hook_failed" }),
    { cause },
  );
}

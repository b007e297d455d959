// Where a key comes from: the caller's option, then the provider's environment variables. Nothing here shows or stores one.
import type { Model } from "../types.ts";
import { providerRow } from "./rows.ts";

/** The key for a call, or undefined. An empty one counts as none; white space around it (a pasted newline) is cut off. */
export function findKey(
  model: Model,
  given: string | undefined,
  env: Record<string, string | undefined>,
): string | undefined {
  if (typeof given === "string" && given.trim() !== "") return given.trim();
  for (const name of providerRow(model.provider)?.env ?? []) {
    const value = env[name]?.trim();
    if (value) return value;
  }
  return undefined;
}

/** What a person can do about a missing key. */
export function keyHint(provider: string): string {
  const names = providerRow(provider)?.env ?? [];
  const variables = names.length > 0 ? `Set ${names.join(" or ")}, or pass` : "Pass";
  return `${variables} the option apiKey.`;
}

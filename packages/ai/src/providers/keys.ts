// Where a key comes from: the caller's option, then the provider's environment variables. Nothing here shows or stores one.
import type { Model } from "../types.ts";
import { providerRow } from "./rows.ts";

/** The environment variables that may hold a model's key, in order. */
export function keyVariables(model: Pick<Model, "provider" | "keyEnv">): readonly string[] {
  return model.keyEnv ?? providerRow(model.provider)?.env ?? [];
}

/** The key for a call, or undefined. An empty one counts as none; white space around it (a pasted newline) is cut off. */
export function findKey(
  model: Model,
  given: string | undefined,
  env: Record<string, string | undefined>,
): string | undefined {
  if (typeof given === "string" && given.trim() !== "") return given.trim();
  for (const name of keyVariables(model)) {
    const value = env[name]?.trim();
    if (value) return value;
  }
  return undefined;
}

/** What a person can do about a missing key. */
export function keyHint(model: Pick<Model, "provider" | "keyEnv">): string {
  const names = keyVariables(model);
  const variables = names.length > 0 ? `Set ${names.join(" or ")}, or pass` : "Pass";
  return `${variables} the option apiKey.`;
}

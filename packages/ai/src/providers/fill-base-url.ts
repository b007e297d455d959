// Base URLs that depend on the caller's account or machine: `{NAME}` is filled from the environment when a call is made, so that a
// model is plain data that can be saved and shared.
import { detailsOf } from "../error-kinds.ts";
import { ModelError } from "../errors.ts";

const PLACEHOLDER = /\{([A-Z][A-Z0-9_]*(?:\|[A-Z][A-Z0-9_]*)*)(?::-([^}]*))?\}/g;
/** What may stand inside a host name or a path segment. Anything else could send the key to another server. */
const PLAIN_VALUE = /^[\w.-]+$/;

/** Fills a base URL. Throws a `ModelError` of kind `invalid_request` that names the variable which is missing or malformed. */
export function fillBaseUrl(template: string, env: Record<string, string | undefined>): string {
  if (typeof template !== "string") return template;
  return template.replace(PLACEHOLDER, (_whole, names: string, fallback: string | undefined, offset: number) => {
    const name = names.split("|").find((candidate) => env[candidate]?.trim());
    if (name === undefined) {
      if (fallback !== undefined) return fallback;
      throw missing(names.split("|"), template);
    }
    const value = (env[name] ?? "").trim();
    if (offset > 0 && !PLAIN_VALUE.test(value)) {
      throw new ModelError(
        `The environment variable ${name} cannot stand in the base URL ${template}: only letters, digits, ".", "-" and "_" can.`,
        detailsOf("invalid_request", { code: "bad_setting" }),
      );
    }
    return value;
  });
}

/** The names in a base URL of which one must be set, for each placeholder that has no value of its own. */
export function settingsOf(template: string): string[][] {
  const settings = [...template.matchAll(PLACEHOLDER)]
    .filter(([, , fallback]) => fallback === undefined)
    .map(([, names]) => names ?? "");
  return [...new Set(settings)].map((names) => names.split("|"));
}

function missing(names: string[], template: string): ModelError {
  return new ModelError(
    `The base URL ${template} needs the environment variable ${names.join(" or ")}, which is not set.`,
    detailsOf("invalid_request", { code: "missing_setting" }),
  );
}

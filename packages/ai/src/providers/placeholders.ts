// Base URLs and headers that depend on the caller's account or machine: `{NAME}` is filled from the environment when a call is made, so
// that a model is plain data that can be saved and shared.
import { detailsOf } from "../error-kinds.ts";
import { ModelError } from "../errors.ts";

const PLACEHOLDER = /\{([A-Z][A-Z0-9_]*(?:\|[A-Z][A-Z0-9_]*)*)(?::-([^}]*))?\}/g;
/** What may stand inside a host name or a path segment. Anything else could send the key to another server. */
const PLAIN_VALUE = /^[\w.-]+$/;

/** Fills a base URL. Throws a `ModelError` of kind `invalid_request` that names the variable which is missing or malformed. */
export function fillBaseUrl(template: string, env: Record<string, string | undefined>): string {
  if (typeof template !== "string") return template; // What it is then, the reader of base URLs says.
  return fill(template, env, `The base URL ${template}`, (name, value, offset) => {
    if (offset === 0 || PLAIN_VALUE.test(value)) return;
    throw new ModelError(
      `The environment variable ${name} cannot stand in the base URL ${template}: only letters, digits, ".", "-" and "_" can.`,
      detailsOf("invalid_request", { code: "bad_setting" }),
    );
  });
}

/** Fills the values of headers, in the same way; a name of a variable may stand for a secret there. */
export function fillHeaders(
  headers: Record<string, string> | undefined,
  env: Record<string, string | undefined>,
): Record<string, string> | undefined {
  if (headers === undefined || headers === null) return undefined;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? fill(value, env, `The header ${name}`, () => {}) : value,
    ]),
  );
}

function fill(
  template: string,
  env: Record<string, string | undefined>,
  what: string,
  check: (name: string, value: string, offset: number) => void,
): string {
  return template.replace(PLACEHOLDER, (_whole, names: string, fallback: string | undefined, offset: number) => {
    const name = names.split("|").find((candidate) => env[candidate]?.trim());
    if (name === undefined) {
      if (fallback !== undefined) return fallback;
      throw missing(names.split("|"), what);
    }
    const value = (env[name] ?? "").trim();
    check(name, value, offset);
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

function missing(names: string[], what: string): ModelError {
  return new ModelError(
    `${what} needs the environment variable ${names.join(" or ")}, which is not set.`,
    detailsOf("invalid_request", { code: "missing_setting" }),
  );
}

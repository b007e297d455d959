// Collects the texts of a call that must not appear in anything that leaves the layer. Never throws: it runs before the input is
// known to be sound, since the sentence about unsound input must not show a key either.
import { keyVariables } from "./providers/keys.ts";
import { fillBaseUrl, fillHeaders } from "./providers/placeholders.ts";
import type { Model, SimpleStreamOptions } from "./types.ts";

/** Header values shorter than this are words like `true`, unless the header's name says that it is a credential. */
const HEADER_LENGTH_MIN = 12;
const CREDENTIAL_NAME = /auth|key|token|secret|sig|password|cookie/i;

/** Keys, header values and credentials in the base URL. */
export function secretsOf(
  model: Model,
  options: SimpleStreamOptions | undefined,
  env: Record<string, string | undefined>,
): string[] {
  const values = options?.env ?? env;
  const secrets: unknown[] = [];
  const collect = (find: () => unknown[]): void => {
    try {
      secrets.push(...find());
    } catch {
      // Whatever cannot be read cannot be shown.
    }
  };
  collect(() => [options?.apiKey]);
  collect(() => keyVariables(model).map((name) => values[name]));
  for (const source of [() => fillHeaders(model.headers, values), () => options?.headers]) {
    collect(() =>
      Object.entries(source() ?? {})
        .filter(([name, value]) => CREDENTIAL_NAME.test(name) || String(value).length >= HEADER_LENGTH_MIN)
        .map(([, value]) => value),
    );
  }
  collect(() => {
    const { searchParams, username, password } = new URL(fillBaseUrl(model.baseUrl, values));
    return [
      username,
      password,
      ...[...searchParams].filter(([name]) => CREDENTIAL_NAME.test(name)).map(([, value]) => value),
    ];
  });
  const texts = secrets.filter((secret): secret is string => typeof secret === "string").map((text) => text.trim());
  // Longest first, so that a key that begins like another does not leave its end behind.
  return [...new Set(texts)].sort((left, right) => right.length - left.length);
}

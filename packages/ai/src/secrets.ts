// Collects the texts of a call that must not appear in anything that leaves the layer. Never throws: it runs before the input is
// known to be sound, since the sentence about unsound input must not show a key either.
import { keyVariables } from "./providers/keys.ts";
import { fillBaseUrl, fillHeaders } from "./providers/placeholders.ts";
import type { Model, SimpleStreamOptions } from "./types.ts";

/** Header values shorter than this are words like `true`, unless the header's name says that it is a credential. */
const HEADER_LENGTH_MIN = 12;
const CREDENTIAL_NAME = /auth|key|token|secret|sig|password|cookie|credential|^code$/i;
/** Shorter parts of a credential are schemes and names, such as `Bearer`. */
const PART_LENGTH_MIN = 8;

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
    collect(() => Object.entries(source() ?? {}).flatMap(([name, value]) => inHeader(name, value)));
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

/** The value of a header, and of a credential also its parts: a server may repeat the token without the scheme before it. */
function inHeader(name: string, value: unknown): string[] {
  if (typeof value !== "string") return [];
  if (!CREDENTIAL_NAME.test(name)) return value.length >= HEADER_LENGTH_MIN ? [value] : [];
  const parts = value
    .split(/[\s,;]+/)
    .flatMap((part) => [part, part.replace(/^[^=]*=/, ""), ...basicParts(value, part)]);
  return [value, ...parts.filter((part) => part.length >= PART_LENGTH_MIN)];
}

/** User name and password of basic authentication. */
function basicParts(value: string, part: string): string[] {
  if (!/^basic\s/i.test(value)) return [];
  try {
    const text = new TextDecoder().decode(Uint8Array.from(atob(part), (character) => character.charCodeAt(0)));
    return [text, text.replace(/^[^:]*:/, "")];
  } catch {
    return [];
  }
}

// Where requests go. People paste base URLs with and without a version, a slash, a query or the whole endpoint; one rule for all:
// the query is kept, a full endpoint path is cut off, and the version is added only where the URL's path is empty.
import { detailsOf } from "../error-kinds.ts";
import { ModelError } from "../errors.ts";

/** A base URL for an SDK, and the query that its requests must carry. */
export interface BaseUrl {
  /** Without a trailing slash, without a query. */
  url: string;
  query: URLSearchParams;
}

/** How one API's addresses are built. */
export interface AddressRule {
  /** Path segments that the SDK adds by itself, such as `/v1/messages`. */
  endpoint: RegExp;
  /** Version that belongs to the base, such as `/v1`; added where the path is empty. */
  version: string;
  /** The SDK adds the version itself, so a trailing one is cut off. */
  sdkAddsVersion: boolean;
}

/** Reads a base URL. Throws a `ModelError` of kind `invalid_request` if it is none. */
export function parseBaseUrl(text: unknown, rule: AddressRule): BaseUrl {
  let parsed: URL;
  try {
    parsed = new URL(text as string);
  } catch {
    throw badBaseUrl(text, "is not a URL; it should look like https://api.example.com/v1");
  }
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
    throw badBaseUrl(text, "must begin with https:// or http://");
  if (parsed.username !== "" || parsed.password !== "")
    throw badBaseUrl(text, "has a user name or password in it; pass them in an authorization header instead");
  let path = parsed.pathname.replace(/\/+$/, "").replace(rule.endpoint, "").replace(/\/+$/, "");
  if (rule.sdkAddsVersion && path.endsWith(rule.version)) path = path.slice(0, -rule.version.length);
  else if (!rule.sdkAddsVersion && path === "") path = rule.version;
  return { url: `${parsed.protocol}//${parsed.host}${path}`, query: parsed.searchParams };
}

function badBaseUrl(text: unknown, why: string): ModelError {
  const shown = typeof text === "string" ? `"${shownAddress(text).slice(0, 200)}"` : typeof text;
  return new ModelError(
    `The model's base URL ${shown} ${why}.`,
    detailsOf("invalid_request", { code: "bad_base_url" }),
  );
}

/** An address for a sentence: without a password and without its query, either of which may be a key. */
export function shownAddress(address: string): string {
  return address.replace(/\/\/[^/?#]*@/, "//").replace(/[?#].*$/s, "");
}

/** Whether an address is on this machine, where servers need no key. */
export function isLoopback(url: string): boolean {
  try {
    const { hostname } = new URL(url);
    return /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname) || hostname.endsWith(".localhost");
  } catch {
    return false;
  }
}

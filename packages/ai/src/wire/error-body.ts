// A provider's error, in any of the shapes that bodies and error events have, → a ModelError.
import { detailsOf, isRetryableKind, kindOf } from "../error-kinds.ts";
import { ModelError } from "../errors.ts";
import { isObject } from "../tools/json-values.ts";
import type { ErrorDetails } from "../types.ts";
import { excerpt, redact } from "./redact.ts";
import { retryAfterOf } from "./retry-after.ts";

/** Where an error was met: what to call the server, and what HTTP said. */
export interface ErrorPlace {
  /** The provider's name for people. */
  provider: string;
  status?: number | undefined;
  headers?: Headers | undefined;
  /** The address that answered, shown when it was not found. */
  url?: string | undefined;
  /** Milliseconds since 1970, to read a Retry-After date. */
  now: number;
  /** Texts that must not be shown. They are taken out before anything is shortened, which could leave half of one. */
  secrets: readonly string[];
}

/** Whether a JSON value of a stream is an error rather than a part of the answer. */
export function isErrorPayload(payload: unknown): boolean {
  const first = Array.isArray(payload) ? payload[0] : payload;
  if (!isObject(first)) return false;
  // Some servers send `error: ""`, `error: false` or `error: {}` with every chunk.
  if (first["type"] === "error" || saysSomething(first["error"])) return true;
  if (Array.isArray(first["errors"]) && first["errors"].length > 0) return true;
  // Gateways and web frameworks have their own: {detail: "…", status: 503}, {message: "…", code: 529}.
  if (!isErrorStatus(first["status"]) && !isErrorStatus(first["code"])) return false;
  return ["detail", "message", "msg"].some((name) => typeof first[name] === "string");
}

const isErrorStatus = (status: unknown): boolean => typeof status === "number" && status >= 400;

function saysSomething(error: unknown): boolean {
  return typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
}

/** Makes the error out of a body's text: JSON of any known shape, HTML, or plain words. */
export function errorFromText(text: string, place: ErrorPlace): ModelError {
  let payload: unknown = text;
  try {
    payload = JSON.parse(text);
  } catch {
    // Not JSON: its words are all there is.
  }
  return errorFromPayload(payload, place);
}

/** The error for a redirect, which is never followed: the key in its headers would go to wherever it points. */
export function errorFromRedirect(place: ErrorPlace): ModelError {
  const { status, provider } = place;
  const target = redirectTarget(place);
  return new ModelError(
    `${provider} redirects requests${target ? ` to ${target}` : ""}${status ? ` (status ${status})` : ""}. Redirects are not followed, so that the key goes nowhere else: set the right base URL.`,
    detailsOf("invalid_request", { code: "redirect", ...(status ? { status } : {}) }),
  );
}

/** Host and path of a redirect; its query may hold anything. */
function redirectTarget({ headers, url, secrets }: ErrorPlace): string {
  try {
    const { origin, pathname } = new URL(headers?.get("location") ?? "", url);
    return excerpt(redact(`${origin}${pathname}`, secrets), 200);
  } catch {
    return "";
  }
}

/** Makes the error out of a parsed body or error event. */
export function errorFromPayload(payload: unknown, place: ErrorPlace): ModelError {
  const failure = readFailure(payload, 0);
  const message = redact(failure.message, place.secrets);
  const codes = failure.codes.map((code) => redact(code, place.secrets));
  const innerStatus = codes.map(Number).find((code) => code >= 400 && code < 600);
  const status = place.status !== undefined && place.status >= 400 ? place.status : (innerStatus ?? place.status);
  const kind = kindOf({ status, codes, message });
  const providerMessage = excerpt(message);
  const more: Omit<ErrorDetails, "kind" | "retryable"> = {};
  if (status !== undefined) more.status = status;
  const code = codes.find((candidate) => !/^\d+$/.test(candidate) && candidate !== "error") ?? codes[0];
  if (code) more.code = code;
  const requestId = requestIdOf(place.headers, payload);
  if (requestId) more.requestId = requestId;
  if (providerMessage) more.providerMessage = providerMessage;
  if (isRetryableKind(kind)) {
    const retryAfterMs = retryAfterOf(place.headers, payload, place.now);
    if (retryAfterMs !== undefined) more.retryAfterMs = retryAfterMs;
  }
  const cause = kind === "context_overflow" && isTooManyBytes(status, codes, message) ? "too_many_bytes" : kind;
  return new ModelError(sentence(cause, place, status, providerMessage, more), detailsOf(kind, more));
}

/** The request was too large for the server, or for a proxy before it, before anybody counted tokens: images weigh more than words. */
function isTooManyBytes(status: number | undefined, codes: readonly string[], message: string): boolean {
  return (status === 413 || codes.includes("request_too_large")) && kindOf({ message }) !== "context_overflow";
}

/** Collects codes and the most telling message from the nesting that gateways build around an error. */
function readFailure(payload: unknown, depth: number): { codes: string[]; message: string } {
  if (typeof payload === "string") return { codes: [], message: payload };
  const value = Array.isArray(payload) ? payload[0] : payload;
  if (!isObject(value) || depth > 4) return { codes: [], message: "" };
  const inner = readFailure(value["error"] ?? value["errors"] ?? value["detail"] ?? value["response"], depth + 1);
  const codes = [...inner.codes];
  for (const name of ["code", "type", "status", "reason"]) {
    const code = value[name];
    if (typeof code === "number" || (typeof code === "string" && code.length > 0 && code.length < 80))
      codes.push(String(code));
  }
  let message = inner.message;
  for (const name of ["message", "detail", "error_description", "msg"]) {
    const text = value[name];
    if (!message && typeof text === "string") message = text;
  }
  // OpenRouter wraps the upstream's own words: {message: "Provider returned error", metadata: {raw}}.
  const raw = isObject(value["metadata"]) ? value["metadata"]["raw"] : undefined;
  if (typeof raw === "string" && raw) message = message ? `${message}: ${raw}` : raw;
  return { codes, message };
}

/** A longer one is no id, and would push what was said out of the sentence. */
const REQUEST_ID_CHARACTERS_MAX = 200;
const REQUEST_ID_HEADERS = ["request-id", "x-request-id", "x-goog-request-id", "apim-request-id", "cf-ray"];

function requestIdOf(headers: Headers | undefined, payload: unknown): string | undefined {
  const given: unknown[] = REQUEST_ID_HEADERS.map((name) => headers?.get(name));
  if (isObject(payload)) given.push(payload["request_id"]);
  const isId = (value: unknown): value is string =>
    typeof value === "string" && value !== "" && value.length <= REQUEST_ID_CHARACTERS_MAX;
  return given.find(isId);
}

const WHAT_HAPPENED: Partial<Record<string, string>> = {
  auth: "did not accept the API key. Check that the key is right and belongs to this provider",
  permission: "refused access. Check what the account and the key are allowed to use",
  billing: "refused for lack of credit. Check the balance and the plan of the account",
  rate_limit: "is limiting requests. Wait a little and try again",
  overloaded: "is overloaded or failing at the moment. Try again later",
  context_overflow:
    "says that the conversation is too long for this model. Compact it, or use a model with a larger window",
  too_many_bytes:
    "refused the request as too large. Take large images and files out of the conversation, or compact it",
  output_limit: "refused the requested output limit. Ask for fewer tokens",
  content_filter: "blocked this content by its policy. Rephrase the request",
  not_found: "does not know this model or address. Check the model id and the base URL",
  timeout: "took too long. Try again",
  network: "could not be reached or broke the connection. Try again",
};

function sentence(
  kind: string,
  place: ErrorPlace,
  status: number | undefined,
  said: string,
  more: { requestId?: string },
): string {
  const what = WHAT_HAPPENED[kind] ?? "rejected the request";
  const facts = [
    status === undefined ? "" : `status ${status}`,
    kind === "not_found" && place.url ? place.url : "",
    more.requestId ? `request ${more.requestId}` : "",
  ].filter(Boolean);
  return `${place.provider} ${what}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}${said ? `: ${said}` : "."}`;
}

// Anything that was thrown → error details and a sentence, with no key in either.
import { detailsOf } from "../error-kinds.ts";
import { ModelError } from "../errors.ts";
import { fieldOf, isModelError } from "../thrown.ts";
import type { ErrorDetails, Model } from "../types.ts";
import { excerpt, redact } from "./redact.ts";

/** Codes of Node's and undici's network errors, and what they mean to a person. */
const NETWORK_CODES: Record<string, string> = {
  ECONNREFUSED: "refused the connection. Is the server running, and is the address right?",
  ENOTFOUND: "was not found: nobody knows this host name. Check the network, and the base URL if it is your own.",
  EAI_AGAIN: "could not be looked up. Check the network.",
  ECONNRESET: "closed the connection unexpectedly. Try again.",
  // Bun has names of its own.
  ConnectionRefused: "refused the connection. Is the server running, and is the address right?",
  ConnectionClosed: "closed the connection unexpectedly. Try again.",
  FailedToOpenSocket: "could not be connected to. Is the address right?",
  EPIPE: "closed the connection unexpectedly. Try again.",
  ETIMEDOUT: "could not be reached in time. Check the network.",
  EHOSTUNREACH: "cannot be reached. Check the network.",
  ENETUNREACH: "cannot be reached. Check the network.",
  UND_ERR_SOCKET: "closed the connection unexpectedly. Try again.",
  UND_ERR_CONNECT_TIMEOUT: "could not be reached in time. Check the network.",
  UND_ERR_HEADERS_TIMEOUT: "did not answer in time. Try again.",
  UND_ERR_BODY_TIMEOUT: "went silent. Try again.",
};

/** Most characters of a sentence for a person. */
const SENTENCE_CHARACTERS_MAX = 1_000;

/** TLS failures, which no retry mends. */
const TLS_CODES = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/;
/** Bytes that are no HTTP, or not what their content-encoding says. */
const DAMAGE_CODES = /^(Z_DATA_ERROR|Z_BUF_ERROR|ERR__ERROR_FORMAT|ERR_BROTLI|HPE_)/;

/** Codes of a request that never was fit to be sent, in undici's words. */
const REQUEST_CODES = /INVALID|MISMATCH/;

/** Whom to name: the provider, and the address that was really asked. */
export type Server = Pick<Model, "provider" | "baseUrl">;

/** What to report for a thrown value. Our own errors keep what they say; others are named and their causes followed. */
export function failureOf(
  thrown: unknown,
  server: Server,
  secrets: readonly string[],
): { details: ErrorDetails; sentence: string } {
  const error = isModelError(thrown) ? thrown : foreignError(thrown, server, secrets);
  const details = { ...error.details };
  for (const name of ["providerMessage", "code", "requestId"] as const) {
    const text = details[name];
    if (text !== undefined) details[name] = redact(text, secrets);
  }
  return { details, sentence: excerpt(redact(error.message, secrets), SENTENCE_CHARACTERS_MAX) };
}

/** Whether something was thrown because of the network or of what came over it, and not because of what was to be sent. */
export function isWireFailure(thrown: unknown): boolean {
  const chain = causesOf(thrown);
  const code = chain.map(codeOf).find((candidate) => candidate !== undefined);
  if (code === undefined) return false;
  const isKnown = Object.hasOwn(NETWORK_CODES, code) || DAMAGE_CODES.test(code) || TLS_CODES.test(code);
  return isKnown || (!REQUEST_CODES.test(code) && chain.some((error) => messageOf(error) === "fetch failed"));
}

function foreignError(thrown: unknown, server: Server, secrets: readonly string[]): ModelError {
  const chain = causesOf(thrown);
  const code = chain.map(codeOf).find((candidate) => candidate !== undefined);
  const where = `${server.provider} (${hostOf(server.baseUrl)})`;
  if (code && NETWORK_CODES[code])
    return new ModelError(`${where} ${NETWORK_CODES[code]}`, detailsOf("network", { code }));
  const words = excerpt(redact(chain.map(messageOf).filter(Boolean).join(": "), secrets));
  // The HTTP client of Node 24 gives broken HTTP a name and no code.
  if ((code && DAMAGE_CODES.test(code)) || chain.some((error) => fieldOf(error, "name") === "HTTPParserError")) {
    return new ModelError(
      `${where} sent something that cannot be read${code ? ` (${code})` : ""}: ${words}. Try again, and check any proxy.`,
      detailsOf("malformed_response", code ? { code } : {}),
    );
  }
  if (code && TLS_CODES.test(code)) {
    return new ModelError(
      `${where} could not be reached safely (${code}): ${words}. Check the certificates and any proxy.`,
      { ...detailsOf("network", { code }), retryable: false },
    );
  }
  if (chain.some((error) => messageOf(error) === "terminated" || messageOf(error) === "fetch failed")) {
    return new ModelError(
      `${where} broke the connection: ${words}. Try again.`,
      detailsOf("network", code ? { code } : {}),
    );
  }
  return new ModelError(
    `The call to ${server.provider} failed before it could be completed: ${words || "unknown error"}`,
    detailsOf("unknown", code ? { code } : {}),
  );
}

/** An error and its causes, outermost first, at most five deep. */
function causesOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let error = thrown; error !== undefined && error !== null && chain.length < 5; ) {
    if (chain.includes(error)) break;
    chain.push(error);
    error = fieldOf(error, "cause");
  }
  return chain;
}

function codeOf(error: unknown): string | undefined {
  const code = fieldOf(error, "code");
  return typeof code === "string" ? code : undefined;
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  const message = fieldOf(error, "message");
  return typeof message === "string" ? message : "";
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "no valid address";
  }
}

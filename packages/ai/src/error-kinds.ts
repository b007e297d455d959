// A provider's failure → one of our kinds. Structured fields decide first (codes, then status); wording only where a provider
// has nothing better. One table for every provider: when a new wording turns up, add a row here and to its test.
import type { AssistantMessage, ErrorDetails, ErrorKind } from "./types.ts";

/** What a provider said about a failure, in whatever fields it has. */
export interface ProviderFailure {
  status?: number | undefined;
  /** Codes, types and statuses that the body names, most specific first. */
  codes?: readonly string[] | undefined;
  message?: string | undefined;
}

/** Codes of error bodies and error events, in lower case with `_` for other separators. */
const KIND_OF_CODE: Record<string, ErrorKind> = {
  // Anthropic: docs "Errors", 2025
  authentication_error: "auth",
  permission_error: "permission",
  billing_error: "billing",
  not_found_error: "not_found",
  request_too_large: "context_overflow",
  rate_limit_error: "rate_limit",
  overloaded_error: "overloaded",
  timeout_error: "timeout",
  // OpenAI and the many that follow it
  invalid_api_key: "auth",
  invalid_authentication: "auth",
  account_deactivated: "auth",
  insufficient_quota: "billing",
  billing_not_active: "billing",
  billing_hard_limit_reached: "billing",
  insufficient_balance: "billing",
  exceeded_current_quota_error: "billing",
  rate_limit_exceeded: "rate_limit",
  rate_limit_reached_error: "rate_limit",
  too_many_requests: "rate_limit",
  tokens_exceeded: "rate_limit",
  slow_down: "overloaded",
  server_overloaded: "overloaded",
  engine_overloaded_error: "overloaded",
  model_overloaded: "overloaded",
  capacity_exceeded: "overloaded",
  context_length_exceeded: "context_overflow",
  context_window_exceeded: "context_overflow",
  model_context_window_exceeded: "context_overflow",
  exceed_context_size_error: "context_overflow",
  too_many_prompt_tokens: "context_overflow",
  string_above_max_length: "context_overflow",
  model_max_prompt_tokens_exceeded: "context_overflow",
  content_filter: "content_filter",
  content_policy_violation: "content_filter",
  responsibleaipolicyviolation: "content_filter",
  cyber_policy_violation: "content_filter",
  invalid_prompt: "content_filter",
  data_inspection_failed: "content_filter",
  model_not_found: "not_found",
  deploymentnotfound: "not_found",
  unsupported_country_region_territory: "permission",
  tool_use_failed: "invalid_request",
  // Google: google.rpc.Code
  unauthenticated: "auth",
  permission_denied: "permission",
  not_found: "not_found",
  resource_exhausted: "rate_limit",
  unavailable: "overloaded",
  deadline_exceeded: "timeout",
  cancelled: "overloaded",
  // AWS
  throttlingexception: "rate_limit",
  accessdeniedexception: "permission",
  serviceunavailableexception: "overloaded",
};

/** Codes that say little. They decide where neither the status nor the words do. */
const KIND_OF_VAGUE_CODE: Record<string, ErrorKind> = {
  invalid_request_error: "invalid_request",
  invalid_request: "invalid_request",
  invalid_argument: "invalid_request",
  failed_precondition: "invalid_request",
  bad_request: "invalid_request",
  validation_error: "invalid_request",
  unprocessable_entity: "invalid_request",
  api_error: "overloaded",
  server_error: "overloaded",
  internal: "overloaded",
  internal_error: "overloaded",
  internal_server_error: "overloaded",
  service_unavailable: "overloaded",
  service_unavailable_error: "overloaded",
  upstream_error: "overloaded",
  bad_gateway: "overloaded",
};

const KIND_OF_STATUS: Record<number, ErrorKind> = {
  400: "invalid_request",
  401: "auth",
  402: "billing",
  403: "permission",
  404: "not_found",
  405: "invalid_request",
  408: "timeout",
  409: "overloaded",
  410: "not_found",
  413: "context_overflow",
  415: "invalid_request",
  422: "invalid_request",
  425: "overloaded",
  429: "rate_limit",
  499: "overloaded",
  500: "overloaded",
  502: "overloaded",
  503: "overloaded",
  504: "overloaded",
  520: "overloaded",
  522: "overloaded",
  524: "timeout",
  529: "overloaded",
};

/** Rate limits whose text speaks of tokens or lengths: looked for before the overflow wordings. */
const RATE_LIMIT_WORDS =
  /rate.?limit|too many (requests|tokens per)|tokens per (min|day|hour)|requests per|\bTPM\b|\bRPM\b|throttl|quota exceeded for quota metric|ResourceExhausted|usage size.*peak load|peak load/i;

const BILLING_WORDS =
  /insufficient (credit|balance|quota|funds)|credit balance|exceeded your current quota|billing|spend(ing)? limit|out of credits|payment required|no credits|purchase (more )?credits/i;

/**
 * Prompt too long, in the words of: Anthropic, OpenAI, Google, Groq, xAI, Mistral, DeepSeek, OpenRouter, llama.cpp, LM Studio,
 * Ollama, vLLM, LiteLLM, Together, Bedrock, Perplexity, Cerebras, Z.ai, MiniMax, GitHub Models.
 */
const OVERFLOW_WORDS = [
  /prompt is too long/i,
  /(maximum|max|available) context (length|size|window)/i,
  /context[ _-](length|window|size)(?! of)[^.]{0,60}(exceed|too)/i,
  /exceed(s|ed)?[^.]{0,60}context[ _-]?(length|window|size|limit)/i,
  /input token count[^.]{0,40}exceeds/i,
  /input (length|tokens)[^.]{0,60}exceed/i,
  /number of (input )?tokens exceeds/i,
  /maximum prompt length/i,
  /reduce the length of (the messages|your (prompt|messages|input))/i,
  /too (many|large)[^.]{0,20}(input |prompt )tokens/i,
  /prompt[^.]{0,40}(too long|too large|exceeds)/i,
  /total length of all messages is too long/i,
  /greater than the context length/i,
  /larger than the (maximum )?context/i,
  /model_context_window_exceeded/i,
  /token(s)? limit exceeded|exceeds? (the )?(model'?s )?(maximum )?token limit/i,
  /request (body )?too large for (the )?model/i,
];

const OUTPUT_LIMIT_WORDS =
  /max_(completion_|output_)?tokens[^.]{0,60}(too large|at most|exceed|less than or equal|maximum)/i;
const NOT_FOUND_WORDS =
  /model[^.]{0,80}(not found|does not exist|not exist|is not supported|was removed|not a valid model|has been deprecated|end of its life)|not a valid model id|no such model|supported api model names|model identifier is invalid/i;
const OVERLOADED_WORDS =
  /overloaded|internal (server )?error|server had an error|bad gateway|service unavailable|temporarily unavailable|high demand|try again later|at capacity|server is busy|upstream connect error/i;
const AUTH_WORDS =
  /(invalid|incorrect|missing|no|malformed)[^.]{0,20}(api[ _-]?key|api token|authentication|credentials)|api[ _-]?key (is )?(not valid|invalid|expired)|unauthori[sz]ed|user not found/i;
const FILTER_WORDS =
  /content (management|filter|policy)|safety (system|policy|reasons)|flagged|usage polic(y|ies)|data may contain inappropriate/i;
const NETWORK_WORDS =
  /terminated|socket|ECONN(RESET|REFUSED|ABORTED)|EPIPE|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|fetch failed|other side closed|network|connection (error|was closed|reset|refused)/i;

const TIMEOUT_WORDS = /\btime(d[ -]?)?[ -]?out\b|deadline exceeded/i;

const RETRYABLE = new Set<ErrorKind>([
  "rate_limit",
  "overloaded",
  "network",
  "timeout",
  "truncated",
  "malformed_response",
]);

/** Whether a failure of this kind may pass by itself. */
export function isRetryableKind(kind: ErrorKind): boolean {
  return RETRYABLE.has(kind);
}

/** The kind of a provider's failure. Billing is never taken for a rate limit, nor a rate limit for an overflow. */
export function kindOf(failure: ProviderFailure): ErrorKind {
  const message = failure.message ?? "";
  const coded = kindOfCodes(failure.codes ?? [], KIND_OF_CODE);
  const status = failure.status;
  if (coded && coded !== "rate_limit" && coded !== "invalid_request")
    return coded === "overloaded" && isBilling(message) ? "billing" : coded;
  if (status === 429 || coded === "rate_limit") return isBilling(message) ? "billing" : "rate_limit";
  if (status !== undefined && status >= 500 && KIND_OF_STATUS[status] !== undefined) return serverKind(status, message);
  if (
    status === undefined ||
    status === 200 ||
    status === 400 ||
    status === 403 ||
    status === 404 ||
    status === 413 ||
    status === 422
  ) {
    const worded = kindOfWords(message, status);
    if (worded) return worded;
  }
  if (coded) return coded;
  if (status === undefined || status < 400) return kindOfCodes(failure.codes ?? [], KIND_OF_VAGUE_CODE) ?? "unknown";
  return KIND_OF_STATUS[status] ?? (status >= 500 ? "overloaded" : "invalid_request");
}

function kindOfCodes(codes: readonly string[], table: Record<string, ErrorKind>): ErrorKind | undefined {
  for (const code of codes) {
    const name = code.toLowerCase().replace(/[\s.-]+/g, "_");
    if (Object.hasOwn(table, name)) return table[name];
    const status = /^\d{3}$/.test(code) ? Number(code) : 0;
    if (status === 429 || status === 401 || status === 402 || status === 529) return KIND_OF_STATUS[status];
  }
  return undefined;
}

/** A limit that says when it is lifted is a rate limit, though Google words both alike ("You exceeded your current quota"). */
const PASSING_WORDS = /rate limit|(retry|try again) (in|after) [\d.]+ ?(ms|s|m)|quota exceeded for (quota )?metric/i;

const isBilling = (message: string): boolean => BILLING_WORDS.test(message) && !PASSING_WORDS.test(message);

/** llama.cpp and others answer a bad request with 500: believe what it says before blaming the server. */
function serverKind(status: number, message: string): ErrorKind {
  if (OVERFLOW_WORDS.some((words) => words.test(message)) && !RATE_LIMIT_WORDS.test(message)) return "context_overflow";
  if (/is not supported|unsupported|invalid (argument|request)/i.test(message)) return "invalid_request";
  return KIND_OF_STATUS[status] ?? "overloaded";
}

function kindOfWords(message: string, status: number | undefined): ErrorKind | undefined {
  if (!message) return undefined;
  if (RATE_LIMIT_WORDS.test(message)) return "rate_limit";
  if (OVERFLOW_WORDS.some((words) => words.test(message))) return "context_overflow";
  if (BILLING_WORDS.test(message)) return "billing";
  if (status === 403) return undefined;
  if (AUTH_WORDS.test(message)) return "auth";
  if (NOT_FOUND_WORDS.test(message)) return "not_found";
  if (OUTPUT_LIMIT_WORDS.test(message)) return "output_limit";
  if (FILTER_WORDS.test(message)) return "content_filter";
  if (status !== undefined && status >= 400) return undefined;
  if (OVERLOADED_WORDS.test(message)) return "overloaded";
  if (NETWORK_WORDS.test(message)) return "network";
  if (TIMEOUT_WORDS.test(message)) return "timeout";
  return undefined;
}

/** Whether a call failed because the conversation no longer fits the model's window. */
export function isContextOverflow(message: AssistantMessage): boolean {
  if (message.stopReason !== "error") return false;
  if (message.error) return message.error.kind === "context_overflow";
  return kindOf({ message: message.errorMessage }) === "context_overflow";
}

/** Whether the same request may succeed later. False for a message that did not fail. */
export function isRetryable(message: AssistantMessage): boolean {
  if (message.stopReason !== "error") return false;
  if (message.error) return message.error.retryable;
  return isRetryableKind(kindOf({ message: message.errorMessage }));
}

/** Error details with `retryable` as the kind has it. */
export function detailsOf(kind: ErrorKind, more: Omit<ErrorDetails, "kind" | "retryable"> = {}): ErrorDetails {
  return { kind, retryable: isRetryableKind(kind), ...more };
}

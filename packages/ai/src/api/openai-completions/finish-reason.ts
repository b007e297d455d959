// Why the answer ended, in the words of the many servers of this API. A word that we do not know is a good end: new ones appear all
// the time, and what arrived is whole.
import { detailsOf } from "../../error-kinds.ts";
import { ModelError } from "../../errors.ts";
import type { ErrorKind } from "../../types.ts";

/** A good end, or the failure that the server reports by its finish reason. */
export type Outcome = { stop: "stop" | "length" | "toolUse" } | { failure: ModelError };

const LENGTH_REASONS = new Set([
  "length",
  "max_tokens",
  "max_output_tokens",
  "model_length",
  "model_context_window_exceeded",
]);
const TOOL_REASONS = new Set(["tool_calls", "function_call", "tool_use", "tool_call"]);

const FILTERED: [ErrorKind, string] = [
  "content_filter",
  "stopped this answer by its content policy. Rephrase the request",
];

/**
 * `sensitive` is Z.ai's, `insufficient_system_resource` DeepSeek's, `network_error` and `engine_overloaded` gateways'. Gateways also pass on
 * the words of Anthropic and Gemini, in any case.
 */
const FAILURES: Record<string, [ErrorKind, string]> = {
  content_filter: FILTERED,
  sensitive: FILTERED,
  refusal: FILTERED,
  safety: FILTERED,
  recitation: FILTERED,
  prohibited_content: FILTERED,
  malformed_function_call: ["malformed_response", "could not complete a tool call. Try again"],
  network_error: ["network", "lost the connection to the model in the middle of the answer. Try again"],
  insufficient_system_resource: ["overloaded", "ran out of capacity in the middle of the answer. Try again later"],
  engine_overloaded: ["overloaded", "ran out of capacity in the middle of the answer. Try again later"],
  error: ["overloaded", "failed in the middle of the answer. Try again"],
};

/** Reads a finish reason; `provider` names the server in the sentence for people. */
export function outcomeOf(reason: string, provider: string): Outcome {
  const word = reason.toLowerCase();
  const failure = Object.hasOwn(FAILURES, word) ? FAILURES[word] : undefined;
  if (failure) {
    const [kind, happened] = failure;
    return { failure: new ModelError(`${provider} ${happened}.`, detailsOf(kind, { code: reason })) };
  }
  if (LENGTH_REASONS.has(word)) return { stop: "length" };
  return { stop: TOOL_REASONS.has(word) ? "toolUse" : "stop" };
}

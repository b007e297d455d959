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

/** `sensitive` is Z.ai's, `insufficient_system_resource` DeepSeek's, `network_error` and `engine_overloaded` gateways'. */
const FAILURES: Record<string, [ErrorKind, string]> = {
  content_filter: ["content_filter", "stopped this answer by its content policy. Rephrase the request"],
  sensitive: ["content_filter", "stopped this answer by its content policy. Rephrase the request"],
  network_error: ["network", "lost the connection to the model in the middle of the answer. Try again"],
  insufficient_system_resource: ["overloaded", "ran out of capacity in the middle of the answer. Try again later"],
  engine_overloaded: ["overloaded", "ran out of capacity in the middle of the answer. Try again later"],
  error: ["overloaded", "failed in the middle of the answer. Try again"],
};

/** Reads a finish reason; `provider` names the server in the sentence for people. */
export function outcomeOf(reason: string, provider: string): Outcome {
  const failure = Object.hasOwn(FAILURES, reason) ? FAILURES[reason] : undefined;
  if (failure) {
    const [kind, happened] = failure;
    return { failure: new ModelError(`${provider} ${happened}.`, detailsOf(kind, { code: reason })) };
  }
  if (LENGTH_REASONS.has(reason)) return { stop: "length" };
  return { stop: TOOL_REASONS.has(reason) ? "toolUse" : "stop" };
}

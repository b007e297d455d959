// What a person can do about a failed model call, by its kind.
import type { AssistantMessage, ErrorKind } from "@rondo/ai";

const REMEDIES: Partial<Record<ErrorKind, string>> = {
  auth: "Set the key of the provider in the environment and start again, or choose another model with /model.",
  permission: "Choose another model with /model.",
  billing: "Look at your account with the provider, or choose another model with /model.",
  rate_limit: "Wait a little and say “go on”, or choose another model with /model.",
  overloaded: "Wait a little and say “go on”, or choose another model with /model.",
  context_overflow: "Shorten the conversation with /compact, or begin another with /new.",
  content_filter: "Say it in other words.",
  not_found: "Choose another model with /model.",
  network: "Look at the connection, then say “go on”.",
  timeout: "Say “go on” to try again.",
  truncated: "Say “go on” to try again.",
  malformed_response: "Say “go on” to try again, or choose another model with /model.",
};

/** What happened, and what to do. */
export function describeFailure({ errorMessage, error }: AssistantMessage): string {
  const remedy = error && REMEDIES[error.kind];
  return [errorMessage ?? "The model call failed.", remedy].filter((part) => part !== undefined).join("\n");
}

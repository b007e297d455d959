// Why a response ended.
import { detailsOf } from "../../error-kinds.ts";
import { ModelError } from "../../errors.ts";

/** The states in which a response stays. */
type TerminalStatus = "completed" | "incomplete" | "failed" | "cancelled";

/** A good end, or a failure that the server reports by the response's status; `raw` is the server's own word. */
export type Outcome = { raw: string } & ({ stop: "stop" | "length" } | { failure: ModelError });

/** The events that end a response, and what they say where the response itself does not. */
const STATUS_OF_EVENT: Record<string, TerminalStatus> = {
  "response.completed": "completed",
  "response.done": "completed",
  "response.incomplete": "incomplete",
  "response.failed": "failed",
  "response.cancelled": "cancelled",
};

/** The final status that an event tells; undefined if the response goes on. */
export function terminalStatus(eventType: string, status: string | null | undefined): TerminalStatus | undefined {
  const told = Object.hasOwn(STATUS_OF_EVENT, eventType) ? STATUS_OF_EVENT[eventType] : undefined;
  const isFinal = status === "incomplete" || status === "failed" || status === "cancelled";
  return told && isFinal ? status : told;
}

/** Reads the final status; `provider` names the server in the sentence for people. */
export function outcomeOf(status: TerminalStatus, reason: string | undefined, provider: string): Outcome {
  const failed = (kind: "overloaded" | "content_filter", sentence: string): Outcome => {
    const raw = reason ?? status;
    return { raw, failure: new ModelError(sentence, detailsOf(kind, { code: raw })) };
  };
  switch (status) {
    case "completed":
      return { raw: status, stop: "stop" };
    case "incomplete":
      if (reason !== "content_filter") return { raw: reason ?? status, stop: "length" };
      return failed("content_filter", `${provider} stopped this answer by its content policy. Rephrase the request.`);
    case "failed":
      return failed("overloaded", `${provider} failed to answer and did not say why. Try again.`);
    case "cancelled":
      return failed("overloaded", `${provider} cancelled the response. Try again.`);
  }
}

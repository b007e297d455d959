// The closed list of error kinds as sentences, and the one place that turns a failure into a final message.
import type { AssistantMessage, Diagnostic, ErrorDetails, ErrorKind, ToolCall, Usage } from "./types.ts";

/** What happened, for kinds that arise on our side of the wire and have no words of the provider's own. */
const SENTENCES: Partial<Record<ErrorKind, string>> = {
  aborted: "The request was aborted.",
  truncated: "The stream ended before the model had finished. What arrived is kept; try again.",
};

/** A failure inside the model layer, on its way to becoming an `error` event. It never leaves the package as a throw. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly details: ErrorDetails;

  constructor(message: string, details: ErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** A usage in which nothing is known yet. */
export function unknownUsage(): Usage {
  return { cost: {} };
}

/** Marks a tool call whose arguments did not come to their end, so that nobody runs it. */
export function markUnfinished(call: ToolCall, raw: string): void {
  call.arguments = {};
  call.malformedArguments = raw;
}

/**
 * The message that ends a failed call: all content that arrived, the reason in words and as data. Whoever knows which tool
 * calls had not ended marks them before.
 */
export function finalMessage(
  partial: AssistantMessage | undefined,
  error: ErrorDetails,
  sentence: string = SENTENCES[error.kind] ?? `The model call failed (${error.kind}).`,
  diagnostics?: Diagnostic[],
): AssistantMessage {
  const message: AssistantMessage = partial ?? {
    role: "assistant",
    content: [],
    api: "unknown",
    provider: "unknown",
    model: "unknown",
    usage: unknownUsage(),
    stopReason: "error",
    timestamp: Date.now(),
  };
  message.stopReason = error.kind === "aborted" ? "aborted" : "error";
  message.errorMessage = sentence;
  message.error = error;
  if (diagnostics && diagnostics.length > 0) message.diagnostics = [...(message.diagnostics ?? []), ...diagnostics];
  return message;
}

// Makes the assistant message that stands for a model call that failed, was aborted or was never made, and words for
// whatever was thrown. Invariant: what it returns is a valid message in plain JSON.
import type { AssistantMessage, ErrorDetails, Model } from "@rondo/ai";
import { toPlainJson } from "./plain-json.ts";

/** A sentence for anything that can be thrown, even for what throws when it is looked at. */
export function sentenceOf(thrown: unknown, fallback: string): string {
  try {
    return wordsOf(thrown, fallback);
  } catch {
    return fallback;
  }
}

function wordsOf(thrown: unknown, fallback: string): string {
  if (typeof thrown === "string" && thrown.trim() !== "") return thrown;
  if (typeof thrown !== "object" || thrown === null)
    return thrown === undefined ? fallback : `${fallback} (${String(thrown)})`;
  const { message } = thrown as { message?: unknown };
  if (typeof message === "string" && message.trim() !== "") return message;
  if (thrown instanceof Error) return fallback;
  return `${fallback} ${JSON.stringify(toPlainJson(thrown))}`;
}

/** `instanceof`, which throws on a revoked proxy. */
export function isA<T>(thrown: unknown, kind: abstract new (...args: never[]) => T): thrown is T {
  try {
    return thrown instanceof kind;
  } catch {
    return false;
  }
}

/** The message of a failed call: what had arrived, and why it ended. Later changes to `partial` do not reach it. */
export function failureMessage(
  model: Model,
  partial: AssistantMessage | undefined,
  error: ErrorDetails,
  errorMessage: string,
  timestamp: number,
): AssistantMessage {
  const received = toPlainJson(partial ?? {}) as Partial<AssistantMessage>;
  const { api, provider, id } = (toPlainJson(model) ?? {}) as Partial<Model>;
  return {
    api: String(api ?? "unknown"),
    provider: String(provider ?? "unknown"),
    model: String(id ?? "unknown"),
    timestamp,
    ...received,
    role: "assistant",
    content: Array.isArray(received.content) ? received.content.filter(isBlock) : [],
    usage: isRecord(received.usage) ? { ...received.usage, cost: received.usage.cost ?? {} } : { cost: {} },
    stopReason: error.kind === "aborted" ? "aborted" : "error",
    errorMessage,
    error,
  };
}

/** Whether a stream's final message can go into the history as it is. */
export function isAssistantMessage(value: unknown): value is AssistantMessage {
  if (!isRecord(value)) return false;
  return (
    value["role"] === "assistant" &&
    STOP_REASONS.has(value["stopReason"]) &&
    isRecord(value["usage"]) &&
    Array.isArray(value["content"]) &&
    value["content"].every(isBlock)
  );
}

const STOP_REASONS: ReadonlySet<unknown> = new Set(["stop", "length", "toolUse", "error", "aborted"]);

function isBlock(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value["type"] === "text") return typeof value["text"] === "string";
  if (value["type"] === "thinking") return typeof value["thinking"] === "string";
  return value["type"] === "toolCall" && typeof value["id"] === "string" && typeof value["name"] === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

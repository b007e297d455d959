// Decides whether a failed model call is made again, and when. The only place that does: streams and tools do not retry.
import type { AssistantMessage } from "@rondo/ai";
import type { Run } from "./run.ts";
import type { RetryNotice } from "./types.ts";

/** Enough for a rate limit per second to pass. */
const BASE_DELAY_MS = 1_000;
/** A person who watches would rather know after a minute. */
const DELAY_MAX_MS = 60_000;

/** The next attempt, or undefined if this message stands. */
export function planRetry(run: Run, message: AssistantMessage, attempt: number): RetryNotice | undefined {
  const { retry, maxRetryDelayMs = DELAY_MAX_MS, random = Math.random } = run.config;
  const attemptsMax = retry?.attemptsMax ?? 1;
  // Written so that a setting that is no number means no further attempt.
  if (!(attempt < attemptsMax) || run.interrupted || !isRetryable(run, message)) return undefined;
  const askedMs = message.error?.retryAfterMs;
  if (askedMs !== undefined && !(askedMs <= maxRetryDelayMs)) return undefined;
  const backoffMs = Math.min(maxRetryDelayMs, (retry?.baseDelayMs ?? BASE_DELAY_MS) * 2 ** (attempt - 1));
  const jitteredMs = Math.round(backoffMs * (0.5 + random() / 2));
  const errorMessage = message.errorMessage ?? "The model returned nothing.";
  return { attempt, attemptsMax, delayMs: Math.max(askedMs ?? 0, jitteredMs), errorMessage };
}

function isRetryable(run: Run, message: AssistantMessage): boolean {
  if (message.stopReason === "stop" && isEmptyAnswer(message)) return true;
  if (message.stopReason !== "error") return false;
  try {
    return run.config.retry?.isRetryable?.(message) ?? message.error?.retryable === true;
  } catch (error) {
    run.fail(error, "isRetryable failed.");
    return false;
  }
}

/** Whether a message says nothing and calls nothing: some models do that after a tool result, for no reason. */
export function isEmptyAnswer(message: AssistantMessage): boolean {
  return !message.content.some(
    (block) => block.type === "toolCall" || (block.type === "text" && block.text.trim() !== ""),
  );
}

// Tries a call again when it failed by something that passes, as long as nothing of its answer has been delivered: a consumer never hears
// half an answer twice.
import { isRetryable } from "../error-kinds.ts";
import type { AssistantMessage } from "../types.ts";
import { DELAY_MAX_MS } from "../wire/timeout.ts";
import { type Clock, systemClock, waitFor } from "./clock.ts";
import { type Attempt, relay } from "./relay.ts";
import type { StreamFunction } from "./stream-function.ts";

/** When and how often to try again. */
export interface RetryPolicy {
  /** Attempts in total, the first one included. Default 3. */
  attemptsMax?: number;
  /** Longest wait before the second attempt, in milliseconds; it doubles with each further one. Default 1,000. */
  delayBaseMs?: number;
  /** Most milliseconds of a wait that we chose. Default 30,000. */
  delayMaxMs?: number;
  /** A provider that asks for a longer wait than this is not asked again. Default 120,000. */
  retryAfterMaxMs?: number;
  /** Which failures pass. Default `isRetryable`. Never asked about an abort. */
  shouldRetry?: (failure: AssistantMessage) => boolean;
  /** Told of each retry before its wait. What it throws is ignored. */
  onRetry?: (retry: RetryNotice) => void;
  /** Default: the machine's. */
  clock?: Clock;
  /** A number from 0 up to 1. Default `Math.random`. */
  random?: () => number;
}

/** A retry that is about to be waited for. */
export interface RetryNotice {
  /** Number of the attempt that comes, from 2 on. */
  attempt: number;
  attemptsMax: number;
  delayMs: number;
  /** The failed message of the attempt before. */
  failure: AssistantMessage;
}

const ATTEMPTS_MAX = 3;
const DELAY_BASE_MS = 1_000;
const DELAY_LIMIT_MS = 30_000;
const RETRY_AFTER_MAX_MS = 120_000;

/**
 * A stream function that tries again. The wait is what the provider asked for, or else a random part of a delay that doubles ("full
 * jitter"). An abort ends the wait at once. When the attempts are used up, the last failure is the result.
 */
export function withRetry(streamFn: StreamFunction, policy: RetryPolicy = {}): StreamFunction {
  const attemptsMax = policy.attemptsMax ?? ATTEMPTS_MAX;
  return (model, context, options) =>
    relay(model, options, async (front) => {
      for (let attempt = 1; ; attempt++) {
        const failed = await front.attempt(streamFn, model, context);
        if (failed === undefined) return;
        const delayMs = attempt < attemptsMax ? delayBefore(attempt + 1, failed, policy) : undefined;
        if (delayMs === undefined || front.signal.aborted) {
          front.deliver(failed);
          return;
        }
        notify(policy, { attempt: attempt + 1, attemptsMax, delayMs, failure: failed.message });
        await waitFor(delayMs, front.signal, policy.clock ?? systemClock);
        if (front.signal.aborted) {
          front.abort();
          return;
        }
      }
    });
}

/** Milliseconds to wait before an attempt, or undefined if there shall be none. */
function delayBefore(attempt: number, { message, delivered }: Attempt, policy: RetryPolicy): number | undefined {
  if (delivered || message.stopReason !== "error" || !(policy.shouldRetry ?? isRetryable)(message)) return undefined;
  const asked = message.error?.retryAfterMs;
  if (asked !== undefined && asked > (policy.retryAfterMaxMs ?? RETRY_AFTER_MAX_MS)) return undefined;
  const longest = (policy.delayBaseMs ?? DELAY_BASE_MS) * 2 ** (attempt - 2);
  const limit = Math.min(policy.delayMaxMs ?? DELAY_LIMIT_MS, DELAY_MAX_MS);
  const jittered = (policy.random ?? Math.random)() * Math.min(longest, limit);
  return Math.min(Math.max(asked ?? 0, Math.round(jittered)), DELAY_MAX_MS);
}

function notify(policy: RetryPolicy, notice: RetryNotice): void {
  try {
    policy.onRetry?.(notice);
  } catch {
    // A listener's fault must not end the call that it listens to.
  }
}

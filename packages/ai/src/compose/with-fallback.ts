// Asks the next model when one fails in a way that another may not, as long as nothing of an answer has been delivered.
import type { AssistantMessage, ErrorKind, Model, SimpleStreamOptions } from "../types.ts";
import { relay } from "./relay.ts";
import type { StreamFunction } from "./stream-function.ts";

/** A model to fall back on, with what its call needs of its own. */
export interface FallbackModel {
  model: Model;
  /** Laid over the options of the call, such as the `apiKey` of another provider. */
  options?: SimpleStreamOptions;
  /** Default: the stream function of the call. */
  streamFn?: StreamFunction;
}

/** When to go on to the next model. */
export interface FallbackPolicy {
  /** Kinds of failure that another model may not have. Default: all but `aborted`, `invalid_request` and `content_filter`. */
  kinds?: readonly ErrorKind[];
  /** Told of each change of model. What it throws is ignored. */
  onFallback?: (change: { from: Model; to: Model; failure: AssistantMessage }) => void;
}

const KINDS: readonly ErrorKind[] = [
  "auth",
  "permission",
  "billing",
  "rate_limit",
  "overloaded",
  "context_overflow",
  "output_limit",
  "not_found",
  "network",
  "timeout",
  "truncated",
  "malformed_response",
  "unknown",
];

/**
 * A stream function that asks the model of the call first and then the others, in order. The key and the headers of a call belong to its
 * provider: a model of another provider gets its own, or those of its environment variables. If all fail, the last failure is the result.
 */
export function withFallback(
  streamFn: StreamFunction,
  fallbacks: readonly (Model | FallbackModel)[],
  policy: FallbackPolicy = {},
): StreamFunction {
  const kinds = new Set(policy.kinds ?? KINDS);
  return (model, context, options) =>
    relay(model, options, async (front) => {
      const others = fallbacks.map((fallback) => ("model" in fallback ? fallback : { model: fallback }));
      const line: FallbackModel[] = [{ model }, ...others];
      for (const [index, entry] of line.entries()) {
        const asked = index === 0 ? options : optionsFor(entry, model, options);
        const failed = await front.attempt(entry.streamFn ?? streamFn, entry.model, context, asked);
        if (failed === undefined) return;
        const next = line[index + 1];
        const kind = failed.message.error?.kind ?? "unknown";
        if (
          !next ||
          failed.delivered ||
          front.signal.aborted ||
          failed.message.stopReason !== "error" ||
          !kinds.has(kind)
        ) {
          front.deliver(failed);
          return;
        }
        notify(policy, { from: entry.model, to: next.model, failure: failed.message });
      }
    });
}

function optionsFor(
  entry: FallbackModel,
  first: Model,
  options: SimpleStreamOptions | undefined,
): SimpleStreamOptions | undefined {
  if (entry.model.provider === first?.provider && entry.model.baseUrl === first.baseUrl)
    return { ...options, ...entry.options };
  const { apiKey: _apiKey, headers: _headers, ...rest } = options ?? {};
  return { ...rest, ...entry.options };
}

function notify(policy: FallbackPolicy, change: { from: Model; to: Model; failure: AssistantMessage }): void {
  try {
    policy.onFallback?.(change);
  } catch {
    // A listener's fault must not end the call that it listens to.
  }
}

// Refuses options that nobody reads. A limit whose name has a slip in it would hold nothing, and plain JavaScript has no compiler that
// says so. A mistake of the program, so it is thrown at once, before anything has happened.
import { nearest } from "@rondo/ai";
import type { CompactionOptions } from "./compaction.ts";
import type { AgentBudget, RetryPolicy } from "./types.ts";

/** The compiler keeps the names complete. */
type Names<T> = { [Name in keyof Required<T>]: true };

const BUDGET: Names<AgentBudget> = {
  turnsMax: true,
  toolCallsMax: true,
  durationMaxMs: true,
  tokensMax: true,
  costMax: true,
  unknownCost: true,
  repeatedCallsMax: true,
  toolTimeoutMs: true,
  concurrentToolsMax: true,
};

const RETRY: Names<RetryPolicy> = { attemptsMax: true, baseDelayMs: true, isRetryable: true };

const COMPACTION: Names<CompactionOptions> = {
  model: true,
  streamFn: true,
  streamOptions: true,
  contextWindow: true,
  reserveTokens: true,
  keepRecentTokens: true,
  systemPrompt: true,
  tools: true,
  instructions: true,
  record: true,
  onCompaction: true,
  onFailure: true,
  now: true,
};

/**
 * Refuses a budget or a retry policy that is no object or has names that mean nothing; undefined and null pass, there as values too.
 *
 * @throws TypeError
 */
export function requireKnownOptions({ budget, retry }: { budget?: unknown; retry?: unknown }): void {
  requireNames("budget", budget, Object.keys(BUDGET));
  requireNames("retry", retry, Object.keys(RETRY));
}

/**
 * The same for the options of a compaction.
 *
 * @throws TypeError
 */
export function requireKnownCompaction(options: unknown): void {
  requireNames("Compaction", options, Object.keys(COMPACTION));
}

function requireNames(owner: string, given: unknown, names: string[]): void {
  if (given === undefined || given === null) return;
  if (typeof given !== "object") throw new TypeError(`${owner} must be an object, not a ${typeof given}.`);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || names.includes(name)) continue;
    const near = nearest(name, names);
    const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `There are ${names.join(", ")}.`;
    throw new TypeError(`${owner} has no option ${name}. ${hint}`);
  }
}

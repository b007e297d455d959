// Counts of tokens as servers report them: nonsense is no count, and a count that is unknown is absent and not zero.

import { isObject } from "../tools/json-values.ts";

/** The number of tokens, or of dollars, that a value is; undefined for what can be none, such as a text or a number below zero. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** The tokens of a prompt that came from no cache. More cached tokens than prompt tokens: this server counts them apart. */
export function uncached(prompt: number, cached: number): number {
  return cached > prompt ? prompt : prompt - cached;
}

/**
 * A server's report laid over the one before it. What it leaves out stays as it was, and a zero replaces no count: servers report bit by
 * bit, and gateways fill the fields that they do not use with zeros.
 */
export function mergedReport<Report extends object>(before: Report | undefined, next: Report): Report {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(next)) {
    const known = merged[name];
    if (value === null || value === undefined || (value === 0 && typeof known === "number")) continue;
    merged[name] = isObject(value) && isObject(known) ? mergedReport(known, value) : value;
  }
  return merged as Report;
}

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
 * Lays a server's report over the ones before it, which `known` holds. What it leaves out stays as it was, and a zero replaces no count:
 * servers report bit by bit, and gateways fill the fields that they do not use with zeros.
 *
 * @returns whether it says anything new; many servers repeat their report with every frame
 */
export function mergeReport(known: object, next: object): boolean {
  const before = known as Record<string, unknown>;
  const said = next as Record<string, unknown>;
  let isNew = false;
  for (const name in said) {
    const value = said[name];
    const held = before[name];
    const isNothing = value === null || value === undefined || (value === 0 && typeof held === "number");
    if (isNothing || value === held || name === "__proto__") continue;
    if (isObject(value) && isObject(held)) {
      isNew = mergeReport(held, value) || isNew;
    } else {
      before[name] = value;
      isNew = true;
    }
  }
  return isNew;
}

// Sums of usage. A count that nobody reported stays absent.
import type { Usage, UsageCost } from "@rondo/ai";

const COUNTS = ["input", "output", "cacheRead", "cacheWrite", "cacheWrite1h", "reasoning", "totalTokens"] as const;
const COSTS = ["input", "output", "cacheRead", "cacheWrite", "total"] as const;

/** Adds two usages. Where only one knows a count, that is the sum: a lower bound. */
export function addUsage(left: Usage, right: Usage | undefined): Usage {
  const cost: UsageCost = { ...left.cost };
  for (const name of COSTS) addKnown(cost, name, right?.cost?.[name]);
  const sum: Usage = { ...left, cost };
  for (const name of COUNTS) addKnown(sum, name, right?.[name]);
  return sum;
}

/** All tokens of a call, summed up where the provider gave no total; undefined where it gave nothing. */
export function tokensOf(usage: Usage | undefined): number | undefined {
  if (!usage) return undefined;
  if (isCount(usage.totalTokens)) return usage.totalTokens;
  const parts = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite].filter(isCount);
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}

function addKnown<TName extends string>(target: Partial<Record<TName, number>>, name: TName, amount: unknown): void {
  if (isCount(amount)) target[name] = (target[name] ?? 0) + amount;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

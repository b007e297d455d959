// Numbers for people, short.

/** 950, 9.5k, 950k, 1.2M. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 10_000) return `${(count / 1000).toFixed(1)}k`;
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** US dollars, or that they are not known. */
export function formatCost(cost: number | undefined): string {
  if (cost === undefined) return "cost unknown";
  return cost > 0 && cost < 0.01 ? "<$0.01" : `$${cost.toFixed(2)}`;
}

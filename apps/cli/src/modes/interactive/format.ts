// Numbers for people, short.
import type { Totals } from "../../session/usage-totals.ts";

/** 950, 9.5k, 950k, 1.2M. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 10_000) return `${(count / 1000).toFixed(1)}k`;
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** US dollars: at least so many if a part has no known price, or that they are not known. */
export function formatCost({ cost, isCostPartial }: Pick<Totals, "cost" | "isCostPartial">): string {
  if (!isCostPartial) return cost > 0 && cost < 0.01 ? "<$0.01" : `$${cost.toFixed(2)}`;
  // Rounded down: it is a lower bound.
  return cost < 0.01 ? "cost unknown" : `≥$${(Math.floor(cost * 100) / 100).toFixed(2)}`;
}

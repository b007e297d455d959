// Tokens into money. What is unknown stays unknown: a count without a price, or a price without a count, adds no number.
import type { ModelCost, ModelCostRates, Usage } from "../types.ts";

const TOKENS_PER_PRICE = 1_000_000;
/** Anthropic charges twice the input price for a cache entry kept for an hour (prompt caching documentation, 2025). */
const HOUR_CACHE_WRITE_FACTOR = 2;
const PARTS = ["input", "output", "cacheRead", "cacheWrite"] as const;

/** The rates for a request with so many prompt tokens: the highest tier that it exceeds, for the whole request. */
export function ratesFor(cost: ModelCost, promptTokens: number): ModelCostRates {
  let rates: ModelCostRates = cost;
  let threshold = -1;
  for (const tier of cost.tiers ?? []) {
    if (promptTokens <= tier.inputTokensAbove || tier.inputTokensAbove <= threshold) continue;
    rates = tier;
    threshold = tier.inputTokensAbove;
  }
  return rates;
}

/**
 * Fills in `usage.totalTokens` and `usage.cost` from its counts.
 *
 * @param billedTotal what the provider says that it bills, in US dollars; it wins over our own sum
 */
export function priceUsage(usage: Usage, cost: ModelCost | undefined, billedTotal?: number): void {
  const counted = PARTS.filter((part) => usage[part] !== undefined);
  if (counted.length === 0) return;
  usage.totalTokens = counted.reduce((sum, part) => sum + (usage[part] ?? 0), 0);
  const rates = ratesFor(cost ?? {}, usage.totalTokens - (usage.output ?? 0));
  usage.cost = {};
  let total = 0;
  let allKnown = true;
  for (const part of counted) {
    const dollars = partCost(usage, part, rates);
    if (dollars === undefined) {
      allKnown = false;
      continue;
    }
    usage.cost[part] = dollars;
    total += dollars;
  }
  if (billedTotal !== undefined) usage.cost.total = billedTotal;
  else if (allKnown) usage.cost.total = total;
}

function partCost(usage: Usage, part: (typeof PARTS)[number], rates: ModelCostRates): number | undefined {
  const tokens = usage[part] ?? 0;
  if (tokens === 0) return 0;
  const rate = rates[part];
  if (rate === undefined) return undefined;
  const hourTokens = part === "cacheWrite" ? Math.min(usage.cacheWrite1h ?? 0, tokens) : 0;
  const hourRate = rates.input === undefined ? rate : rates.input * HOUR_CACHE_WRITE_FACTOR;
  return ((tokens - hourTokens) * rate + hourTokens * hourRate) / TOKENS_PER_PRICE;
}

// Prices out of sources that write 0 for "none" and for "unknown" alike.
import type { ModelCost, ModelCostRates, ModelCostTier } from "../../types.ts";

const RATES = ["input", "output", "cacheRead", "cacheWrite"] as const;

/** The rates that are known. A price of 0 beside others is one that the source does not know. */
export function knownRates(raw: Partial<Record<(typeof RATES)[number], unknown>>): ModelCostRates {
  const rates: ModelCostRates = {};
  for (const name of RATES) {
    const price = raw[name];
    if (typeof price === "number" && Number.isFinite(price) && price > 0) rates[name] = price;
  }
  return rates;
}

/** All of nothing, for models that say in their id that they are free; elsewhere 0 means that the source does not know. */
export function costOf(id: string, rates: ModelCostRates, tiers: ModelCostTier[]): ModelCost | undefined {
  if (rates.input === undefined && rates.output === undefined) {
    return /[:-]free$/.test(id) ? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } : undefined;
  }
  return tiers.length > 0 ? { ...rates, tiers } : rates;
}

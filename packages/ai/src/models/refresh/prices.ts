// Prices out of sources that write 0 for "none" and for "unknown" alike.
import type { ModelCost, ModelCostRates, ModelCostTier } from "../../types.ts";

const RATES = ["input", "output", "cacheRead", "cacheWrite"] as const;

/** A rate table with numbers that are known. A cache price of 0 beside an input price means that there is none to know. */
export function knownRates(raw: Partial<Record<(typeof RATES)[number], unknown>>): ModelCostRates {
  const rates: ModelCostRates = {};
  for (const name of RATES) {
    const price = raw[name];
    if (typeof price === "number" && Number.isFinite(price) && price > 0) rates[name] = price;
  }
  // Embedding and free output exist, but only beside a price for the input.
  if (rates.input !== undefined && raw.output === 0) rates.output = 0;
  return rates;
}

/** All of nothing, for models that say in their id that they are free; elsewhere 0 means that the source does not know. */
export function costOf(id: string, rates: ModelCostRates, tiers: ModelCostTier[]): ModelCost | undefined {
  if (rates.input === undefined && rates.output === undefined) {
    return /[:-]free$/.test(id) ? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } : undefined;
  }
  return tiers.length > 0 ? { ...rates, tiers } : rates;
}

import type { ModelCost, Usage } from "@rondo/ai";
import { describe, expect, test } from "vitest";
import { priceUsage, ratesFor } from "../../src/models/cost.ts";

const M = 1_000_000;
const PLAIN: ModelCost = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };
const TIERED: ModelCost = {
  ...PLAIN,
  // Out of order on purpose.
  tiers: [
    { inputTokensAbove: 500_000, input: 8, output: 30, cacheRead: 0.8, cacheWrite: 10 },
    { inputTokensAbove: 200_000, input: 4, output: 15, cacheRead: 0.4, cacheWrite: 5 },
  ],
};

function priced(counts: Omit<Usage, "cost">, cost?: ModelCost, billed?: number): Usage {
  const usage: Usage = { ...counts, cost: {} };
  priceUsage(usage, cost, billed);
  return usage;
}

describe("the cost of a call", () => {
  test.each<[string, Omit<Usage, "cost">, ModelCost | undefined, Usage["cost"], number | undefined]>([
    ["input and output", { input: M, output: M }, PLAIN, { input: 2, output: 10, total: 12 }, 2 * M],
    [
      "cached tokens at their own prices, and once",
      { input: 200_000, cacheRead: 800_000, cacheWrite: 400_000, output: 100_000 },
      PLAIN,
      { input: 0.4, cacheRead: 0.16, cacheWrite: 1, output: 1, total: 2.56 },
      1_500_000,
    ],
    [
      "thinking is a part of the output, not added to it",
      { input: 0, output: M, reasoning: 800_000 },
      PLAIN,
      { input: 0, output: 10, total: 10 },
      M,
    ],
    [
      "an entry that is kept for an hour costs twice the input",
      { input: 0, cacheWrite: M, cacheWrite1h: 400_000 },
      PLAIN,
      { input: 0, cacheWrite: 3.1, total: 3.1 },
      M,
    ],
    [
      "more tokens for an hour than were written count as all",
      { cacheWrite: M, cacheWrite1h: 5 * M },
      PLAIN,
      { cacheWrite: 4, total: 4 },
      M,
    ],
    [
      "nothing of a kind costs nothing, whatever its price",
      { input: M, cacheRead: 0 },
      { input: 2 },
      { input: 2, cacheRead: 0, total: 2 },
      M,
    ],
    [
      "an unknown price is unknown, and so is the total",
      { input: M, cacheRead: M, output: M },
      { input: 2, output: 10 },
      { input: 2, output: 10 },
      3 * M,
    ],
    ["no prices at all", { input: M, output: M }, {}, {}, 2 * M],
    ["no cost table", { input: M, output: M }, undefined, {}, 2 * M],
    [
      "a free model costs 0, which is known",
      { input: M, output: M },
      { input: 0, output: 0 },
      { input: 0, output: 0, total: 0 },
      2 * M,
    ],
    ["no counts, no cost", {}, PLAIN, {}, undefined],
    ["output alone", { output: M }, PLAIN, { output: 10, total: 10 }, M],
  ])("%s", (_name, counts, cost, expected, totalTokens) => {
    const usage = priced(counts, cost);
    expect(rounded(usage.cost)).toEqual(expected);
    expect(usage.totalTokens).toBe(totalTokens);
  });

  test.each([
    ["at the threshold", { input: 200_000, output: 0 }, 0.4],
    ["one above it, for the whole request", { input: 200_001, output: 0 }, 0.800004],
    ["cached tokens count towards the threshold", { input: 1, cacheRead: 200_000, output: 0 }, 0.080004],
    ["so do written ones", { input: 1, cacheWrite: 200_000, output: 0 }, 1.000004],
    ["the answer does not", { input: 200_000, output: 300_000 }, 3.4],
    ["the highest tier that is exceeded", { input: 600_000, output: 100_000 }, 7.8],
  ])("a tier %s", (_name, counts, total) => {
    expect(rounded(priced(counts, TIERED).cost).total).toBe(total);
  });

  test("what the provider says that it bills goes before our sum, and stands where we know no price", () => {
    expect(priced({ input: M, output: M }, PLAIN, 0.5).cost).toEqual({ input: 2, output: 10, total: 0.5 });
    expect(priced({ input: M, output: M }, {}, 0.5).cost).toEqual({ total: 0.5 });
    expect(priced({ input: M, output: M }, PLAIN, 0).cost.total).toBe(0);
  });

  test("a tier without a price of its own for a part leaves that part unknown", () => {
    const cost: ModelCost = {
      input: 1,
      output: 2,
      cacheRead: 0.1,
      tiers: [{ inputTokensAbove: 10, input: 2, output: 4 }],
    };
    expect(priced({ input: M, cacheRead: M, output: 0 }, cost).cost).toEqual({ input: 2, output: 0 });
    expect(ratesFor(cost, 10)).toBe(cost);
  });
});

const rounded = (cost: Usage["cost"]): Usage["cost"] =>
  Object.fromEntries(Object.entries(cost).map(([part, dollars]) => [part, Math.round(dollars * 1e9) / 1e9]));

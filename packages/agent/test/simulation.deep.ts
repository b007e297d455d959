import { test } from "vitest";
import { simulateMany } from "./simulation/simulate-many.ts";

test("twenty thousand random lives keep the grammar, the history and every queued message, and end", async () => {
  await simulateMany({ count: 20_000, firstSeed: Math.floor(Date.now() / 1_000) });
});

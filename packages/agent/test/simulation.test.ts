import { test } from "vitest";
import { simulateMany } from "./simulation/simulate-many.ts";

test("a thousand random lives keep the grammar, the history and every queued message, and end", async () => {
  await simulateMany({ count: 1_000, firstSeed: 1 });
});

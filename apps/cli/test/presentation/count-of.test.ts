import { expect, test } from "vitest";
import { countOf, firstOf } from "../../src/presentation/count-of.ts";

test("one thing is one, none and several are many", () => {
  expect([0, 1, 2].map((count) => countOf(count, "call"))).toEqual(["0 calls", "1 call", "2 calls"]);
  expect([1, 2].map((count) => countOf(count, "entry", "entries"))).toEqual(["1 entry", "2 entries"]);
  expect([1, 2].map((count) => firstOf(count, "line"))).toEqual(["first line", "first 2 lines"]);
});

import { expect, test } from "vitest";
import { durationText } from "../src/clock.ts";

test.each<[number, string]>([
  [1, "1 millisecond"],
  [250, "250 milliseconds"],
  [1_000, "1 second"],
  [1_500, "1.5 seconds"],
  [90_000, "90 seconds"],
  [120_000, "2 minutes"],
  [150_000, "2.5 minutes"],
  [7_200_000, "2 hours"],
])("%d milliseconds are %s", (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

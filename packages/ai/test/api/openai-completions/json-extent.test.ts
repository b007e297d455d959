import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonExtent } from "../../../src/api/openai-completions/json-extent.ts";

test("an object is complete with its last character and not before", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.nat(1), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const extent = new JsonExtent();
      for (const character of text.slice(0, -1)) {
        extent.feed(character);
        expect(extent.complete).toBe(false);
      }
      extent.feed(text.slice(-1));
      expect(extent.complete).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("braces and quotes inside of strings do not count", () => {
  const extent = new JsonExtent();
  extent.feed('{"a":"}\\"}');
  expect(extent.complete).toBe(false);
  extent.feed('\\\\"}');
  expect(extent.complete).toBe(true);
});

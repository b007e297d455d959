import fc from "fast-check";
import { expect, test } from "vitest";
import { toPlainJson } from "../src/plain-json.ts";

test("whatever goes in, what comes out survives a round trip unchanged", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(anything, (value) => {
      const plain = toPlainJson(value);
      if (plain !== undefined) expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
    }),
  );
});

test("plain JSON comes out as it went in", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(toPlainJson(value)).toEqual(normal(value));
    }),
  );
});

/** JSON knows no negative zero. */
function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

test("cycles, depth and what cannot be read are marked", () => {
  const circle: Record<string, unknown> = { name: "circle" };
  circle["self"] = circle;
  expect(toPlainJson(circle)).toEqual({ name: "circle", self: "[circular]" });
  let deep: unknown = "bottom";
  for (let level = 0; level < 1_000; level++) deep = [deep];
  expect(JSON.stringify(toPlainJson(deep))).toContain("[too deep]");
  const trap = {
    get value() {
      throw new Error("no");
    },
  };
  expect(toPlainJson({ trap, list: [undefined, () => 1] })).toEqual({ trap: "[unreadable]", list: [null, null] });
});

test("the same thing in two places is no cycle", () => {
  const shared = { a: 1 };
  expect(toPlainJson([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
});

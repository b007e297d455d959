import fc from "fast-check";
import { expect, test } from "vitest";
import { inspectJson, toPlainJson } from "../src/plain-json.ts";

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

test("what is shared at every level costs no more than what it is made of, and comes out bounded", () => {
  let shared: unknown = { leaf: "x".repeat(1_000) };
  for (let level = 0; level < 100; level++) shared = { left: shared, right: shared };
  const plain = toPlainJson(shared);
  const text = JSON.stringify(plain);
  expect(text.length).toBeLessThan(2 ** 27);
  expect(text).toContain("[too large]");
});

test("what is shared does not add up to more than the depth that is allowed", () => {
  let chain: unknown = "end";
  const all: unknown[] = [];
  for (let count = 0; count < 50; count++) {
    for (let level = 0; level < 150; level++) chain = [chain];
    all.push(chain);
  }
  expect(() => JSON.stringify(toPlainJson(all))).not.toThrow();
  expect(JSON.stringify(toPlainJson(all))).toContain("[too deep]");
});

test.each<[string, () => unknown]>([
  ["a text", () => "x".repeat(2 ** 26)],
  ["a list that is longer than memory", () => new Array(2 ** 32 - 1)],
  ["bytes", () => new Uint8Array(2 ** 24)],
  ["a structure that grows while it is read", endless],
])("%s that is too large is cut and marked", (_what, make) => {
  const { plain, problem } = inspectJson({ value: make() });
  expect(JSON.stringify(plain).length).toBeLessThan(2 ** 27);
  expect(problem).toMatch(/^value.* is too (large|deep)$/);
});

function endless(): unknown {
  return {
    get left() {
      return endless();
    },
    get right() {
      return endless();
    },
  };
}

test.each<[unknown, string | undefined]>([
  [{ content: [{ text: () => 1 }] }, "content.0.text is a function"],
  [{ usage: { input: 1n } }, "usage.input is a bigint"],
  [Symbol("no"), "it is a symbol"],
  [
    { when: new Date(0), nothing: undefined, odd: Number.NaN, words: Object.assign(new Error("x"), { a: 1 }) },
    undefined,
  ],
])("%# says what JSON cannot hold, and where", (value, problem) => {
  expect(inspectJson(value).problem).toBe(problem);
});

/** A value in as many lists. */
function nested(levels: number, inner: unknown = "bottom"): unknown {
  return levels === 0 ? inner : [nested(levels - 1, inner)];
}

test("two hundred levels are kept and no more, also where what is shared makes them up", () => {
  expect(inspectJson(nested(200))).toEqual({ plain: nested(200) });
  expect(inspectJson(nested(201))).toEqual({
    plain: nested(200, "[too deep]"),
    problem: `${Array(200).fill(0).join(".")} is too deep`,
  });
  const shared = nested(100);
  expect(inspectJson([shared, nested(99, shared)])).toEqual({ plain: [shared, nested(99, shared)] });
  expect(inspectJson([shared, nested(100, shared)]).plain).toEqual([shared, nested(100, "[too deep]")]);
});

test("keys, values and what is shared count, to the last character", () => {
  const room = 2 ** 26;
  const text = (length: number) => "x".repeat(length);
  const problemOf = (value: unknown) => inspectJson(value).problem;
  expect(problemOf([text(room - 128)])).toBeUndefined();
  expect(problemOf([text(room - 127)])).toBe("0 is too large");
  const key = "k".repeat(1_000);
  expect(problemOf({ [key]: text(room - 1_128) })).toBeUndefined();
  expect(problemOf({ [key]: text(room - 1_127) })).toBe(`${key} is too large`);
  const half = { text: text(room / 2) };
  expect(problemOf([half, half])).toBe("1 is too large");
  const less = { text: text(room / 2 - 1_000) };
  expect(problemOf([less, less])).toBeUndefined();
  expect(problemOf([less, less, less])).toBe("2 is too large");
});

test("the first problem is the one that is told, and a key may be named like the prototype", () => {
  expect(inspectJson({ a: () => 1, b: 1n }).problem).toBe("a is a function");
  const odd = JSON.parse('{"__proto__":{"a":-0}}');
  expect(JSON.stringify(toPlainJson(odd))).toBe('{"__proto__":{"a":0}}');
});

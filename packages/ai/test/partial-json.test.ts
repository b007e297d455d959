import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartialJson } from "../src/partial-json.ts";

const SEED = 20261130;
const readIn = (pieces: readonly string[]): unknown => {
  const reader = new PartialJson();
  for (const piece of pieces) reader.feed(piece);
  return reader.value;
};
const object = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "")), fc.jsonValue());

/** The text in pieces of the given sizes. */
function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let index = 0; start < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    pieces.push(text.slice(start, start + size));
    start += size;
  }
  return pieces;
}

/** Whether a value could be an earlier stage of another: strings begin it, arrays and objects hold stages of its items. */
function isStageOf(early: unknown, late: unknown): boolean {
  if (typeof early === "string") return typeof late === "string" && late.startsWith(early);
  if (typeof early !== "object" || early === null) return Object.is(early, late);
  if (typeof late !== "object" || late === null || Array.isArray(early) !== Array.isArray(late)) return false;
  return Object.keys(early).every(
    (key) =>
      Object.hasOwn(late, key) &&
      isStageOf((early as Record<string, unknown>)[key], (late as Record<string, unknown>)[key]),
  );
}

describe("PartialJson", () => {
  it(`reads what JSON.parse reads, however the text is cut (seed ${SEED})`, () => {
    fc.assert(
      fc.property(
        object,
        fc.constantFrom(undefined, 1),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (value, indent, sizes) => {
          const text = JSON.stringify(value, null, indent);
          expect(readIn(cut(text, sizes))).toEqual(JSON.parse(text));
        },
      ),
      { seed: SEED, numRuns: 500 },
    );
  });

  it(`reads escapes in every form as JSON.parse does (seed ${SEED})`, () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).map((text) => JSON.stringify(text).slice(1, -1)),
      fc.constantFrom("\\u0000", "\\u0041", "\\ud83c\\udfb5", "\\ud83c", "\\/", '\\"', "\\\\", "\\n"),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), fc.integer({ min: 1, max: 7 }), (units, size) => {
        const text = `{"a":"${units.join("")}"}`;
        expect(readIn(cut(text, [size]))).toEqual(JSON.parse(text));
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it(`shows an earlier stage of the whole at every moment, and always plain JSON (seed ${SEED})`, () => {
    fc.assert(
      fc.property(object, (value) => {
        const text = JSON.stringify(value);
        const whole: unknown = JSON.parse(text);
        const reader = new PartialJson();
        for (const character of text) {
          reader.feed(character);
          const stage: unknown = JSON.parse(JSON.stringify(reader.value));
          // Not toEqual, which takes a hole in an array for undefined.
          const isPlain = isStageOf(reader.value, stage) && isStageOf(stage, reader.value);
          if (!isPlain || !isStageOf(stage, whole)) throw new Error(`${JSON.stringify(stage)} in ${text}`);
        }
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it(`never throws on rubbish and keeps what it had (seed ${SEED})`, () => {
    fc.assert(
      fc.property(object, fc.string(), fc.nat(), (value, rubbish, place) => {
        const text = JSON.stringify(value);
        const at = place % text.length;
        const reader = new PartialJson();
        reader.feed(text.slice(0, at));
        const before: unknown = structuredClone(reader.value);
        reader.feed(`\u0001${rubbish}`);
        reader.feed(text.slice(at));
        expect(JSON.stringify(reader.value)).toBeTypeOf("string");
        expect(Object.keys(reader.value)).toEqual(expect.arrayContaining(Object.keys(before as object)));
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it("shows strings while they come, and numbers when they have", () => {
    const reader = new PartialJson();
    const stages: unknown[] = [];
    for (const piece of [
      '{"path":"sr',
      "c/a\\",
      "n",
      '","line":1',
      '2,"all":tr',
      'ue,"list":[1',
      ",",
      "2",
      ',"x',
      '"]}',
    ]) {
      reader.feed(piece);
      stages.push(structuredClone(reader.value));
    }
    const head = { path: "src/a\n", line: 12 };
    expect(stages).toEqual([
      { path: "sr" },
      { path: "src/a" },
      { path: "src/a\n" },
      { path: "src/a\n" },
      head,
      { ...head, all: true, list: [] },
      { ...head, all: true, list: [1] },
      { ...head, all: true, list: [1] },
      { ...head, all: true, list: [1, 2, "x"] },
      { ...head, all: true, list: [1, 2, "x"] },
    ]);
  });

  it("takes no root but an object, and no number that JSON cannot write", () => {
    for (const text of ["[1]", '"x"', "3", "null", "true", "", "   ", "}"]) expect(readIn([text])).toEqual({});
    expect(readIn(['{"a":1e999,"b":2}'])).toEqual({});
  });

  it("reads nesting that a display can use, and stops beyond it without a fault", () => {
    const deep = `{"a":${"[".repeat(10_000)}`;
    expect(JSON.stringify(readIn([deep])).length).toBeLessThan(1_000);
  });

  it("does work in proportion to the text: each character is looked at a bounded number of times", () => {
    // A string that counts how often its characters are read; no clock.
    const work = (size: number): number => {
      let reads = 0;
      const counted = (text: string): string =>
        new Proxy(Object(text) as object, {
          get(target, property) {
            if (typeof property === "string" && /^\d+$/.test(property)) reads++;
            const value: unknown = Reflect.get(target, property);
            if (property !== "slice") return typeof value === "function" ? value.bind(text) : value;
            return (start: number, end?: number) => {
              reads += (end ?? text.length) - start;
              return text.slice(start, end);
            };
          },
        }) as unknown as string;
      const reader = new PartialJson();
      for (const piece of cut(`{"content":"${"word ".repeat(size / 5)}"}`, [20])) reader.feed(counted(piece));
      expect((reader.value as { content: string }).content.length).toBe(size);
      return reads;
    };
    const [small, large] = [work(50_000), work(200_000)];
    expect(large / small).toBeLessThan(4.1);
    expect(large / 200_000).toBeLessThan(4);
  });
});

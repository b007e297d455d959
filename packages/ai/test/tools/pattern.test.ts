import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern } from "../../src/tools/pattern.ts";

describe("patterns of every kind match what the engine's own expressions match", () => {
  const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
    pattern: fc.array(tie("piece"), { maxLength: 4 }).map((pieces) => pieces.join("")),
    piece: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(
        "a",
        "b",
        ".",
        "\\d",
        "\\w",
        "\\.",
        "[ab]",
        "[^a]",
        "[a-c1]",
        "\\s",
        "é",
        "😀",
        "\\u0061",
        "\\x62",
        "\\p{L}",
        "\\n",
        "^",
        "$",
        "\\b",
        "\\B",
        "-",
        "/",
        "\\/",
      ),
      fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `(${left}|${right})`),
      fc
        .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"))
        .map(([inner, times]) => `(?:${inner})${times}`),
      fc
        .tuple(fc.constantFrom("a", "[ab]", "\\d", "."), fc.constantFrom("*", "+", "?", "{3}"))
        .map(([atom, times]) => atom + times),
      tie("pattern").map((inner) => `(?<n${Math.abs(hash(inner))}>${inner})`),
    ),
  }));
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "1", ".", " ", "é", "😀", "\n", "-", "/", "_"), { maxLength: 8 })
    .map((characters) => characters.join(""));

  test("in linear time", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { maxLength: 5 }), (source, texts) => {
        const native = nativeExpression(source);
        fc.pre(native !== undefined);
        const compiled = compilePattern(source);
        expect(compiled).toBeDefined();
        for (const value of texts) expect([value, compiled?.test(value)]).toEqual([value, native?.test(value)]);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Undefined for what is no pattern, such as two groups of one name. */
function nativeExpression(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}

function hash(value: string): number {
  return [...value].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) | 0, 7);
}

test.each([
  "(?=a)",
  "(?!a)",
  "(?<=a)b",
  "(?<!a)b",
  "(a)\\1",
  "(?<n>a)\\k<n>",
  "a{3000}",
  "(",
  ")",
  "[",
  "*",
  "x".repeat(1001),
])("%s is not run", (source) => {
  expect(compilePattern(source)).toBeUndefined();
});

test("patterns that are written for the lenient mode are read", () => {
  expect(compilePattern("^[\\w-.]+\\@x$")?.test("a.b@x")).toBe(true);
  expect(compilePattern("^\\_$")?.test("_")).toBe(true);
});

import { expect, test } from "vitest";
import { mergeReport } from "../../src/decoding/token-count.ts";

test.each<[string, object, object, { known: object; isNew: boolean }]>([
  ["a first report is new", {}, { input: 0, output: 3 }, { known: { input: 0, output: 3 }, isNew: true }],
  ["a repeated report is not", { input: 4 }, { input: 4 }, { known: { input: 4 }, isNew: false }],
  ["a zero replaces no count", { input: 4 }, { input: 0, output: 1 }, { known: { input: 4, output: 1 }, isNew: true }],
  ["what is left out or null stays", { input: 4 }, { input: null }, { known: { input: 4 }, isNew: false }],
  ["details are laid over each other", { d: { a: 1 } }, { d: { b: 2 } }, { known: { d: { a: 1, b: 2 } }, isNew: true }],
  ["repeated details are not new", { d: { a: 1 } }, { d: { a: 1 } }, { known: { d: { a: 1 } }, isNew: false }],
])("%s", (_title, known, next, expected) => {
  const isNew = mergeReport(known, next);
  expect({ known, isNew }).toEqual(expected);
});

test("a report cannot reach the prototype of all objects", () => {
  const report = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  mergeReport({}, report);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

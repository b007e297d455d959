import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { describeChange } from "../../src/tools/file-diff.ts";

const LINES = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
const before = LINES.join("\n");

test.each([
  ["every line", LINES.map((line) => `${line}!`).join("\n"), 10_000, 10_000],
  ["every other line", LINES.map((line, index) => (index % 2 ? line : `${line}!`)).join("\n"), 5_000, 5_000],
  ["more lines than before", `top\n${LINES.map((line) => `${line}!`).join("\n")}\n`, 10_001, 10_000],
  [
    "lines in the middle",
    [...LINES.slice(0, 50), ...LINES.slice(0, 4_000).map((line) => `${line}?`), ...LINES.slice(9_000)].join("\n"),
    4_000,
    8_950,
  ],
  ["nothing left", "", 0, 10_000],
])("a change too large for the smallest diff still has one: %s", (_name, after, linesAdded, linesRemoved) => {
  const change = describeChange("file", before, after);
  expect([change.linesAdded, change.linesRemoved]).toEqual([linesAdded, linesRemoved]);
  expect(applyPatch(before, `--- file\n+++ file\n${change.diff}\n`)).toBe(after);
});

test("of a very large file there are the counts alone", () => {
  const long = "x\n".repeat(400_000);
  expect(describeChange("file", long, `${long}y`.repeat(2))).toEqual({
    path: "file",
    diff: "",
    linesAdded: 800_001,
    linesRemoved: 400_000,
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { changedPieces, describeCall, describeResult, proposedChange } from "../../../src/modes/acp/tool-calls.ts";
import { describeChange } from "../../../src/tools/file-diff.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";

const PLACE = { root: "/w", home: "/h" };

test("the pieces of a diff are what the file held before, and what it holds after, at their lines", () => {
  const content = fc
    .array(fc.constantFrom("a", "b", "", "@@ -1 +1 @@", "\\ x", "-", "+y"), { maxLength: 30 })
    .chain((lines) => fc.constantFrom("", "\n").map((end) => (lines.length > 0 ? `${lines.join("\n")}${end}` : "")));
  fc.assert(
    fc.property(content, content, (before, after) => {
      const pieces = changedPieces(describeChange("f", before, after).diff);
      expect(pieces.length > 0).toBe(before !== after);
      for (const { line, oldText, newText } of pieces) {
        expect(`\n${before}`).toContain(oldText ?? "\n");
        const fromLine = after
          .split("\n")
          .slice(line - 1)
          .join("\n");
        expect(fromLine.startsWith(newText)).toBe(true);
        expect(oldText === newText).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});

test("a result with a change is a diff at its place; without one it is text and images", () => {
  const details = describeChange("~/a.txt", "one\ntwo\n", "one\n2\n");
  const content = [{ type: "text" as const, text: "Edited." }];
  expect(describeResult({ content, details }, PLACE)).toEqual({
    content: [{ type: "diff", path: "/h/a.txt", oldText: "one\ntwo\n", newText: "one\n2\n" }],
    locations: [{ path: "/h/a.txt", line: 1 }],
  });
  const unchanged = describeChange("a.txt", "same", "same");
  const asText = { content: [{ type: "content", content: { type: "text", text: "Edited." } }] };
  for (const other of [unchanged, undefined, null, "x", { path: 1 }])
    expect(describeResult({ content, details: other }, PLACE)).toEqual(asText);
});

test("a call is told with its kind and its place", () => {
  expect(describeCall("read", { path: "src/a.ts", offset: 40 }, PLACE)).toEqual({
    title: "read src/a.ts",
    kind: "read",
    rawInput: { path: "src/a.ts", offset: 40 },
    locations: [{ path: "/w/src/a.ts", line: 40 }],
  });
  expect(describeCall("mcp__x__y", {}, PLACE)).toEqual({ title: "mcp__x__y", kind: "other", rawInput: {} });
});

test("what a call would change is shown before it runs", async () => {
  const root = temporaryFolder();
  const path = join(root, "a.txt");
  const write = () => proposedChange("write", { path: "a.txt", content: "new" }, { root, home: "/h" });
  expect(await write()).toEqual([{ type: "diff", path, oldText: null, newText: "new" }]);
  writeFileSync(path, "old");
  expect(await write()).toEqual([{ type: "diff", path, oldText: "old", newText: "new" }]);
  const edits = [{ oldText: "o", newText: "n" }];
  expect(await proposedChange("edit", { path: "a.txt", edits }, { root, home: "/h" })).toEqual([
    { type: "diff", path, oldText: "o", newText: "n" },
  ]);
  for (const [tool, args] of [
    ["bash", { command: "x" }],
    ["edit", { path: "a.txt", edits: "no" }],
    ["write", {}],
  ] as const)
    expect(await proposedChange(tool, args, { root, home: "/h" })).toEqual([]);
});

// Lines that are no prose: minified code, an encoded file. The terminal library alone would take minutes for those here.
import { stripVTControlCharacters } from "node:util";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LineBreaker } from "../../../src/modes/interactive/blocks/break-lines.ts";
import { diffLines } from "../../../src/modes/interactive/blocks/diff-lines.ts";
import { inlineWork } from "../../../src/modes/interactive/blocks/inline-work.ts";
import { SafeMarkdown } from "../../../src/modes/interactive/blocks/safe-markdown.ts";
import { TextBlock } from "../../../src/modes/interactive/blocks/text.ts";
import { ToolBlock } from "../../../src/modes/interactive/blocks/tool.ts";
import { wrapAfter } from "../../../src/modes/interactive/blocks/wrap.ts";
import { fitLines } from "../../../src/modes/interactive/fit-lines.ts";
import { previewCall } from "../../../src/modes/interactive/permission-preview.ts";
import { startRig } from "./interactive-rig.ts";

const MINIFIED = "function f(x){return x+1};".repeat(20_000);
const ENCODED = "QUJD".repeat(100_000);

test("text is wrapped as by the library, whatever its length and styles", () => {
  const character = fc.constantFrom("a", "b", " ", "日", "é", "👩‍👩‍👧", "🇩🇪", "e\u0301", ".", "\n", "-");
  const word = fc.string({ unit: character, minLength: 1, maxLength: 60 });
  const styled = word.map((text) => `\x1b[38;5;176m${text}\x1b[39m`);
  const text = fc.array(fc.oneof(word, styled, fc.constant("x".repeat(300))), { maxLength: 60 });
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 120 }), (parts, width) => {
      const whole = wrapTextWithAnsi(parts.join(" "), width);
      expect(fitLines(wrapAfter("", parts.join(" "), width), width)).toEqual(fitLines(whole, width));
    }),
    { numRuns: 60 },
  );
});

test("a line is broken at the same places however it comes in, and prose is left as it is", () => {
  const text = `${"word ".repeat(700)}\n${"x".repeat(2500)} ${"日👩‍👩‍👧".repeat(300)}\n${"word ".repeat(900)}end`;
  const whole = new LineBreaker().take(text);
  expect(whole.split("\n").map(({ length }) => length)).toEqual([3500, 1000, 1000, 1501, 1007, 693, 4004, 499]);
  const pieces = new LineBreaker();
  expect([...text].map((character) => pieces.take(character)).join("")).toBe(whole);
});

test("an answer, a change and a question in one endless line are on the screen at once", async () => {
  const rig = startRig({});
  const { view } = rig.mode;
  const answer = new TextBlock(view);
  for (const part of ["See:\n\n", ENCODED, " end\n\n"]) answer.append(part);
  const lines = fitLines(answer.render(80), 80);
  expect(lines.slice(0, 4)).toEqual(["", "See:", "", "QUJD".repeat(20)]);
  expect(lines.at(-1)).toBe(" end");
  const tool = new ToolBlock(view, "edit");
  tool.setCall("edit", { path: "a.js" }, true);
  const diff = `@@ -1 +1 @@\n-${MINIFIED}\n+${MINIFIED}b`;
  tool.finish({ content: [], details: { diff } }, false);
  expect(tool.render(80)).toHaveLength(2 + 1 + 2 + 2);
  const decision = { verdict: "ask" as const, reason: "it changes files", suggestions: [] };
  const asked = rig.asker.ask("write", { path: "a.js", content: MINIFIED }, decision);
  await rig.shows(`… ${Math.ceil((MINIFIED.length + 1) / 78) + 1 - 8} lines more (ctrl+o shows all)`);
  rig.terminal.press("\x1b");
  expect(await asked).toEqual({ allow: false });
});

test("quotations in quotations and rows of marks are laid out, and code is left as it is", () => {
  const { view } = startRig({}).mode;
  const show = (text: string) => {
    const block = new TextBlock(view);
    for (const part of text.match(/[\s\S]{1,400}/g) ?? []) block.append(part);
    return fitLines(block.render(30), 30).map((line) => stripVTControlCharacters(line));
  };
  expect(show(`${"> ".repeat(9)}deep`)).toEqual(["", "│ │ │ │ │ │ > > > deep"]);
  expect(show(`${">".repeat(2000)} deep`).slice(0, 2)).toEqual(["", `${"│ ".repeat(6)}${">".repeat(18)}`]);
  expect(show("```\n>>>>>>> main\n```")).toEqual(["", "```", "  >>>>>>> main", "```"]);
  // The library runs out of stack on thousands of marks, how many depends on the stack.
  const bold = () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  expect(new SafeMarkdown("a **b** c", { ...view.theme.markdown, bold }).render(30)).toEqual(["a **b** c"]);
});

test("a block whose marks would hold the screen is text, and the others are Markdown", () => {
  const { view } = startRig({}).mode;
  const show = (text: string) => {
    const block = new TextBlock(view);
    block.append(text);
    return fitLines(block.render(40), 40).map((line) => stripVTControlCharacters(line));
  };
  for (const mark of ["[a](", "![a](", "*a ", "**a ", " _a_b", "[a](<", "\n    9. *a"]) {
    const lines = show(`**Bold**\n\nSee **b** ${mark.repeat(3000)}\n\nThe *end*`);
    expect([lines[1], lines[3]?.slice(0, 9), lines.at(-1)], mark).toEqual(["Bold", "See **b**", "The end"]);
  }
  // Lists in lists take the square of their number too.
  expect(show(`${"- ".repeat(7)}deep`)).toEqual(["", `${" ".repeat(20)}- - deep`]);
  expect(show("- - - - - - - -").slice(1)).toEqual(["─".repeat(40)]);
});

test("long lists, tables and code are no rows of marks", () => {
  const row = "**Name** and [a link](https://example.org/), *em* and `code`: ";
  for (const long of [
    `- ${row}\n`.repeat(2000),
    `1. ${row}\n   - ${row}\n2. ${row}\n`.repeat(700),
    `|a|b|\n|-|-|\n${`|${row}|${row}|\n`.repeat(800)}`,
    `\`\`\`json\n${"[[1, 2], [3, 4]],\n".repeat(5000)}\`\`\`\n`,
    row.repeat(12),
    "some_snake_case * 2 ".repeat(5000),
  ])
    expect(inlineWork(long), long.slice(0, 20)).toBeLessThan(500_000);
});

test("a file that is too long to be compared is shown all the same when it is asked about", async () => {
  const rig = startRig({});
  const { theme } = rig.mode.view;
  const place = { root: rig.root, home: rig.root };
  const ask = async (content: string) =>
    (await previewCall(theme, place, "write", { path: "a.txt", content })).map((line) =>
      stripVTControlCharacters(line),
    );
  const many = Array.from({ length: 150_000 }, (_, index) => `line ${index}\x1b`);
  expect(await ask(many.join("\n"))).toEqual([
    "a.txt",
    "+150000 lines, −0 lines: too much to be compared. The new content:",
    ...many.slice(0, 2000).map((line) => line.replace("\x1b", "\\x1b")),
    "… 148000 lines more, which are not shown",
  ]);
  const [, , endless] = await ask("x".repeat(2_000_000));
  expect(endless).toBe(`${"x".repeat(1_000_000)}… 1000000 characters more`);
});

test("of a long line of a diff the change is shown, and how much is not", () => {
  const { theme } = startRig({}).mode.view;
  const [before, after] = ["a".repeat(2000), "b".repeat(2000)];
  const show = (...lines: string[]) =>
    diffLines(theme, lines.join("\n"), 24, 500).map((line) => stripVTControlCharacters(line));
  const lead = "a".repeat(60);
  expect(show("@@ -1 +1 @@", `-${before}old${after}`, `+${before}new${after}`)).toEqual([
    "@@ -1 +1 @@",
    `-… 1940 characters …${lead}old${"b".repeat(436)}… 1564 characters more`,
    `+… 1940 characters …${lead}new${"b".repeat(436)}… 1564 characters more`,
  ]);
  // At the end of the line, at its beginning, and without a line to compare it with.
  expect(show(`-${before}`, `+${before};`)).toEqual([`-… 1940 characters …${lead}`, `+… 1940 characters …${lead};`]);
  expect(show(`-old${after}`, "-short", `+new${after}`)).toEqual([
    `-old${"b".repeat(496)}… 1504 characters more`,
    "-short",
    `+new${"b".repeat(496)}… 1504 characters more`,
  ]);
  expect(show(` ${before}`, `+${"🙂".repeat(300)}`)).toEqual([
    ` ${"a".repeat(499)}… 1501 characters more`,
    `+${"🙂".repeat(250)}… 100 characters more`,
  ]);
});

test("line feeds at the end of an answer make no lines", () => {
  const block = new TextBlock(startRig({}).mode.view);
  for (const part of ["One.\n\n", "Two.", "\n", "\n"]) block.append(part);
  expect(fitLines(block.render(80), 80)).toEqual(["", "One.", "", "Two."]);
});

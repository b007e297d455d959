// What is left of a line that a program writes over, whatever the pieces in which it comes; and of long output without a disk.
import fc from "fast-check";
import { expect, test } from "vitest";
import { CommandOutput } from "../../src/tools/command-output.ts";

function collect(pieces: string[]): string {
  const output = new CommandOutput("/nowhere", "output.log");
  for (const piece of pieces) output.write("stdout", Buffer.from(piece));
  const text = output.text();
  output.close();
  expect(output.text()).toBe(text);
  return text;
}

test.each([
  ["a bar of progress", "begin\r\n  0%\r 50%\r100%\nend", "begin\n100%\nend"],
  ["a bar that has not ended", "load  0%\rload 50%\r", "load 50%"],
  ["a mark that turns before a text", "⠋ Installing\r⠙\r⠹", "⠹ Installing"],
  ["a shorter line over a longer one", "downloading\rdone\x1b[K\n", "done\n"],
  ["a line that is erased", "downloading\x1b[2K\rdone\n", "done\n"],
  ["colours", "\x1b[32m 1%\x1b[0m\r\x1b[32m 2%\x1b[0m\n", "\x1b[32m 2%\x1b[0m\n"],
  ["backspaces", "50%\b\b\b60%, ab\b \bc\n", "60%, ac\n"],
  ["emoji", "🙂 one\r🙃\n", "🙃\n"],
  ["no line at all", "\r\b\r\n\x1b", "\n\x1b"],
  ["one that ends behind the characters that are shown", `${"=".repeat(3000)}\rdone\x1b[K`, "done"],
])("%s", (_name, printed, shown) => {
  expect(collect([printed])).toBe(shown);
  expect(collect([...printed])).toBe(shown);
});

test.each([
  ["is not there", "/dev/null/folder", "output.log"],
  ["is full", "/dev", "full"],
])("long output goes on being collected where the disk %s", (_state, folder, name) => {
  const output = new CommandOutput(folder, name);
  for (const letter of ["a", "b", "c"]) output.write("stdout", Buffer.from(letter.repeat(30_000)));
  output.close();
  expect(output.file).toBeUndefined();
  const lines = output.text().split("\n");
  expect(lines.filter((line) => line.startsWith("["))).toEqual([
    "[90.0 KB of output; the middle is left out here. No file could be written with all of it]",
  ]);
  expect([lines[0]?.slice(0, 1), lines.at(-1)?.slice(0, 1)]).toEqual(["a", "c"]);
});

test("the pieces make no difference, and a line without end is kept in bounds", () => {
  const part = fc.constantFrom(
    "a",
    "bc",
    "é",
    "🙂",
    "\r",
    "\n",
    "\b",
    "\x1b[K",
    "\x1b[2K",
    "\x1b[31m",
    "x".repeat(1500),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      expect(collect(parts)).toBe(collect([...parts.join("")]));
    }),
    { numRuns: 100 },
  );
  const stages = Array.from({ length: 100_000 }, (_, n) => `\r${n} of 100000`);
  expect(collect(stages)).toBe("99999 of 100000");
});

import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PromptHistory } from "../../src/session/prompt-history.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

test("lines of two that write at once are read in their order, each once, and for their owner alone", async () => {
  const folder = join(temporaryFolder(), "workspace");
  const [one, other] = [new PromptHistory(folder, true), new PromptHistory(folder, true)];
  expect(await one.read()).toEqual([]);
  for (const line of ["first", "日本\n\tzwei\u2028", "first", "third"]) {
    one.add(line);
    other.add(`${line} of the other`);
  }
  expect(await other.read()).toEqual([
    ...["日本\n\tzwei\u2028", "日本\n\tzwei\u2028 of the other", "first", "first of the other"],
    ...["third", "third of the other"],
  ]);
  expect(statSync(join(folder, "prompts")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("who keeps nothing reads what others kept, and writes no file", async () => {
  const folder = temporaryFolder();
  const none = new PromptHistory(folder, false);
  none.add("secret");
  expect(readdirSync(folder)).toEqual([]);
  new PromptHistory(folder, true).add("kept");
  expect(await none.read()).toEqual(["kept"]);
});

test("a line that was cut off, and whatever else is no line, is left out", async () => {
  const folder = temporaryFolder();
  const history = new PromptHistory(folder, true);
  history.add("one");
  appendFileSync(join(folder, "prompts"), '"cut\n42\n{}\n""\n');
  history.add("two");
  expect(await history.read()).toEqual(["one", "two"]);
  history.add("x".repeat(20_001));
  expect(await history.read()).toEqual(["one", "two"]);
});

test("however much is sent, two files of a bounded size hold the last hundred lines", async () => {
  const folder = temporaryFolder();
  const history = new PromptHistory(folder, true);
  const line = (index: number) => `${index} ${"x".repeat(10_000)}`;
  for (let index = 0; index < 130; index++) history.add(line(index));
  expect(readdirSync(folder).sort()).toEqual(["prompts", "prompts.before"]);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(320_000);
  const read = await history.read();
  expect(read.at(-1)).toBe(line(129));
  expect(read.length).toBeLessThanOrEqual(100);
  expect(read).toEqual(Array.from({ length: read.length }, (_, index) => line(130 - read.length + index)));
  for (let index = 0; index < 130; index++) history.add(`short ${index}`);
  expect(await history.read()).toEqual(Array.from({ length: 100 }, (_, index) => `short ${30 + index}`));
});

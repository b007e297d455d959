// House rules on size and leftovers, as a check, since a rule without one does not hold.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const LINES_MAX = 400;

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", "*.ts", "*.mjs"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && !/\.generated\.|\/data\//.test(file));

const text = (file: string): string => {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return ""; // Deleted in the working tree, not yet in the index.
  }
};

test(`no source file is longer than ${LINES_MAX} lines`, () => {
  expect(files.filter((file) => text(file).split("\n").length - 1 > LINES_MAX)).toEqual([]);
});

test("no file is named for being a drawer of odds and ends", () => {
  expect(files.filter((file) => /(^|\/)(utils?|common|helpers?|misc)(\.|\/)/.test(file))).toEqual([]);
});

test("no cast to any, no suppression of the type checker and no leftover outside tests", () => {
  const leftovers = /\bas any\b|@ts-ignore|@ts-expect-error|\bTODO\b|\bFIXME\b|\bXXX\b/;
  // The consumer is a test of the published types, which must refuse what is wrong.
  const sources = files.filter((file) => !/(^|\/)test\/|^tools\/consumer\//.test(file));
  expect(sources.filter((file) => leftovers.test(text(file)))).toEqual([]);
});

test("no test is skipped without a reason or run alone", () => {
  const tests = files.filter((file) => /\/test\//.test(file));
  expect(tests.filter((file) => /\b(it|test|describe)\.(only|todo|skip)\(/.test(text(file)))).toEqual([]);
});

// What is loaded before anything is asked: --version and --help must answer at once, so nothing heavy may be reachable from
// main.ts, the flags and the table of commands by imports that are not made on demand.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));
const STATIC_IMPORT = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"([^"]+)"/gm;

/** All that a file imports as soon as it is loaded, directly or through others. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, target = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT))
    if (target.startsWith(".")) loadedBy(join(dirname(file), target), seen);
    else seen.add(target);
  return seen;
}

const shown = (files: Iterable<string>) =>
  [...files].map((file) => (file.startsWith(source) ? relative(source, file) : file)).sort();

test("main.ts loads nothing but the exit codes", () => {
  expect(shown(loadedBy(join(source, "main.ts")))).toEqual(["exit-codes.ts", "main.ts"]);
});

test("--version and --help load the tables of flags and commands, and no package", () => {
  const files = ["flags/parse.ts", "flags/help.ts", "flags/completions.ts", "commands/table.ts"];
  const loaded = new Set(files.flatMap((file) => [...loadedBy(join(source, file))]));
  expect(shown(loaded)).toEqual([
    "commands/table.ts",
    "exit-codes.ts",
    "flags/completions.ts",
    "flags/help.ts",
    "flags/parse.ts",
    "flags/table.ts",
    "node:util",
  ]);
});

test("the walk sees what a run does load", () => {
  expect(shown(loadedBy(join(source, "run-command.ts")))).toContain("@rondo/ai");
});

// What a program pays for before it asks for anything: the files that an entry of a bundle imports at once, by size and by name.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "tools/bundle.mjs"), "packages/ai", "packages/agent", "apps/cli"]);
}, 60_000);

/** Files and packages that are loaded with `entry`, those behind `import()` left out. */
function loadedWith(entry: string): { files: string[]; packages: string[]; kilobytes: number } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, id = ""] of readFileSync(file, "utf8").matchAll(/(?:\bfrom|\bimport)"([^"]+)"/g)) {
      if (id.startsWith(".")) visit(join(dirname(file), id));
      else packages.add(id);
    }
  };
  visit(join(root, entry));
  const bytes = [...files].reduce((sum, file) => sum + statSync(file).size, 0);
  return {
    files: [...files].map((file) => relative(root, file)),
    packages: [...packages].sort(),
    kilobytes: bytes / 1024,
  };
}

describe("what is loaded at once", () => {
  test("the command: a few kilobytes, and nothing that talks to a model or a terminal", () => {
    const { kilobytes, packages } = loadedWith("apps/cli/dist/main.js");
    expect(packages.filter((name) => !name.startsWith("node:"))).toEqual([]);
    expect(kilobytes).toBeLessThan(20);
  });

  test("the model layer: no SDK, no module of Node, no package at all", () => {
    const { kilobytes, packages } = loadedWith("packages/ai/dist/index.js");
    expect(packages).toEqual([]);
    expect(kilobytes).toBeLessThan(220);
  });

  test("the agent: the model layer and nothing else", () => {
    expect(loadedWith("packages/agent/dist/index.js").packages).toEqual(["@rondo/ai"]);
  });
});

test("licences of what is bundled lie beside the command", () => {
  const notices = join(root, "apps/cli/dist/THIRD-PARTY-NOTICES.txt");
  expect(existsSync(notices)).toBe(true);
  const text = readFileSync(notices, "utf8");
  for (const name of ["@anthropic-ai/sdk", "openai", "@google/genai", "@sinclair/typebox", "eventsource-parser"])
    expect(text).toContain(`\n${name} `);
});

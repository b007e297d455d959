// find and grep where there is no ripgrep: the same results as with it, but for the dialect of patterns.
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentTool } from "@rondo/agent";
import { describe, expect, test } from "vitest";
import { createFindTool } from "../../src/tools/find.ts";
import { createGrepTool } from "../../src/tools/grep.ts";
import { findRipgrep } from "../../src/tools/ripgrep.ts";
import { temporaryFolder, temporaryWorkspace } from "../temporary-workspace.ts";

const FILES = {
  ".git/HEAD": "ref\n",
  ".git/needle": "needle\n",
  ".gitignore": "*.log\n/dist\n!keep.log\nnode_modules/\n",
  ".hidden.ts": "needle\n",
  "src/a.ts": "one\nneedle\nthree\n",
  "src/deep/b.tsx": "Needle\r\nneedle needle\r\n",
  "src/deep/.gitignore": "c.ts\n!d.log\n",
  "src/deep/c.ts": "needle\n",
  "src/deep/d.log": "needle\n",
  "keep.log": "needle\n",
  "x.log": "needle\n",
  "dist/e.ts": "needle\n",
  "src/dist/f.ts": "needle\n",
  "node_modules/g.ts": "needle\n",
  "ignored/h.ts": "needle\n",
  ".ignore": "ignored\n",
  "binary.bin": "needle\0",
  "umlaut-ä.txt": "needle ä\n",
  "-rf": "needle --pre=sh\n",
};

/** The two tools with ripgrep and without, on the same workspace. */
function bothWays() {
  const { workspace, path } = temporaryWorkspace(FILES);
  symlinkSync("src", path("link"));
  const textOf = async (tool: unknown, args: object) => {
    const { content } = await (tool as AgentTool).execute("call_1", args as never);
    return content.map((part) => (part.type === "text" ? part.text : "")).join("");
  };
  const none = async () => undefined;
  return {
    path,
    find: async (args: object) => [
      await textOf(createFindTool(workspace, none), args),
      await textOf(createFindTool(workspace), args),
    ],
    grep: async (args: object) => [
      await textOf(createGrepTool(workspace, none), args),
      await textOf(createGrepTool(workspace), args),
    ],
    grepAlone: (args: object) => textOf(createGrepTool(workspace, none), args),
  };
}

describe("the same as with ripgrep", () => {
  test.each([
    { pattern: "*" },
    { pattern: "*.ts" },
    { pattern: "*.{ts,tsx}" },
    { pattern: "src/**/*.ts" },
    { pattern: "**/deep/*" },
    { pattern: "!*.ts" },
    { pattern: "?.ts", path: "src" },
    { pattern: "*", path: "src/deep" },
    { pattern: "*", limit: 2 },
    { pattern: "-r*" },
    { pattern: "nothing" },
  ])("find %j", async (args) => {
    const [own, ripgrep] = await bothWays().find(args);
    expect(own).toBe(ripgrep);
  });

  test.each([
    { pattern: "needle" },
    { pattern: "needle", path: "src" },
    { pattern: "needle", path: "x.log" },
    { pattern: "needle", glob: "*.{ts,tsx}" },
    { pattern: "NEEDLE", ignoreCase: true },
    { pattern: "^n.*e$", context: 1 },
    { pattern: "needle", context: 20, path: "src/a.ts" },
    { pattern: "n.edle", literal: true },
    { pattern: "needle (", literal: true },
    { pattern: "ä" },
    { pattern: "\\bneedle\\b", limit: 2 },
    { pattern: "--pre=sh" },
    { pattern: "needle", path: "-rf" },
  ])("grep %j", async (args) => {
    const [own, ripgrep] = await bothWays().grep(args);
    expect(own).toBe(ripgrep);
  });
});

test("a glob brings back nothing that an ignore file leaves out", async () => {
  const { find, grep } = bothWays();
  expect(await find({ pattern: "*.log" })).toEqual(Array(2).fill("keep.log\nsrc/deep/d.log"));
  expect(await grep({ pattern: "needle", glob: "*.log" })).toEqual(
    Array(2).fill("keep.log:1:needle\nsrc/deep/d.log:1:needle"),
  );
});

test("a pattern that would take for ever, and one that is none, are errors in words", async () => {
  const { grepAlone, path } = bothWays();
  writeFileSync(path("trap.txt"), `${"a".repeat(60)}!\n`);
  await expect(grepAlone({ pattern: "^(a+)+$" })).rejects.toThrow("The pattern takes too long.");
  await expect(grepAlone({ pattern: "(" })).rejects.toThrow("Invalid regular expression");
});

test("a file that is too long is not searched, and the result says so", async () => {
  const { grepAlone, path } = bothWays();
  writeFileSync(path("long.txt"), "needle".repeat(2_000_000));
  expect(await grepAlone({ pattern: "needle", path: "long.txt" })).toBe(
    "[Not searched: 1 file over 10 MB. Use bash with grep for what is so large.]",
  );
});

test("the binary of the package is found first", async () => {
  const bin = temporaryFolder();
  writeFileSync(join(bin, "rg"), "", { mode: 0o755 });
  const found = await findRipgrep({ PATH: bin });
  expect(found).toMatch(/ripgrep/);
  expect(existsSync(found ?? "")).toBe(true);
});

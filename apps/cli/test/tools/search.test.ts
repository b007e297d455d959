// ls, find and grep on real folders.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "../temporary-workspace.ts";

test("ls shows folders, sizes, links and names that would command a terminal", async () => {
  const { textOf, path } = temporaryWorkspace({ "a.txt": "12345", "sub/b": "", "evil\n\x1b[2J": "" });
  symlinkSync("sub", path("to-folder"));
  symlinkSync("nowhere", path("to-nothing"));
  expect(await textOf("ls", {})).toBe(
    [
      "a.txt  5 B",
      "evil\\x0a\\x1b[2J  0 B",
      "sub/",
      "to-folder -> sub/",
      "to-nothing -> nowhere  (leads nowhere)",
    ].join("\n"),
  );
});

test("ls of many entries is bounded and says so", async () => {
  const { textOf, path } = temporaryWorkspace();
  for (let number = 0; number < 600; number++) writeFileSync(path(`f${String(number).padStart(3, "0")}`), "");
  const lines = (await textOf("ls", {})).split("\n");
  expect(lines).toHaveLength(501);
  expect(lines[500]).toBe("[500 of 600 entries. Use find with a pattern for the others.]");
});

test("ls keeps an entry that it cannot look into", async () => {
  const { textOf, path } = temporaryWorkspace();
  mkdirSync(path("closed"));
  chmodSync(path("closed"), 0);
  expect(await textOf("ls", {})).toBe("closed/");
});

test("ls says what is a file and what is not there", async () => {
  const { call } = temporaryWorkspace({ file: "" });
  await expect(call("ls", { path: "file" })).rejects.toThrow("file is a file. Use read to see what is in it.");
  await expect(call("ls", { path: "none" })).rejects.toThrow("There is no folder none.");
});

test("find goes by a glob, honours ignore files and leaves .git out", async () => {
  const files = { "src/a.ts": "", "src/deep/b.ts": "", "c.js": "", "skip/d.ts": "", ".git/e.ts": "", ".hidden.ts": "" };
  const { textOf } = temporaryWorkspace({ ...files, ".ignore": "skip\n" });
  expect(await textOf("find", { pattern: "*.ts" })).toBe(".hidden.ts\nsrc/a.ts\nsrc/deep/b.ts");
  expect(await textOf("find", { pattern: "*.ts", path: "src", limit: 1 })).toBe(
    "a.ts\n[The first file. There are more: use a narrower pattern.]",
  );
  expect(await textOf("find", { pattern: "*.py" })).toBe("No file matches.");
});

test("grep shows file, number and line, with context", async () => {
  const { textOf } = temporaryWorkspace({ "a.txt": "one\ntwo\nthree\n", "b/c.txt": "two\n" });
  expect(await textOf("grep", { pattern: "tw." })).toBe("a.txt:2:two\nb/c.txt:1:two");
  expect(await textOf("grep", { pattern: "TWO", ignoreCase: true, path: "a.txt", context: 1 })).toBe(
    "a.txt-1-one\na.txt:2:two\na.txt-3-three",
  );
  expect(await textOf("grep", { pattern: "t.o", literal: true })).toBe("Nothing matches.");
});

test.each(["--pre=sh", "-rf", "--files", "-e"])("grep takes %s as a pattern and not as an option", async (pattern) => {
  const { textOf } = temporaryWorkspace({ file: `x ${pattern} y\n` });
  expect(await textOf("grep", { pattern })).toBe(`file:1:x ${pattern} y`);
});

test("a file whose name begins with a dash can be searched and listed", async () => {
  const { textOf } = temporaryWorkspace({ "-rf": "x\n" });
  expect(await textOf("grep", { pattern: "x", path: "-rf" })).toBe("-rf:1:x");
  expect(await textOf("find", { pattern: "-r*" })).toBe("-rf");
});

test("grep cuts endless lines, and leaves out binary files", async () => {
  const { textOf } = temporaryWorkspace({ long: "needle ".repeat(100_000), binary: Buffer.from("\0needle") });
  const text = await textOf("grep", { pattern: "needle" });
  expect(text.length).toBeLessThan(1000);
  expect(text.split("\n")).toHaveLength(1);
});

test("grep stops at the bound and says so", async () => {
  const { textOf } = temporaryWorkspace({ file: "needle\n".repeat(5000) });
  const lines = (await textOf("grep", { pattern: "needle" })).split("\n");
  expect(lines).toHaveLength(201);
  expect(lines[200]).toBe("[The first 200 matching lines. There are more: search more narrowly.]");
});

test("a bad pattern is an error in ripgrep's own words", async () => {
  const { call } = temporaryWorkspace({ file: "x" });
  await expect(call("grep", { pattern: "(" })).rejects.toThrow("regex parse error");
});

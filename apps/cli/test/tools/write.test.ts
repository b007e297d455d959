import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "../temporary-workspace.ts";

test("a new file is written with the folders that it needs", async () => {
  const { textOf, path } = temporaryWorkspace();
  expect(await textOf("write", { path: "a/b/c.txt", content: "hi\n" })).toBe("Created a/b/c.txt (3 B).");
  expect(readFileSync(path("a/b/c.txt"), "utf8")).toBe("hi\n");
  expect(readdirSync(path("a/b"))).toEqual(["c.txt"]);
});

test.each([
  ["the byte-order mark", Buffer.from("\ufeffold\n"), Buffer.from("\ufeffnew\n"), "the byte-order mark"],
  ["CRLF line endings", Buffer.from("old\r\nx\r\n"), Buffer.from("new\r\n"), "CRLF line endings"],
  [
    "UTF-16",
    Buffer.from("\ufeffold", "utf16le"),
    Buffer.from("\ufeffnew\n", "utf16le"),
    "utf-16le encoding, the byte-order mark",
  ],
])("a file that is replaced keeps %s, and the result says so", async (_name, before, after, kept) => {
  const { textOf, path } = temporaryWorkspace({ file: before });
  expect(await textOf("write", { path: "file", content: "new\n" })).toContain(`Kept from before: ${kept}.`);
  expect(readFileSync(path("file"))).toEqual(after);
});

test("a write through a link to nothing makes the file that the link means", async () => {
  const { call, path } = temporaryWorkspace();
  symlinkSync("target.txt", path("link"));
  await call("write", { path: "link", content: "x" });
  expect(lstatSync(path("link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(path("target.txt"), "utf8")).toBe("x");
});

test("a name is written as it was asked, in its own Unicode form", async () => {
  const { call, root } = temporaryWorkspace({ "cafe\u0301.txt": "decomposed" });
  await call("write", { path: "caf\u00e9.txt", content: "composed" });
  expect(readdirSync(root).sort()).toEqual(["cafe\u0301.txt", "caf\u00e9.txt"].sort());
});

test("whoever reads meanwhile sees the old content or the new one, and nothing else is left in the folder", async () => {
  const contents = ["a", "b"].map((letter) => letter.repeat(5_000_000));
  const { call, path, root } = temporaryWorkspace({ file: contents[0] ?? "" });
  const seen = new Set<string>();
  let isWriting = true;
  const writes = (async () => {
    for (let round = 0; round < 4; round++) await call("write", { path: "file", content: contents[round % 2] ?? "" });
    isWriting = false;
  })();
  while (isWriting) seen.add(await readFile(path("file"), "utf8"));
  await writes;
  expect([...seen].filter((content) => !contents.includes(content))).toEqual([]);
  expect(readdirSync(root)).toEqual(["file"]);
});

test("what the system says about a path is told as a sentence", async () => {
  const { textOf, path } = temporaryWorkspace({ "file.txt": "x" });
  execFileSync("mkfifo", [path("pipe")]);
  const edits = [{ oldText: "x", newText: "y" }];
  const told = (name: string, args: Record<string, unknown>) =>
    textOf(name, args).catch((error: Error) => error.message);
  expect([
    await told("write", { path: "file.txt/x", content: "" }),
    await told("write", { path: "pipe", content: "" }),
    await told("edit", { path: "pipe", edits }),
    await told("read", { path: "file.txt/x" }),
    await told("edit", { path: "none.txt", edits }),
    await told("read", { path: "n".repeat(300) }),
  ]).toEqual([
    "file.txt/x cannot be made: a part of its path is a file and no folder.",
    `${path("pipe")} is a device, socket or pipe, so it is left alone.`,
    `${path("pipe")} is a device, socket or pipe, so it is left alone.`,
    "There is no file file.txt/x: a part of its path is a file and no folder.",
    "There is no file none.txt.",
    `There is no file ${"n".repeat(60)}…: the name is too long.`,
  ]);
});

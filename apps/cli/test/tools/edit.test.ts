import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "../temporary-workspace.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

async function editBytes(before: Uint8Array, oldText: string, newText: string): Promise<Buffer> {
  const { call, path } = temporaryWorkspace({ file: before });
  await call("edit", { path: "file", edits: [{ oldText, newText }] });
  return readFileSync(path("file"));
}

test.each([
  ["a Latin-1 file", latin1("const x = 1;\n// caf\xe9\n"), latin1("const x = 2;\n// caf\xe9\n")],
  ["a GBK file", latin1("// \xb1\xb1\xbe\xa9\nx = 1\n"), latin1("// \xb1\xb1\xbe\xa9\nx = 2\n")],
  ["a Shift-JIS file", latin1("// \x93\xfa\x96\x7b\nx = 1\n"), latin1("// \x93\xfa\x96\x7b\nx = 2\n")],
  ["UTF-16LE with a mark", utf16le("\ufeffé x = 1\r\n"), utf16le("\ufeffé x = 2\r\n")],
  ["UTF-16BE with a mark", utf16le("\ufeffé x = 1\r\n").swap16(), utf16le("\ufeffé x = 2\r\n").swap16()],
  ["UTF-8 with a mark", Buffer.from("\ufeffx = 1\n"), Buffer.from("\ufeffx = 2\n")],
  ["a file with a zero byte", latin1("\x00\xff x = 1"), latin1("\x00\xff x = 2")],
])("an edit of %s changes only the bytes that it names", async (_name, before, after) => {
  expect(await editBytes(before, "x = 1", "x = 2")).toEqual(after);
});

function utf16le(text: string): Buffer {
  return Buffer.from(text, "utf16le");
}

test("bytes before and after an edit stay, whatever they are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), async (before, after) => {
      const marker = "«marker»".replaceAll(/[«»]/g, "@@@");
      const file = Buffer.concat([before, Buffer.from(marker), after]);
      fc.pre(file.indexOf(marker) === file.lastIndexOf(marker) && !(before[0] === 0xff || before[0] === 0xfe));
      const { call, path } = temporaryWorkspace({ file });
      await call("edit", { path: "file", edits: [{ oldText: marker, newText: "new" }] });
      expect(readFileSync(path("file"))).toEqual(Buffer.concat([before, Buffer.from("new"), after]));
    }),
    { numRuns: 60 },
  );
});

test("text that is not ASCII is not put into a file that is not UTF-8", async () => {
  const { call, path } = temporaryWorkspace({ file: latin1("caf\xe9 x") });
  await expect(call("edit", { path: "file", edits: [{ oldText: "x", newText: "é" }] })).rejects.toThrow(
    "file is not valid UTF-8, so only ASCII text in it can be replaced with ASCII text.",
  );
  expect(readFileSync(path("file"))).toEqual(latin1("caf\xe9 x"));
});

test.each([
  ["only the named line of mixed endings", "a\r\nb\nc\r", "b", "B", "a\r\nB\nc\r"],
  ["a line feed text in a CRLF file", "a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n", "x\r\ny\r\nz\r\nc\r\n"],
  ["new lines with the ending of their place", "a\r\nb\r\nc\nd\n", "c", "c1\nc2", "a\r\nb\r\nc1\nc2\nd\n"],
  ["CRLF text in a file of line feeds", "a\nb\n", "a\r\nb", "a\r\nx", "a\nx\n"],
  ["text at the end without a line ending", "a\r\nb", "b", "b\nc", "a\r\nb\r\nc"],
])("an edit writes %s", async (_name, before, oldText, newText, after) => {
  expect((await editBytes(Buffer.from(before), oldText, newText)).toString()).toBe(after);
});

test("replaceAll replaces every place, across line endings too", async () => {
  const { call, path } = temporaryWorkspace({ file: "a\r\nb\r\nX\r\na\r\nb\r\n" });
  await call("edit", { path: "file", edits: [{ oldText: "a\nb", newText: "c\nd", replaceAll: true }] });
  expect(readFileSync(path("file"), "utf8")).toBe("c\r\nd\r\nX\r\nc\r\nd\r\n");
});

test.each([
  ["curly quotes", "say “hi” now\n", 'say "hi" now', "say bye now", "say bye now\n"],
  ["a no-break space", "a\u00a0b “c”\n", "a b", "a-b", "a-b “c”\n"],
  ["blanks at line ends", "one  \ntwo\t\nthree  \n", "one\ntwo", "1\n2", "1\n2\t\nthree  \n"],
  ["full-width digits", "値 ＝ １２\n他 １\n", "= 12", "= 13", "値 = 13\n他 １\n"],
  ["decomposed letters", "cafe\u0301 — x\n", "caf\u00e9 - x", "tea", "tea\n"],
])("a unique loose match over %s changes only its own span", async (_name, before, oldText, newText, after) => {
  expect((await editBytes(Buffer.from(before), oldText, newText)).toString()).toBe(after);
});

test("an exact match wins over a loose one", async () => {
  expect((await editBytes(Buffer.from('“a”\n"a"\n'), '"a"', "b")).toString()).toBe("“a”\nb\n");
});

test("two loose matches are an error with their lines", async () => {
  const { call } = temporaryWorkspace({ file: "“a”\nx\n‟a”\n" });
  await expect(call("edit", { path: "file", edits: [{ oldText: '"a"', newText: "b" }] })).rejects.toThrow(
    "The edit matches 2 places in file (lines 1, 3).",
  );
});

test("all edits are matched against the file as it was", async () => {
  const { call, path } = temporaryWorkspace({ file: "a b" });
  const edits = [
    { oldText: "a", newText: "ab" },
    { oldText: "b", newText: "c" },
  ];
  await call("edit", { path: "file", edits });
  expect(readFileSync(path("file"), "utf8")).toBe("ab c");
});

test.each([
  [
    "overlap",
    "abcd",
    [
      ["abc", "x"],
      ["cd", "y"],
    ],
    "Edits 1 and 2 overlap at line 1 of file. Make them one.",
  ],
  ["an edit that changes nothing", "a", [["a", "a"]], "The edit changes nothing: oldText and newText are the same."],
  ["empty text", "a", [["", "a"]], "The edit has an empty oldText. To fill a new file use write."],
  [
    "one good and one bad edit",
    "a b",
    [
      ["a", "x"],
      ["z", "y"],
    ],
    "Edit 2 was not applied: oldText is not in file.",
  ],
  ["two places", "a\nb\na\n", [["a", "x"]], "The edit matches 2 places in file (lines 1, 3)."],
  ["a near miss", "one\ntwo\n", [["one\nthree", "x"]], "Its first line stands at line 1, but what follows differs."],
])("%s is an error and the file stays as it was", async (_name, content, pairs, message) => {
  const { call, path } = temporaryWorkspace({ file: content });
  const edits = pairs.map(([oldText, newText]) => ({ oldText, newText }));
  await expect(call("edit", { path: "file", edits })).rejects.toThrow(message);
  expect(readFileSync(path("file"), "utf8")).toBe(content);
});

test("a link stays a link, and the mode stays", async () => {
  const { call, path } = temporaryWorkspace({ "real/script.sh": "echo 1\n" });
  chmodSync(path("real/script.sh"), 0o755);
  symlinkSync("real/script.sh", path("link.sh"));
  await call("edit", { path: "link.sh", edits: [{ oldText: "1", newText: "2" }] });
  expect(lstatSync(path("link.sh")).isSymbolicLink()).toBe(true);
  expect(readFileSync(path("real/script.sh"), "utf8")).toBe("echo 2\n");
  expect(statSync(path("real/script.sh")).mode & 0o777).toBe(0o755);
});

test("another hard link sees the edit", async () => {
  const { call, path } = temporaryWorkspace({ one: "1" });
  linkSync(path("one"), path("two"));
  await call("edit", { path: "one", edits: [{ oldText: "1", newText: "2" }] });
  expect(readFileSync(path("two"), "utf8")).toBe("2");
});

test("a read-only file and a folder are refused in words", async () => {
  const { call, path } = temporaryWorkspace({ file: "a" });
  chmodSync(path("file"), 0o444);
  mkdirSync(path("folder"));
  await expect(call("edit", { path: "file", edits: [{ oldText: "a", newText: "b" }] })).rejects.toThrow("is read-only");
  await expect(call("write", { path: "folder", content: "x" })).rejects.toThrow("folder is a folder");
});

test("a file that changed since it was read is not edited", async () => {
  const { call, path } = temporaryWorkspace({ file: "a b" });
  await call("read", { path: "file" });
  writeFileSync(path("file"), "a b c");
  await expect(call("edit", { path: "file", edits: [{ oldText: "a", newText: "x" }] })).rejects.toThrow(
    "has changed since you last read it",
  );
  await call("read", { path: "file" });
  await call("edit", { path: "file", edits: [{ oldText: "a", newText: "x" }] });
  await call("edit", { path: "file", edits: [{ oldText: "b", newText: "y" }] });
  expect(readFileSync(path("file"), "utf8")).toBe("x y c");
});

test("the details hold a diff", async () => {
  const { call } = temporaryWorkspace({ file: "a\nb\nc\n" });
  const { details } = await call("edit", { path: "file", edits: [{ oldText: "b", newText: "B" }] });
  expect(details).toEqual({
    path: "file",
    diff: "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c",
    linesAdded: 1,
    linesRemoved: 1,
  });
});

test("a loose match is found wherever it stands in a long file, and so is a line that is near", async () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}`);
  const content = lines.join("\n");
  // Long files are compared in parts of 200,000 characters and the rest of a line.
  const border = content.slice(0, 200_000).split("\n").length - 1;
  const { textOf, call, path } = temporaryWorkspace({ file: content });
  const edits = [border - 1, border, border + 1].map((line) => ({
    oldText: `line ${line} \nline ${line + 1}\t\n`,
    newText: `${line}, joined\n`,
  }));
  for (const edit of edits) await call("edit", { path: "file", edits: [edit] }).catch(() => undefined);
  const changed = [...lines];
  changed.splice(border - 1, 2, `${border - 1}, joined`);
  changed.splice(border, 2, `${border + 1}, joined`);
  expect(readFileSync(path("file"), "utf8")).toBe(changed.join("\n"));
  await expect(
    textOf("edit", { path: "file", edits: [{ oldText: "line 29000\nnothing", newText: "" }] }),
  ).rejects.toThrow("Its first line stands at line 28999, but what follows differs.");
});

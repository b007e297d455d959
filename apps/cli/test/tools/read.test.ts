import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jpegOf, storedWith } from "../images/pictures.ts";
import { temporaryWorkspace } from "../temporary-workspace.ts";

test("lines are shown from an offset, with the call that shows the rest", async () => {
  const { textOf } = temporaryWorkspace({ file: "1\n2\n3\n4\n" });
  expect(await textOf("read", { path: "file" })).toBe("1\n2\n3\n4");
  expect(await textOf("read", { path: "file", offset: 2, limit: 2 })).toBe(
    "2\n3\n\n[Lines 2 to 3 of 4. Go on with offset=4.]",
  );
});

test("a byte-order mark and carriage returns are not shown", async () => {
  const { textOf } = temporaryWorkspace({ file: "\ufeffa\r\nb\r\n" });
  expect(await textOf("read", { path: "file" })).toBe("a\nb");
});

test("many lines and one endless line are bounded, and the result says so", async () => {
  const { textOf } = temporaryWorkspace({ many: "x\n".repeat(5000), long: "y".repeat(5_000_000) });
  const many = await textOf("read", { path: "many" });
  expect(many).toBe(`${"x\n".repeat(2000)}\n[Lines 1 to 2000 of 5000. Go on with offset=2001.]`);
  expect(await textOf("read", { path: "long" })).toBe(`${"y".repeat(2000)}… [line of 5000000 characters, 2000 shown]`);
});

test("bytes that are no UTF-8 are shown as such, with a word about it", async () => {
  const { textOf } = temporaryWorkspace({ file: Buffer.from("caf\xe9", "latin1") });
  expect(await textOf("read", { path: "file" })).toBe(
    "caf\ufffd\n\n[The file is not valid UTF-8; \ufffd stands for bytes that could not be read. Only ASCII in it can be edited.]",
  );
});

test("an image is given as an image, told by its bytes and not by its name, upright and in words", async () => {
  const photograph = jpegOf(storedWith(6), 6);
  const plain = jpegOf(storedWith(1), 1);
  const { call } = temporaryWorkspace({
    "picture.txt": plain,
    "photo.png": photograph,
    "cut.jpg": plain.subarray(0, 30),
  });
  const read = async (path: string) => (await call("read", { path })).content;
  expect(await read("picture.txt")).toEqual([
    { type: "text", text: expect.stringMatching(/^picture\.txt: image\/jpeg, 48×32 pixels, [\d.]+ K?B$/) },
    { type: "image", data: plain.toString("base64"), mimeType: "image/jpeg" },
  ]);
  expect(await read("photo.png")).toEqual([
    { type: "text", text: expect.stringMatching(/^photo\.png: .*; shown turned upright, 48×32 pixels, image\/jpeg$/) },
    { type: "image", data: expect.any(String), mimeType: "image/jpeg" },
  ]);
  expect(await read("cut.jpg")).toEqual([
    { type: "text", text: "cut.jpg is an image (30 B) that is not shown: it is damaged: its size cannot be read." },
  ]);
});

test("a binary file is not shown", async () => {
  const { textOf } = temporaryWorkspace({ file: Buffer.from([1, 0, 2]) });
  expect(await textOf("read", { path: "file" })).toBe("file is a binary file (3 B), so it is not shown.");
});

test("what is no file is refused without waiting for it", async () => {
  const { call, path } = temporaryWorkspace({ short: "a\n" });
  execFileSync("mkfifo", [path("pipe")]);
  mkdirSync(path("folder"));
  writeFileSync(path("huge"), "");
  truncateSync(path("huge"), 2_000_000_000);
  const messages: [string, object, string][] = [
    ["pipe", {}, "pipe is a device, socket or pipe, so it is not read."],
    ["/dev/zero", {}, "/dev/zero is a device, socket or pipe, so it is not read."],
    ["folder", {}, "folder is a folder. Use ls to see what is in it."],
    ["huge", {}, "huge is 2.0 GB large. Read a part of it with a command such as sed or tail."],
    ["missing", {}, "There is no file missing."],
    ["short", { offset: 1_000_000_000 }, "short has 1 line, so there is nothing at line 1000000000."],
  ];
  for (const [name, args, message] of messages)
    await expect(call("read", { path: name, ...args })).rejects.toThrow(message);
});

test.each([
  ["composed for a decomposed name", "cafe\u0301.txt", "caf\u00e9.txt"],
  ["decomposed for a composed name", "caf\u00e9.txt", "cafe\u0301.txt"],
  ["a plain space for the narrow one of a screenshot", "Shot 9.41.00\u202fAM.txt", "Shot 9.41.00 AM.txt"],
  ["an @ before the name", "notes.txt", "@notes.txt"],
  ["quotes around the name", "a b.txt", '"a b.txt"'],
])("a file is found by %s", async (_name, onDisk, asked) => {
  const { textOf } = temporaryWorkspace({ [onDisk]: "found" });
  expect(await textOf("read", { path: asked })).toBe("found");
});

test("the exact name comes first", async () => {
  const { textOf } = temporaryWorkspace({ "@notes.txt": "exact", "notes.txt": "other", "A 1\u202fAM": "narrow" });
  expect(await textOf("read", { path: "@notes.txt" })).toBe("exact");
  expect(await textOf("read", { path: "A 1\u202fAM" })).toBe("narrow");
});

test("a path under the home folder", async () => {
  const { textOf, home } = temporaryWorkspace();
  writeFileSync(`${home}/note`, "at home");
  expect(await textOf("read", { path: "~/note" })).toBe("at home");
});

test.each(["http://127.0.0.1:1/x", "https://example.com/", "file:///etc/hostname", "data:text/plain,x"])(
  "the address %s is no file, and nothing is fetched",
  async (path) => {
    const { call } = temporaryWorkspace();
    await expect(call("read", { path })).rejects.toThrow(path);
  },
);

test.each(["-rf", "--help", "-"])("a file named %s is read like any other", async (path) => {
  const { textOf } = temporaryWorkspace({ [path]: "content\n" });
  expect(await textOf("read", { path })).toBe("content");
});

test.skipIf(process.platform !== "linux")("a file of the system that says it is empty is read", async () => {
  const { textOf } = temporaryWorkspace();
  expect(await textOf("read", { path: "/proc/version" })).toBe(readFileSync("/proc/version", "utf8").trimEnd());
});

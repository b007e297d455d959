import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../src/exit-codes.ts";
import type { SessionHeader } from "../../src/session/entries.ts";
import { readSessionFile, SessionFile } from "../../src/session/session-file.ts";
import { temporaryFolder } from "../temporary-workspace.ts";
import { ENTRIES, HEADER, LINES } from "./session-text.ts";

const OTHER: SessionHeader = { ...HEADER, id: "other" };

function fileWith(text: string | Buffer): string {
  const path = join(temporaryFolder(), "s.jsonl");
  writeFileSync(path, text);
  return path;
}

test("nothing is written before the first entry, and then for the owner alone", () => {
  const path = join(temporaryFolder(), "deep", "s.jsonl");
  const session = SessionFile.begin(path, HEADER);
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  session.append(...ENTRIES);
  session.close();
  expect(readFileSync(path, "utf8")).toBe(LINES.join(""));
  expect([statSync(path).mode & 0o777, statSync(join(path, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
});

test("a file that was cut at any byte goes on: the good lines, then the new one, and the file as it was in a copy", () => {
  const bytes = Buffer.from(LINES.join(""));
  const step = 7;
  for (let length = 17; length < bytes.length; length += step) {
    const cut = bytes.subarray(0, length);
    const path = fileWith(cut);
    const before = readSessionFile(path);
    const session = SessionFile.open(path, OTHER);
    const entry = session.tree.place({ type: "name", name: "after" }, 9);
    session.append(entry);
    session.close();
    const header = before.header ?? OTHER;
    expect(readSessionFile(path)).toEqual({ header, entries: [...before.entries, entry], problems: [] });
    const copies = readdirSync(join(path, "..")).filter((name) => name.includes("damaged"));
    expect(copies.map((name) => readFileSync(join(path, "..", name)))).toEqual(before.problems.length > 0 ? [cut] : []);
    expect(session.notices.length).toBe(before.problems.length);
  }
});

test("the damage is told with its line, and where the file as it was is kept", () => {
  const path = fileWith([LINES[0], LINES[1], "{\n", LINES[2]].join(""));
  const session = SessionFile.open(path, OTHER);
  session.close();
  expect(session.notices).toEqual([
    `The session had damage and goes on without line 3 (it is cut off or no JSON). The file as it was is kept as ${path}.damaged-1.`,
  ]);
  const again = SessionFile.open(path, OTHER);
  again.close();
  expect(again.notices).toEqual([]);
});

test("a file whose header is lost gets one with the next entry", () => {
  const path = fileWith(LINES.slice(1, 3).join(""));
  const session = SessionFile.open(path, OTHER);
  session.append(session.tree.place({ type: "branch" }, 9));
  session.close();
  const { header, entries, problems } = readSessionFile(path);
  expect([header, entries.length, problems]).toEqual([OTHER, 3, []]);
});

test("an empty file is begun", () => {
  const path = fileWith("");
  const session = SessionFile.open(path, HEADER);
  session.append(...ENTRIES);
  session.close();
  expect(readFileSync(path, "utf8")).toBe(LINES.join(""));
});

test("a file that is no session, and one of a newer version, are left alone", () => {
  const foreign = fileWith('{"name":"package"}\n');
  expect(() => SessionFile.open(foreign, HEADER)).toThrow(`${foreign} is no session of rondo, so it is left alone.`);
  expect(readFileSync(foreign, "utf8")).toBe('{"name":"package"}\n');
  const newer = fileWith(`${JSON.stringify({ ...HEADER, version: 2 })}\n`);
  expect(() => SessionFile.open(newer, HEADER)).toThrow("was written by a newer rondo (format 2). Update rondo.");
});

test("a session has one writer; who closes it lets the next one in", () => {
  const path = fileWith(LINES.join(""));
  const first = SessionFile.open(path, HEADER);
  expect(() => SessionFile.open(path, HEADER)).toThrow("is open in another rondo");
  first.close();
  SessionFile.open(path, HEADER).close();
});

test.skipIf(process.platform === "win32")(
  "a file that is removed meanwhile is written again, whole, and has one writer",
  () => {
    const path = join(temporaryFolder(), "sessions", "s.jsonl");
    const session = SessionFile.begin(path, HEADER);
    session.append(...ENTRIES);
    rmSync(dirname(path), { recursive: true });
    const entry = session.tree.place({ type: "name", name: "after" }, 9);
    session.append(entry);
    expect(() => SessionFile.open(path, OTHER)).toThrow("is open in another rondo");
    session.close();
    expect(readSessionFile(path)).toEqual({ header: HEADER, entries: [...ENTRIES, entry], problems: [] });
  },
);

test("a session in a folder that takes no lock is refused by its own name, and reads all the same", () => {
  const path = fileWith(LINES.join(""));
  mkdirSync(`${path}.lock`);
  expect(() => SessionFile.open(path, OTHER)).toThrow(
    new UsageError(
      `The session ${path} cannot be gone on with: nothing can be written to its folder, ${dirname(path)} (EISDIR). Give yourself the right to write there, or name a copy of the file elsewhere with --session.`,
    ),
  );
  expect(readSessionFile(path).entries).toEqual(ENTRIES);
});

test("of two that begin one file the second is refused before it does anything", () => {
  const path = join(temporaryFolder(), "folder/new.jsonl");
  const first = SessionFile.open(path, HEADER);
  expect(() => SessionFile.open(path, HEADER)).toThrow(UsageError);
  first.close();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test("what somebody added without a line feed stays on a line of its own", () => {
  const path = fileWith(LINES.join(""));
  appendFileSync(path, '{"type":"name","id":"x","parentId":"e5","timestamp":6,"name":"by hand"}');
  const session = SessionFile.open(path, HEADER);
  const entry = session.tree.place({ type: "branch" }, 9);
  session.append(entry);
  session.close();
  const { entries, problems } = readSessionFile(path);
  expect([entries.slice(-2).map(({ type, parentId }) => [type, parentId]), problems]).toEqual([
    [
      ["name", "e5"],
      ["branch", "x"],
    ],
    [],
  ]);
});

test("what is no regular file is no session, and nothing is written beside it", () => {
  const folder = temporaryFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [pipe, folder]) {
    expect(() => SessionFile.open(path, OTHER)).toThrow(`The session ${path} is no regular file.`);
    expect(() => readSessionFile(path)).toThrow(`${path} is no regular file, so it is no session.`);
  }
  expect(readdirSync(folder)).toEqual(["pipe"]);
});

test("a file of a newer version is left alone, whatever its header looks like", () => {
  const path = join(temporaryFolder(), "new.jsonl");
  const text = '{"type":"session","version":2,"name":"new"}\n{"type":"thought","id":7}\n';
  writeFileSync(path, text);
  expect(() => SessionFile.open(path, OTHER)).toThrow("was written by a newer rondo (format 2). Update rondo.");
  expect(readFileSync(path, "utf8")).toBe(text);
});

import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { NondeterminismError } from "@rondo/durable";
import { expect, onTestFinished, test, vi } from "vitest";
import { Journal } from "../../src/journal/journal.ts";
import { appendLine, LineWriter, readLines } from "../../src/journal/json-lines.ts";
import { RunFolder } from "../../src/journal/run-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const newPath = () => join(temporaryFolder(), "journal.jsonl");
const open = (path: string, version = "1") => Journal.open("run", path, version);

const USED = { turns: 0, toolCalls: 0, tokens: 0, usage: { cost: {} }, unpriced: false };
const CARRY = { messages: [], turns: 1, books: USED, taken: [], waiting: [] };

async function recordSteps(path: string, names: string[]): Promise<void> {
  const journal = await open(path);
  for (const name of names) await journal.step(name, async () => `value of ${name}`);
  await journal.close();
}

test("wherever the last write was torn, the whole records before it stand and the next is written after them", async () => {
  const whole = newPath();
  await recordSteps(whole, ["a", "b"]);
  const bytes = readFileSync(whole);
  const lastLine = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
  for (let length = lastLine; length < bytes.length; length++) {
    const path = newPath();
    writeFileSync(path, bytes);
    truncateSync(path, length);
    const journal = await open(path);
    expect(await journal.step("a", async () => "anew")).toBe("value of a");
    expect(await journal.step("b", async () => "anew")).toBe("anew");
    await journal.close();
    const { lines } = await readLines(path);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { open: 1, version: "1" },
      { step: "a", value: "value of a" },
      { open: 2, version: "1" },
      { step: "b", value: "anew" },
    ]);
  }
});

test("a file that cannot be read is told, and is not one that is not there", async () => {
  const file = newPath();
  expect(await readLines(file)).toEqual({ lines: [], end: 0 });
  writeFileSync(file, "");
  await expect(readLines(join(file, "inside"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("damage before the end is told, not skipped", async () => {
  const path = newPath();
  await recordSteps(path, ["a"]);
  appendFileSync(path, '{"step":\n{"step":"b","value":1}\n');
  await expect(open(path)).rejects.toThrow("Line 3 of its journal is damaged.");
});

test("a step that is asked for twice is an error, since a replay could not tell the two apart", async () => {
  const journal = await open(newPath());
  await journal.step("a", async () => 1);
  await expect(journal.step("a", async () => 2)).rejects.toBeInstanceOf(NondeterminismError);
  await journal.close();
});

test("another version reads which version began the run and writes nothing", async () => {
  const path = newPath();
  await recordSteps(path, ["a"]);
  const before = readFileSync(path, "utf8");
  const journal = await open(path, "2");
  expect(journal.version).toBe("1");
  await journal.close();
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("the inbox is read on from where the last look ended, also after a segment and a restart, and no look is made twice", async () => {
  const path = newPath();
  const asked: number[] = [];
  const read = async (cursor: number) => {
    asked.push(cursor);
    const mail = { kind: "steer" as const, content: "text", requestId: String(cursor), sentAt: 1 };
    return { messages: [mail], cursor: cursor + 10 };
  };
  const first = await open(path);
  await first.mail("mail:1", read);
  await first.mail("mail:2", read);
  await first.beginSegment(CARRY);
  expect([first.segment, first.carry]).toEqual([2, CARRY]);
  await first.mail("mail:1", read);
  await first.close();
  const second = await open(path);
  expect([second.segment, second.carry]).toEqual([2, CARRY]);
  expect((await second.mail("mail:1", read)).map(({ requestId }) => requestId)).toEqual(["20"]);
  await second.mail("mail:2", read);
  await second.close();
  expect(asked).toEqual([0, 10, 20, 30]);
});

test("attempts without a new record are counted, a record ends the count, and one that is let go of is not among them", async () => {
  const path = newPath();
  const counts: number[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const journal = await open(path);
    counts.push(journal.fruitless);
    await journal.close();
  }
  await recordSteps(path, ["a"]);
  const journal = await open(path);
  expect([...counts, journal.fruitless, journal.attempt]).toEqual([1, 2, 3, 1, 5]);
  await journal.letGo();
  await journal.close();
  const after = await open(path);
  expect([after.fruitless, after.attempt]).toEqual([1, 6]);
  await after.close();
});

test("what is appended at the same time is written in order and is on the disk when the append resolves", async () => {
  const path = newPath();
  const writer = await LineWriter.open(path, true);
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  await Promise.all(
    numbers.map(async (number) => {
      await writer.append(number);
      expect(readFileSync(path, "utf8").split("\n")).toContain(String(number));
    }),
  );
  await writer.close();
  expect((await readLines(path)).lines.map(Number)).toEqual(numbers);
});

test("a writer that is closed has written what was appended before", async () => {
  const path = newPath();
  const writer = await LineWriter.open(path, true);
  const appended = [writer.append(1), writer.append(2)];
  await writer.close();
  await Promise.all(appended);
  expect((await readLines(path)).lines).toEqual(["1", "2"]);
});

test("what must outlive the machine is forced to the disk before it counts, and nothing else is", async () => {
  const probe = await openFile(newPath(), "w");
  const datasync = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, "datasync");
  const sync = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, "sync");
  onTestFinished(() => void vi.restoreAllMocks());
  await probe.close();
  const forced = async (work: () => Promise<unknown>) => {
    const before = [datasync.mock.calls.length, sync.mock.calls.length] as const;
    await work();
    return [datasync.mock.calls.length - before[0], sync.mock.calls.length - before[1]];
  };
  const journal = await open(newPath());
  expect(await forced(() => journal.step("a", async () => 1))).toEqual([1, 0]);
  await journal.close();
  const events = await LineWriter.open(newPath(), false);
  expect(await forced(() => events.append(1))).toEqual([0, 0]);
  await events.close();
  expect(await forced(() => appendLine(newPath(), 1))).toEqual([1, 0]);
  const folder = new RunFolder(temporaryFolder(), "run");
  const folders = process.platform === "win32" ? 0 : 1;
  expect(await forced(() => folder.submit({ agent: "a", input: null }))).toEqual([0, 1 + 2 * folders]);
  expect(await forced(() => folder.end({ failure: "none" }))).toEqual([0, 1 + folders]);
});

test.skipIf(process.platform !== "linux")("a disk that is full suspends the run and does not end it", async () => {
  await expect(open("/dev/full")).rejects.toMatchObject({ name: "SuspendedError", cause: { code: "ENOSPC" } });
});

test.skipIf(process.platform !== "linux")("after a write that failed no further one is made", async () => {
  const writer = await LineWriter.open("/dev/full", false); // Linux alone has a device that is always full.
  await expect(writer.append(1)).rejects.toThrow("ENOSPC");
  await expect(writer.append(2)).rejects.toThrow("ENOSPC");
  await writer.close();
});

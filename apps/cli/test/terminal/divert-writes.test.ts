import { expect, test } from "vitest";
import { divertWrites } from "../../src/terminal/divert-writes.ts";

test("lines go to the hearer, bytes and half characters too, and what was begun comes out at the end", async () => {
  const written: unknown[] = [];
  const heard: string[] = [];
  const stream = { write: (...all: unknown[]) => written.push(...all) };
  const write = stream.write;
  const giveBack = divertWrites([stream], (lines) => heard.push(lines));
  const bytes = Buffer.from("日本\nrest");
  expect(stream.write("one\ntwo\nhalf ")).toBe(true);
  stream.write(bytes.subarray(0, 2), "utf8");
  await new Promise<void>((resolve) => stream.write(bytes.subarray(2), resolve));
  expect([heard, written]).toEqual([["one\ntwo\n", "half 日本\n"], []]);
  giveBack();
  giveBack();
  expect([stream.write === write, written]).toEqual([true, ["rest"]]);
});

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { DurableEvent, PublishedEvent } from "@rondo/durable";
import { expect, test } from "vitest";
import { followEvents } from "../../src/journal/event-log.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const told = (key: string, attempt = 1): PublishedEvent => ({ key, turn: 1, attempt, event: { type: "turn_end" } });
const write = (path: string, ...events: PublishedEvent[]) => appendFileSync(path, `${JSON.stringify(events)}\n`);
const unknown = (position: string) => new Error(`no ${position}`);

async function positions(events: AsyncIterable<DurableEvent>): Promise<string[]> {
  const all: string[] = [];
  for await (const { position } of events) all.push(position);
  return all;
}

test("what is written while the run ends is read", async () => {
  const path = join(temporaryFolder(), "events.jsonl");
  write(path, told("a"), told("b"));
  const hasEnded = async () => {
    write(path, told("c"));
    return true;
  };
  expect(await positions(followEvents(path, hasEnded, unknown, {}))).toEqual(["1.0", "1.1", "2.0"]);
});

test("what was told before a position is not told again after it by a later attempt", async () => {
  const path = join(temporaryFolder(), "events.jsonl");
  write(path, told("a"), told("b"));
  write(path, told("a", 2), told("b", 2), told("c", 2));
  const after = (position: string) => positions(followEvents(path, async () => true, unknown, { after: position }));
  expect(await after("1.0")).toEqual(["1.1", "2.2"]);
  expect(await after("1.1")).toEqual(["2.2"]);
  expect(await after("2.2")).toEqual([]);
  await expect(after("2.3")).rejects.toThrow("no 2.3");
  await expect(after("1")).rejects.toThrow("no 1");
});

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putIntoInbox, readInbox } from "../../src/journal/inbox.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const newPath = () => join(temporaryFolder(), "inbox.jsonl");
const mail = (requestId: string) => ({ kind: "steer" as const, content: "text", requestId, sentAt: 1 });

test("what a dying sender left torn does not swallow the next message", async () => {
  const path = newPath();
  await putIntoInbox(path, mail("1"));
  appendFileSync(path, '\n{"kind":"steer","cont');
  await putIntoInbox(path, mail("2"));
  expect((await readInbox(path, 0)).messages).toEqual([mail("1"), mail("2")]);
});

test("a reader goes on at its cursor, and sees the first request to abort", async () => {
  const path = newPath();
  expect(await readInbox(path, 0)).toEqual({ messages: [], cursor: 0 });
  await putIntoInbox(path, mail("1"));
  const { cursor } = await readInbox(path, 0);
  await putIntoInbox(path, { kind: "abort", reason: "enough" });
  await putIntoInbox(path, mail("2"));
  await putIntoInbox(path, { kind: "abort", reason: "more than enough" });
  const rest = await readInbox(path, cursor);
  expect(rest).toMatchObject({ messages: [mail("2")], abortReason: "enough" });
  expect(await readInbox(path, rest.cursor)).toEqual({ messages: [], cursor: rest.cursor });
});

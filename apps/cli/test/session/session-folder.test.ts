import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastSessionFile, listSessions, sessionById } from "../../src/session/session-folder.ts";
import { temporaryFolder } from "../temporary-workspace.ts";
import { ENTRIES, HEADER } from "./session-text.ts";

/** A folder with sessions of these ids, each changed a second after the one before it. */
function folderWith(sessions: Record<string, object[]>): string {
  const folder = temporaryFolder();
  Object.entries(sessions).forEach(([id, entries], index) => {
    const path = join(folder, `${id}.jsonl`);
    writeFileSync(path, [{ ...HEADER, id }, ...entries].map((value) => `${JSON.stringify(value)}\n`).join(""));
    utimesSync(path, 1000 + index, 1000 + index);
  });
  return folder;
}

/** A message of the model that could not be asked for, and one that failed on its way. */
const failure = (code: string) => {
  const [answer] = ENTRIES.slice(-1).map((entry) => (entry.type === "message" ? entry.message : undefined));
  return {
    ...ENTRIES.at(-1),
    message: { ...answer, content: [], stopReason: "error", error: { kind: "auth", retryable: false, code } },
  };
};
const said = ENTRIES.slice(0, 2);

test("a session in which no model was asked for want of a key is neither listed nor the last one", () => {
  const folder = folderWith({
    "1-answered": ENTRIES,
    "2-refused": [...said, failure("invalid_key")],
    "3-killed": said,
    "4-no-key": [...said, failure("missing_key")],
    "5-key-later": [...said, { ...failure("missing_key"), id: "e4" }, { ...ENTRIES.at(-1), parentId: "e4" }],
    "6-no-key": [...said, failure("missing_key")],
  });
  expect(listSessions(folder).map(({ id }) => id)).toEqual(["5-key-later", "3-killed", "2-refused", "1-answered"]);
  expect(lastSessionFile(folder)).toBe(join(folder, "5-key-later.jsonl"));
});

test("a title is one line: the name that was given last, else how it began", () => {
  const name = { type: "name", id: "n1", parentId: "e5", timestamp: 6, name: "a\n\tname " };
  const unnamed = { ...name, id: "n2", parentId: "n1", name: "" };
  const folder = folderWith({ named: [...ENTRIES, name], plain: ENTRIES, unnamed: [...ENTRIES, name, unnamed] });
  expect(Object.fromEntries(listSessions(folder).map(({ id, title }) => [id, title]))).toEqual({
    named: "a name",
    plain: "Grüße, 🎼",
    unnamed: "Grüße, 🎼",
  });
});

test("a copy has the title of what was said in it after it was made", () => {
  const path = join(temporaryFolder(), "copy.jsonl");
  const header = { ...HEADER, id: "copy", parent: { session: "s", entry: "e5" } };
  const later = {
    ...ENTRIES[1],
    id: "e6",
    parentId: "e5",
    message: { role: "user", content: "otherwise", timestamp: 6 },
  };
  const titleAfter = (...entries: object[]) => {
    writeFileSync(path, [header, ...ENTRIES, ...entries].map((value) => `${JSON.stringify(value)}\n`).join(""));
    return listSessions(join(path, ".."))[0]?.title;
  };
  expect([titleAfter(), titleAfter(later)]).toEqual(["Grüße, 🎼", "otherwise"]);
});

test("a session is found by the end of its id without a look into the others", () => {
  const folder = folderWith({ "20260101-000000-aaaaaa": ENTRIES, "20260102-000000-bbbbbb": ENTRIES });
  writeFileSync(join(folder, "20260103-aaaaaa.jsonl"), "no session\n");
  expect(sessionById(folder, "bbbbbb")?.id).toBe("20260102-000000-bbbbbb");
  expect(sessionById(folder, "20260101-000000-aaaaaa")?.id).toBe("20260101-000000-aaaaaa");
  // Several, and none.
  expect([sessionById(folder, "aaaaaa"), sessionById(folder, "bbb")]).toEqual([undefined, undefined]);
});

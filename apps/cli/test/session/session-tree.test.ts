import type { CompactionRecord } from "@rondo/agent";
import { expect, test } from "vitest";
import type { EntryContent, SessionEntry } from "../../src/session/entries.ts";
import { type ModelChoice, SessionTree } from "../../src/session/session-tree.ts";

/** Adds an entry after another one, or after the last, and gives its id. */
function adder(tree: SessionTree) {
  let number = 0;
  return (content: EntryContent, parentId: string | null = tree.leafId): string => {
    const id = `e${number++}`;
    tree.add({ ...content, id, parentId, timestamp: number } as SessionEntry);
    return id;
  };
}

const says = (text: string): EntryContent => ({
  type: "message",
  message: { role: "user", content: text, timestamp: 0 },
});
const notes = (summary: string, firstKeptId: string | null, messagesReplaced: number): EntryContent => {
  const record: CompactionRecord = {
    ...{ summary, messagesReplaced, messagesSeen: messagesReplaced, tokensBefore: 1, timestamp: 0 },
    usage: { cost: {} },
  };
  return { type: "compaction", record, firstKeptId };
};

/** What the path comes to: the messages, and the notes with how many messages they stand for. */
function stateOf(tree: SessionTree) {
  const { messages, compaction } = tree.state();
  const said = messages.map(({ content }) => content);
  return { said, notes: compaction && [compaction.summary, compaction.messagesReplaced] };
}

test("of several compactions on the way the latest holds, and those of other branches do not", () => {
  const tree = new SessionTree();
  const add = adder(tree);
  const one = add(says("one"));
  const two = add(says("two"));
  add(notes("first notes", two, 1));
  const three = add(says("three"));
  add(notes("second notes", three, 2));
  expect(stateOf(tree)).toEqual({ said: ["one", "two", "three"], notes: ["second notes", 2] });
  // Back to before the second.
  add({ type: "branch" }, two);
  expect(stateOf(tree)).toEqual({ said: ["one", "two"], notes: undefined });
  const other = add(says("other"), one);
  add(notes("notes of the branch", other, 1));
  expect(stateOf(tree)).toEqual({ said: ["one", "other"], notes: ["notes of the branch", 1] });
  add({ type: "branch" }, three);
  expect(stateOf(tree)).toEqual({ said: ["one", "two", "three"], notes: ["first notes", 1] });
});

test("notes stand for what is before the entry that they name, however many lines were lost before it", () => {
  const tree = new SessionTree();
  const add = adder(tree);
  const two = add(says("two"));
  add(notes("notes of two messages, one of which is lost", two, 1));
  expect(stateOf(tree).notes?.[1]).toBe(0);
  // The entry itself is lost, or the notes stand for everything.
  add(notes("x", "lost", 9));
  expect(stateOf(tree).notes?.[1]).toBe(1);
  add(says("three"));
  add(notes("y", null, 2));
  expect(stateOf(tree).notes?.[1]).toBe(2);
});

test("the choice of model and level is the latest of each on the way, as the state of the path has it", () => {
  const tree = new SessionTree();
  const add = adder(tree);
  expect(tree.choice()).toEqual({ model: undefined, thinking: undefined });
  add({ type: "model", provider: "p", model: "first" });
  const low = add({ type: "thinking", level: "low" });
  add(says("one"));
  add({ type: "model", provider: "p", model: "second" });
  add({ type: "thinking", level: "high" });
  const choiceOf = ({ model, thinking }: ModelChoice) => [model?.model, thinking];
  expect([choiceOf(tree.choice()), choiceOf(tree.state())]).toEqual([
    ["second", "high"],
    ["second", "high"],
  ]);
  add({ type: "branch" }, low);
  expect([choiceOf(tree.choice()), choiceOf(tree.state())]).toEqual([
    ["first", "low"],
    ["first", "low"],
  ]);
});

import type { AgentMessage, CompactionRecord } from "@rondo/agent";
import type { AssistantMessage, Usage } from "@rondo/ai";
import { expect, test } from "vitest";
import type { EntryContent, SessionEntry } from "../../src/session/entries.ts";
import { SessionTree } from "../../src/session/session-tree.ts";

const used = (input: number, output: number, total?: number): Usage => ({
  ...{ input, output, totalTokens: input + output },
  cost: total === undefined ? {} : { total },
});

function answer(usage: Usage, stopReason: AssistantMessage["stopReason"] = "stop"): EntryContent {
  const from = { api: "a", provider: "p", model: "m" };
  return { type: "message", message: { role: "assistant", content: [], ...from, usage, stopReason, timestamp: 0 } };
}

const result = (more: { usage?: Usage; details?: unknown }): EntryContent => {
  const message: AgentMessage = {
    ...{ role: "toolResult", toolCallId: "c", toolName: "scout", content: [], isError: false, timestamp: 0 },
    ...more,
  };
  return { type: "message", message };
};

function notes(usage: Usage, from: { provider?: string; model?: string }): EntryContent {
  const record: CompactionRecord = {
    ...{ summary: "n", messagesReplaced: 1, messagesSeen: 1, tokensBefore: 1, timestamp: 0, usage },
    ...from,
  };
  return { type: "compaction", record, firstKeptId: null };
}

function totalsOf(contents: EntryContent[]) {
  const tree = new SessionTree();
  for (const content of contents) tree.add(tree.place(content, 0));
  return tree.usage;
}

const sums = (calls: number, input: number, output: number, cost: number, isCostPartial = false) => ({
  ...{ calls, input, output, cacheRead: 0, cacheWrite: 0, cost, isCostPartial },
});

test("answers, notes, tools and calls that left no message count, each once and by name", () => {
  const inside = { messages: [{ role: "assistant", usage: used(1000, 1000, 100) }] };
  const {
    all,
    byName,
    notes: forNotes,
  } = totalsOf([
    { type: "message", message: { role: "user", content: "hi", timestamp: 0 } },
    answer(used(100, 10, 1)),
    result({ usage: used(30, 3, 0.25), details: inside }),
    result({}),
    { type: "usage", provider: "p", model: "m", usage: used(7, 1, 0.125), purpose: "answer" },
    { type: "usage", provider: "q", model: "n", usage: used(50, 0, 0.5), purpose: "notes" },
    notes(used(40, 4, 0.5), { provider: "q", model: "n" }),
    notes(used(2, 1, 0.25), {}),
  ]);
  expect([...byName]).toEqual([
    ["p/m", sums(2, 107, 11, 1.125)],
    ["tool scout", sums(1, 30, 3, 0.25)],
    ["q/n", sums(2, 90, 4, 1)],
    ["unknown model", sums(1, 2, 1, 0.25)],
  ]);
  expect(forNotes).toEqual(sums(3, 92, 5, 1.25));
  expect(all).toEqual(sums(6, 229, 19, 2.625));
});

test("all branches count, and what lies on them twice does not", () => {
  const tree = new SessionTree();
  tree.add(tree.place(answer(used(1, 1, 1)), 0));
  const fork = tree.leafId;
  tree.add(tree.place(answer(used(1, 1, 2)), 0));
  tree.add(tree.place({ type: "branch" }, 0, fork));
  tree.add(tree.place(answer(used(1, 1, 4)), 0));
  expect(tree.usage.all.cost).toBe(7);
});

test("a price that is not known makes the sum the least that it came to; a call that failed before it was counted does not", () => {
  expect(totalsOf([answer(used(1, 1, 1)), answer({ cost: {} }, "error")]).all).toEqual(sums(2, 1, 1, 1));
  expect(totalsOf([answer({ ...used(0, 0), cost: {} })]).all).toEqual(sums(1, 0, 0, 0));
  for (const unknown of [
    answer(used(1, 1)),
    answer({ cost: {} }),
    answer(used(1, 1), "error"),
    result({ usage: used(1, 1) }),
  ])
    expect(totalsOf([answer(used(1, 1, 1)), unknown]).all).toMatchObject({ cost: 1, isCostPartial: true });
  const halfKnown = answer({ input: 5, output: 5, totalTokens: 10, cost: { input: 0.5 } });
  expect(totalsOf([halfKnown]).all).toEqual(sums(1, 5, 5, 0.5, true));
});

test("counts of a damaged file that are no numbers count for nothing", () => {
  const usage = { input: "many", output: null, cost: { total: "dear" } } as unknown as Usage;
  const bare = { type: "compaction", record: { summary: "n" }, firstKeptId: null } as unknown as EntryContent;
  expect(totalsOf([answer(usage), bare]).all).toMatchObject({ calls: 2, input: 0, output: 0, cost: 0 });
});

test("the path goes on through an entry of usage", () => {
  const tree = new SessionTree();
  const says = (content: string): EntryContent => ({
    type: "message",
    message: { role: "user", content, timestamp: 0 },
  });
  const usage: EntryContent = { type: "usage", provider: "p", model: "m", usage: used(1, 1, 1), purpose: "notes" };
  const entries: SessionEntry[] = [];
  for (const content of [says("one"), usage, says("two")]) {
    entries.push(tree.place(content, 0));
    tree.add(entries.at(-1) as SessionEntry);
  }
  expect(tree.path()).toEqual(entries);
  expect(tree.state().messages.map(({ content }) => content)).toEqual(["one", "two"]);
});

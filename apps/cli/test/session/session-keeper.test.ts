import { join } from "node:path";
import { Agent, type StreamFn } from "@rondo/agent";
import { AssistantMessageEventStream, type Context, type Model } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { readSessionFile } from "../../src/session/session-file.ts";
import { SessionKeeper } from "../../src/session/session-keeper.ts";
import { SessionShelf } from "../../src/session/session-shelf.ts";
import type { CompactionSettings } from "../../src/settings/settings-schema.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

const MODEL: Model = {
  id: "m",
  name: "m",
  api: "test",
  provider: "p",
  baseUrl: "",
  reasoning: true,
  input: ["text"],
  cost: {},
  contextWindow: 1000,
};

/** A model that answers with what it last read, in so many words, and writes short notes when asked for notes. A call is a dollar. */
function echo(seen: string[][], notes: string): StreamFn {
  return (model, context) => {
    const stream = new AssistantMessageEventStream();
    const texts = textsOf(context);
    const wantsNotes = texts.at(-1)?.includes("handover notes") ?? false;
    if (!wantsNotes) seen.push(texts);
    const text = wantsNotes ? notes : `echo ${texts.at(-1)}`;
    stream.end({
      role: "assistant",
      content: [{ type: "text", text }],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: { cost: { total: 1 } },
      stopReason: "stop",
      timestamp: 1,
    });
    return stream;
  };
}

function textsOf({ messages }: Context): string[] {
  return messages.map(({ content }) =>
    typeof content === "string" ? content : content.map((block) => ("text" in block ? block.text : "")).join(""),
  );
}

function keeperIn(
  folder: string,
  store?: (shelf: SessionShelf) => ReturnType<SessionShelf["begin"]>,
  notes = "NOTES",
  compaction: CompactionSettings = {},
) {
  const seen: string[][] = [];
  const shelf = new SessionShelf(folder, "/w", true);
  const streamFn = echo(seen, notes);
  const agent = new Agent({ initialState: { model: MODEL }, streamFn });
  const keeper = new SessionKeeper(agent, {
    shelf,
    store: store ? store(shelf) : shelf.begin(),
    streamFn,
    compaction,
    findModel: (provider, id) => (provider === "p" ? { ...MODEL, id } : undefined),
  });
  return { agent, keeper, seen };
}

/** A new session on a disk that may be full. */
function storeOn(disk: { isFull: boolean }) {
  return (shelf: SessionShelf) => {
    const store = shelf.begin();
    const append = store.append.bind(store);
    store.append = (...entries) => {
      if (disk.isFull) throw new Error("the disk is full");
      append(...entries);
    };
    return store;
  };
}

const types = (path: string) => readSessionFile(path).entries.map(({ type }) => type);

test("an entry is in the file before the next listener hears of it", async () => {
  const { agent, keeper } = keeperIn(temporaryFolder());
  const inFile: number[] = [];
  agent.subscribe((event) => {
    if (event.type === "message_end") inFile.push(types(keeper.path ?? "").filter((type) => type === "message").length);
  });
  await agent.prompt("one");
  keeper.close();
  expect(inFile).toEqual([1, 2]);
  expect(types(keeper.path ?? "")).toEqual(["model", "thinking", "message", "message"]);
});

test("a change of the model or the level is written with what is said next", async () => {
  const { agent, keeper } = keeperIn(temporaryFolder());
  await agent.prompt("one");
  agent.state.model = { ...MODEL, id: "other" };
  agent.state.thinkingLevel = "high";
  await agent.prompt("two");
  keeper.close();
  const { entries } = readSessionFile(keeper.path ?? "");
  expect(entries.map(({ id, parentId, timestamp, ...rest }) => (rest.type === "message" ? "message" : rest))).toEqual([
    { type: "model", provider: "p", model: "m" },
    { type: "thinking", level: "off" },
    "message",
    "message",
    { type: "model", provider: "p", model: "other" },
    { type: "thinking", level: "high" },
    "message",
    "message",
  ]);
});

test("going back begins a branch; the place, the name and the labels outlive the process", async () => {
  const folder = temporaryFolder();
  const first = keeperIn(folder);
  await first.agent.prompt("one");
  await first.agent.prompt("two");
  const two = first.keeper.tree.entries.find(
    (entry) => entry.type === "message" && textsOf({ messages: [entry.message] })[0] === "two",
  );
  expect(await first.keeper.goBack(two?.id ?? "")).toBe("two");
  first.keeper.label(two?.id ?? "", "the other way");
  first.keeper.rename("a name");
  first.keeper.close();

  const { agent, keeper, seen } = keeperIn(folder, (shelf) => shelf.openLast());
  expect([keeper.name, keeper.tree.label(two?.id ?? "")]).toEqual(["a name", "the other way"]);
  await agent.prompt("three");
  expect(seen).toEqual([["one", "echo one", "three"]]);
  await keeper.branch(two?.id ?? "");
  await agent.prompt("four");
  expect(seen.at(-1)).toEqual(["one", "echo one", "two", "four"]);
  keeper.close();
});

test("a compaction holds on its own branch, across processes, and the history stays whole", async () => {
  const folder = temporaryFolder();
  const { agent, keeper } = keeperIn(folder);
  const long = "word ".repeat(300);
  await agent.prompt(`first ${long}`);
  const fork = keeper.tree.leafId;
  await agent.prompt(`second ${long}`);
  await agent.prompt("third");
  expect(await keeper.compact()).toMatch(
    /^Notes stand for the first \d messages now; there were about \d+ tokens before\.$/,
  );
  const kept = agent.state.messages.length;
  keeper.close();

  const again = keeperIn(folder, (shelf) => shelf.openLast());
  expect(again.agent.state.messages.length).toBe(kept);
  await again.agent.prompt("fourth");
  expect([again.seen.at(-1)?.[0]?.includes("NOTES"), again.seen.at(-1)?.at(-1)]).toEqual([true, "fourth"]);
  expect(again.seen.at(-1)?.join(" ")).not.toContain(`first ${long}`);
  await again.keeper.branch(fork);
  again.agent.state.model = { ...MODEL, contextWindow: 100_000 };
  await again.agent.prompt("on the branch");
  expect(again.seen.at(-1)).toEqual([`first ${long}`, `echo first ${long}`, "on the branch"]);
  again.keeper.close();
});

test("a window that fills is compacted before the model call, and that is an entry", async () => {
  const { agent, keeper, seen } = keeperIn(temporaryFolder());
  const sizes: number[] = [];
  keeper.onNotice = () => sizes.push(keeper.contextTokens());
  for (const name of ["one", "two", "three", "four"]) await agent.prompt(`${name} ${"word ".repeat(200)}`);
  // It is short again when the person hears of it.
  expect(sizes.length).toBeGreaterThan(0);
  expect(Math.max(...sizes)).toBeLessThan(500);
  expect(seen.at(-1)?.[0]).toContain("NOTES");
  expect(types(keeper.path ?? "")).toContain("compaction");
  expect([keeper.tree.usage.notes.cost, keeper.tree.usage.all.cost]).toEqual([sizes.length, 4 + sizes.length]);
  keeper.close();
});

test("where notes are to be asked for, a full window makes none, and those that were asked for hold", async () => {
  const { agent, keeper, seen } = keeperIn(temporaryFolder(), undefined, "NOTES", { enabled: false });
  for (const name of ["one", "two", "three", "four"]) await agent.prompt(`${name} ${"word ".repeat(200)}`);
  expect(types(keeper.path ?? "")).not.toContain("compaction");
  expect(seen.at(-1)).toHaveLength(7);
  await keeper.compact();
  await agent.prompt("five");
  expect([seen.at(-1)?.[0]?.includes("NOTES"), seen.at(-1)?.at(-1)]).toEqual([true, "five"]);
  keeper.close();
});

test("notes that are being written are given up when the conversation goes elsewhere, and are written nowhere", async () => {
  const leave: Record<string, (keeper: SessionKeeper, first: string) => Promise<void>> = {
    startNew: (keeper) => keeper.startNew(),
    open: (keeper, first) => keeper.open(first),
    fork: (keeper) => keeper.fork(),
    branch: (keeper) => keeper.branch(keeper.tree.path()[3]?.id ?? null),
  };
  for (const [way, go] of Object.entries(leave)) {
    const script = scriptedModel(["One.", "Two.", "Three.", { hang: true }, "Elsewhere."]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
    const shelf = new SessionShelf(temporaryFolder(), "/w", true);
    const keeper = new SessionKeeper(agent, {
      ...{ shelf, store: shelf.begin(), streamFn: script.streamFn, findModel: () => undefined },
      compaction: { keepRecentTokens: 1 },
    });
    await agent.prompt("in the first");
    const first = keeper.id;
    await keeper.startNew();
    for (const text of ["one", "two"]) await agent.prompt(`${text} ${"word ".repeat(100)}`);
    const notes = keeper.compact();
    await expect(keeper.compact()).rejects.toThrow("Notes are being written already.");
    await Promise.all([
      go(keeper, first),
      expect(notes, way).rejects.toThrow("The notes were given up; the conversation is read as before."),
    ]);
    await agent.prompt("and here");
    const asked = script.requests.at(-1);
    expect(asked && textsOf(asked.context).at(-1), way).toBe("and here");
    keeper.close();
    for (const { path } of shelf.list()) expect(types(path), way).not.toContain("compaction");
    script.finish();
  }
});

test("a compaction with nothing to do, and one that fails, leave the conversation as it was", async () => {
  const folder = temporaryFolder();
  const { agent, keeper, seen } = keeperIn(folder, undefined, "");
  expect(await keeper.compact()).toBe("There is nothing yet that is worth putting into notes.");
  await agent.prompt("one");
  await agent.prompt("two");
  await expect(keeper.compact()).rejects.toThrow("The notes could not be made: The model wrote no summary.");
  await agent.prompt("three");
  expect(seen.at(-1)).toEqual(["one", "echo one", "two", "echo two", "three"]);
  expect(types(keeper.path ?? "").slice(-4)).toEqual(["message", "usage", "message", "message"]);
  keeper.close();
  // What they cost is kept all the same.
  const again = keeperIn(folder, (shelf) => shelf.openLast());
  const { all, notes } = again.keeper.tree.usage;
  expect([all.calls, all.cost, notes.calls, notes.cost]).toEqual([4, 4, 1, 1]);
  expect(again.agent.state.messages).toEqual(agent.state.messages);
  await again.keeper.startNew();
  expect(again.keeper.tree.usage.all.calls).toBe(0);
  again.keeper.close();
});

test("an answer that was asked for again is kept as what it cost", async () => {
  const empty = { content: [], usage: { input: 3, totalTokens: 3, cost: { total: 2 } } };
  const script = scriptedModel([empty, { error: { retryable: true } }, "Done."], { usage: { cost: { total: 1 } } });
  const agent = new Agent({
    streamFn: script.streamFn,
    initialState: { model: script.model },
    retry: { attemptsMax: 3, baseDelayMs: 0 },
  });
  const shelf = new SessionShelf(temporaryFolder(), "/w", false);
  const keeper = new SessionKeeper(agent, {
    ...{ shelf, store: shelf.begin(), streamFn: script.streamFn, findModel: () => undefined },
  });
  await agent.prompt("one");
  expect(keeper.tree.entries.map(({ type }) => type)).toEqual(["model", "thinking", "message", "usage", "message"]);
  expect([...keeper.tree.usage.byName]).toEqual([
    ["scripted/scripted", expect.objectContaining({ calls: 2, cost: 3, isCostPartial: false })],
  ]);
  script.finish();
});

test("a new session begins a new file, and the old one can be taken up again with its model", async () => {
  const folder = temporaryFolder();
  const { agent, keeper, seen } = keeperIn(folder);
  await agent.prompt("one");
  const old = keeper.id;
  await keeper.startNew();
  agent.state.model = { ...MODEL, id: "other" };
  await agent.prompt("else");
  expect(keeper.list().map(({ id, title }) => [id, title])).toEqual([[old, "one"]]);
  await keeper.open(old);
  keeper.restoreModel();
  await agent.prompt("two");
  expect([seen.at(-1), agent.state.model.id]).toEqual([["one", "echo one", "two"], "m"]);
  await keeper.fork();
  expect([keeper.id === old, keeper.tree.entries.length]).toEqual([false, 6]);
  keeper.close();
});

test("what could not be written on a full disk is written when there is room again, so the file has what the model read", async () => {
  const folder = temporaryFolder();
  const disk = { isFull: false };
  const { agent, keeper } = keeperIn(folder, storeOn(disk));
  const stop = agent.subscribe((event) => {
    if (event.type === "message_start" && event.message.role === "assistant") disk.isFull = true;
  });
  await agent.prompt("one");
  stop();
  expect([agent.state.errorMessage, types(keeper.path ?? "").filter((type) => type === "message")]).toEqual([
    "the disk is full",
    ["message"],
  ]);
  await agent.prompt("two").catch(() => {});
  disk.isFull = false;
  await agent.prompt("three");
  keeper.close();
  const again = keeperIn(folder, (shelf) => shelf.openLast());
  expect(again.agent.state.messages).toEqual(agent.state.messages);
  again.keeper.close();
});

test("notes that could not be written on a full disk stand for nothing", async () => {
  const disk = { isFull: false };
  const { agent, keeper, seen } = keeperIn(temporaryFolder(), storeOn(disk), "NOTES", { enabled: false });
  for (const name of ["one", "two", "three", "four"]) await agent.prompt(`${name} ${"word ".repeat(200)}`);
  disk.isFull = true;
  await expect(keeper.compact()).rejects.toThrow("the disk is full");
  disk.isFull = false;
  await agent.prompt("five");
  expect(seen.at(-1)?.map((text) => text.split(" ").slice(0, 2).join(" "))).toEqual([
    ...["one word", "echo one", "two word", "echo two", "three word", "echo three", "four word", "echo four", "five"],
  ]);
  keeper.close();
});

test("a session that cannot be written ends the run with the reason", async () => {
  const folder = join(temporaryFolder(), "file");
  const { agent, keeper } = keeperIn(join(folder, "\0"));
  await agent.prompt("one").catch(() => {});
  expect(agent.state.errorMessage).toContain("null bytes");
  keeper.close();
});

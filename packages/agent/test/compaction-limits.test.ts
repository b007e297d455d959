// The limits of compaction to the token, what ends with a conversation, and what a failure or an abort leaves.
import { getEventListeners } from "node:events";
import { type AgentMessage, BudgetLedger, Compaction, type CompactionOptions } from "@rondo/agent";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { answer, say, user } from "./support.ts";

function setUp(steps: ScriptedStep[], options: Partial<CompactionOptions> = {}) {
  const script = scriptedModel(steps, { usage: { totalTokens: 7, cost: {} } });
  const failures: string[] = [];
  const compaction = new Compaction({
    model: { ...script.model, contextWindow: 100_000 },
    streamFn: script.streamFn,
    onFailure: (message) => failures.push(message),
    contextWindow: 1_000,
    reserveTokens: 200,
    keepRecentTokens: 10,
    now: () => 0,
    ...options,
  });
  return { script, compaction, failures };
}

/** A message of as many tokens by the estimate, its overhead of four included. */
const sized = (tokens: number, letter = "x") => user(letter.repeat((tokens - 4) * 4));
const FAILS: ScriptedStep = { error: {}, errorMessage: "No." };

test("notes must be shorter than what they stand for, if by one token", async () => {
  const messages = [sized(104), answer("y".repeat(100)), user("third")];
  const { compaction, failures } = setUp(["n".repeat(416), "n".repeat(412)]);
  expect(await compaction.compact(messages)).toBeUndefined();
  expect(failures).toEqual(["The summary is no shorter than what it stands for."]);
  expect((await compaction.compact(messages))?.messagesReplaced).toBe(1);
});

test("it begins when less than the reserve is left", async () => {
  const { compaction, script } = setUp(["Notes."]);
  const full = [sized(400), answer("y".repeat(4 * 396 - 8)), user("")];
  expect(compaction.tokens(full)).toBe(802);
  const fits = [sized(400), answer("y".repeat(4 * 396 - 16)), user("")];
  expect(compaction.tokens(fits)).toBe(800);
  expect(await compaction.transformContext(fits)).toBe(fits);
  expect((await compaction.transformContext([...fits.slice(0, 2), user("more")])).length).toBe(3);
  script.finish();
});

test("by default the reserve is at most a half and what stays at most a quarter of the window", async () => {
  const options = { reserveTokens: undefined, keepRecentTokens: undefined } as unknown as CompactionOptions;
  const { compaction, script } = setUp(["Notes."], options);
  const messages = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? sized(100) : answer("y".repeat(384))));
  expect(await compaction.transformContext(messages.slice(0, 4))).toHaveLength(4);
  await compaction.transformContext(messages);
  expect(compaction.record?.messagesReplaced).toBe(3);
  expect(script.requests[0]?.options.maxTokens).toBe(250);
});

test("the answer is no longer than the model allows, and the model is given the signal", async () => {
  const { model } = scriptedModel([]);
  const { compaction, script } = setUp(["Notes."], { model: { ...model, maxTokens: 50 } });
  const { signal } = new AbortController();
  await compaction.compact([sized(104), answer("yes, that is so, by all means"), user("third")], signal);
  expect(script.requests[0]?.options).toMatchObject({ maxTokens: 50, signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort is no failure that counts, a success ends the count, and another conversation begins its own", async () => {
  const full = [sized(600), answer("y".repeat(1_600)), user("third")];
  const aborted = setUp(["Notes."]);
  for (let count = 0; count < 3; count++) await aborted.compaction.compact(full, AbortSignal.abort());
  expect(await aborted.compaction.transformContext(full)).toHaveLength(3);
  aborted.script.finish();

  const mended = setUp([FAILS, "Notes.", FAILS, "More notes."]);
  await mended.compaction.transformContext(full);
  await mended.compaction.transformContext(full);
  const longer = [...full, answer("y".repeat(3_200)), user("fifth")];
  await mended.compaction.transformContext(longer);
  await mended.compaction.transformContext(longer);
  mended.script.finish();

  const other = setUp([FAILS, FAILS, "Notes."]);
  for (let count = 0; count < 3; count++) await other.compaction.transformContext(full);
  await other.compaction.transformContext([sized(600, "z"), answer("y".repeat(1_600)), user("third")]);
  other.script.finish();
});

test("a record of a conversation that was cut shorter than it is forgotten", async () => {
  const whole = [sized(600), answer("y".repeat(1_600)), user("third")];
  const { compaction } = setUp(["Notes."]);
  const record = await compaction.compact(whole);
  if (!record) throw new Error("Nothing was compacted.");
  const again = setUp([], { record: { ...record, messagesReplaced: 3 } }).compaction;
  const short: AgentMessage[] = [user("a"), answer("b")];
  expect(await again.transformContext(short)).toBe(short);
  expect(again.record).toBeUndefined();
});

test("the last request is kept where its answer is, bounded, and is no part of the notes where it is kept itself", async () => {
  const kept = setUp(["Notes."]).compaction;
  const request = user("r".repeat(20_000));
  const view = await kept.transformContext([user("first"), answer("one"), request, answer("y".repeat(200))]);
  expect(kept.record?.openRequest).toBe("r".repeat(10_000));
  expect(view.map(say)[0]).toContain("The last request, word for word:");
  const itself = setUp(["Notes."]).compaction;
  await itself.transformContext([sized(900), answer("one"), user("r".repeat(400))]);
  expect(itself.record).toMatchObject({ messagesReplaced: 2 });
  expect(itself.record && "openRequest" in itself.record && itself.record.openRequest).toBeFalsy();
});

test("an answer that was cut off by an abort is no summary", async () => {
  const message = { ...answer("Half of the no"), stopReason: "aborted" as const };
  const streamFn = () => ({ result: async () => message }) as never;
  const { compaction, failures } = setUp([], { streamFn });
  expect(await compaction.compact([sized(104), answer("yes"), user("third")])).toBeUndefined();
  expect(failures).toEqual(["The summary could not be made."]);
});

test("the notes are the same message at every look, with the time at which they were written", async () => {
  let now = 5;
  const { compaction } = setUp(["Notes."], { now: () => now });
  const messages = [sized(600), answer("y".repeat(1_600)), user("third")];
  const first = await compaction.transformContext(messages);
  now = 9;
  expect([await compaction.transformContext(messages), first[0]?.timestamp]).toEqual([first, 5]);
});

test("what was reported before the compaction says nothing about the size after it", async () => {
  const { compaction, script } = setUp(["Notes."]);
  const large = { totalTokens: 900, cost: {} };
  const messages = [sized(600), answer("one"), user("second"), answer("y".repeat(200), large), user("third")];
  await compaction.transformContext(messages);
  expect(compaction.record?.messagesReplaced).toBe(3);
  expect(compaction.tokens(messages)).toBeLessThan(200);
  const longer = [...messages, answer("four", { totalTokens: 321, cost: {} })];
  expect(compaction.tokens(longer)).toBe(321);
  script.finish();
});

test("nor does the report of the very last answer, when somebody asks for the compaction then", async () => {
  const { compaction } = setUp(["Notes."]);
  const last = answer("y".repeat(200), { totalTokens: 900, cost: {} });
  const messages = [sized(600), answer("one"), user("second"), last];
  expect((await compaction.compact(messages))?.messagesReplaced).toBe(3);
  expect(compaction.tokens(messages)).toBeLessThan(200);
});

test("compacting another conversation takes nothing of the first into its notes", async () => {
  const { compaction, script } = setUp(["Notes.", "Other notes."]);
  await compaction.compact([sized(600), answer("one"), user("second"), answer("two"), user("third")]);
  const other = [sized(600, "z"), answer("y".repeat(100)), user("third")];
  expect(await compaction.compact(other)).toMatchObject({ summary: "Other notes.", messagesReplaced: 1 });
  expect(JSON.stringify(script.requests[1]?.context.messages)).not.toContain("earlier-notes");
});

test("a compaction after an overflow counts in the run that asked for it", async () => {
  const { compaction } = setUp(["Notes."]);
  const ledger = new BudgetLedger();
  const messages = [sized(104), answer("y".repeat(100)), user("third")];
  expect(await compaction.onContextOverflow(messages, undefined, { ledger })).toBe(true);
  expect(ledger.books.tokens).toBe(7);
});

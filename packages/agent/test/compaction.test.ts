// Compaction: when it happens, what the model reads afterwards, and that no failure of it hurts the conversation.
import {
  Agent,
  type AgentMessage,
  BudgetLedger,
  Compaction,
  type CompactionOptions,
  type CompactionRecord,
  type StreamFn,
} from "@rondo/agent";
import { type AssistantMessage, createAssistantMessageEventStream, type ToolResultMessage } from "@rondo/ai";
import { type ScriptedModel, type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkHistory } from "./simulation/event-checker.ts";
import { answer, call, say, textResult, tool, user } from "./support.ts";

const WINDOW = { contextWindow: 1_000, reserveTokens: 200, keepRecentTokens: 100, now: () => 0 };

function setUp(steps: ScriptedStep[], options: Partial<CompactionOptions> = {}) {
  const script = scriptedModel(steps);
  const records: CompactionRecord[] = [];
  const failures: string[] = [];
  const compaction = new Compaction({
    model: { ...script.model, contextWindow: 100_000 },
    streamFn: script.streamFn,
    onCompaction: (record) => records.push(record),
    onFailure: (message) => failures.push(message),
    ...WINDOW,
    ...options,
  });
  return { script, compaction, records, failures };
}

/** The text in which a summary was asked for. */
function requestText(script: ScriptedModel, index = 0): string {
  const message = script.requests[index]?.context.messages[0];
  return message?.role === "user" && typeof message.content === "string" ? message.content : "";
}

function working(text: string, calls: string[]): AssistantMessage {
  return answer([{ type: "text", text }, ...calls.map((id) => call(id, "look", { path: "/src/main.ts" }))]);
}

function result(toolCallId: string, text: string): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "look",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
  };
}

const LONG = "x".repeat(1_600);
const CONVERSATION: AgentMessage[] = [
  user(`first ${LONG}`),
  answer(`one ${LONG}`),
  user("second"),
  answer(LONG),
  user("third"),
];
const NOTES = "The conversation so far was replaced by these notes:\n<notes>\nNotes.\n</notes>";

test("notes that could not be kept do not hold", async () => {
  const onCompaction = () => {
    throw new Error("The disk is full.");
  };
  const { compaction, failures } = setUp(["Notes."], { onCompaction });
  expect(await compaction.transformContext(CONVERSATION)).toEqual(CONVERSATION);
  expect([compaction.record, failures]).toEqual([undefined, ["The disk is full."]]);
});

test("a conversation that fits is left alone", async () => {
  const { compaction, script } = setUp([]);
  const short = [user("hi"), answer("hello")];
  expect(await compaction.transformContext(short)).toBe(short);
  script.finish();
});

test("the older part of one that does not fit is replaced by notes, for the model alone", async () => {
  const { compaction, script, records } = setUp(["Notes."]);
  const before = structuredClone(CONVERSATION);
  const view = await compaction.transformContext(CONVERSATION);
  expect(CONVERSATION).toEqual(before);
  expect(view.map(say)).toEqual([
    `user: ${NOTES}\n\nThe last request, word for word:\n<request>\nsecond\n</request>`,
    say(answer(LONG)),
    "user: third",
  ]);
  expect(records).toEqual([
    {
      summary: "Notes.",
      messagesReplaced: 3,
      messagesSeen: 5,
      openRequest: "second",
      tokensBefore: expect.any(Number),
      provider: "scripted",
      model: "scripted",
      usage: { cost: {} },
      timestamp: 0,
    },
  ]);
  expect(JSON.parse(JSON.stringify(records))).toEqual(records);
  script.finish();
});

test("the summary is asked for in a text of its own, with the same stream function and a limited answer", async () => {
  const { compaction, script } = setUp(["Notes."], {
    streamOptions: { apiKey: "key" },
    instructions: "Mind the tests.",
  });
  await compaction.transformContext(CONVERSATION);
  const { context, options } = script.requests[0] ?? {};
  expect(options).toMatchObject({ apiKey: "key", maxTokens: 100 });
  expect(context?.messages).toHaveLength(1);
  const text = requestText(script);
  expect(text).toMatch(/^<conversation>\n\[user\] first x+/);
  expect(text).toContain("Mind the tests.");
  expect(context?.systemPrompt).toContain("handover notes");
});

test("once compacted, the same history gives the same messages without another call", async () => {
  const { compaction, script } = setUp(["Notes."]);
  const view = await compaction.transformContext(CONVERSATION);
  expect(await compaction.transformContext([...CONVERSATION])).toEqual(view);
  script.finish();
});

test("the next compaction builds on the notes of the last", async () => {
  const { compaction, script, records } = setUp(["Notes.", "More notes."]);
  await compaction.transformContext(CONVERSATION);
  const longer = [...CONVERSATION, answer(LONG), user("fourth"), answer(LONG), user("fifth")];
  const view = await compaction.transformContext(longer);
  expect(say(view[0] as AgentMessage)).toContain("More notes.");
  const request = requestText(script, 1);
  expect(request).toContain("<earlier-notes>\nNotes.\n</earlier-notes>");
  expect(request).not.toContain("first");
  expect(records.map(({ messagesReplaced }) => messagesReplaced)).toEqual([3, 7]);
});

test("a conversation that is taken up again goes on from its record", async () => {
  const first = setUp(["Notes."]);
  const view = await first.compaction.transformContext(CONVERSATION);
  const again = setUp([], { record: JSON.parse(JSON.stringify(first.records[0])) });
  expect(await again.compaction.transformContext(structuredClone(CONVERSATION))).toEqual(view);
});

test("another conversation does not get this one's notes", async () => {
  const { compaction } = setUp(["Notes."]);
  await compaction.transformContext(CONVERSATION);
  const other = [user("hello"), answer("hi"), user("a"), answer("b"), user("c")];
  expect(await compaction.transformContext(other)).toEqual(other);
  expect(compaction.record).toBeUndefined();
});

const PAID = { input: 80, output: 20, totalTokens: 100, cost: { total: 0.5 } };

test.each<[string, ScriptedStep, string]>([
  ["fails", { error: { kind: "overloaded" }, errorMessage: "Too busy.", usage: PAID }, "Too busy."],
  ["is empty", "  ", "The model wrote no summary."],
  ["is longer than what it stands for", "y".repeat(10_000), "The summary is no shorter than what it stands for."],
])(
  "a summary that %s leaves the conversation as it was, and its answer is handed over",
  async (_how, step, message) => {
    const script = scriptedModel([step], { usage: PAID });
    const failures: unknown[][] = [];
    const onFailure = (text: string, paid?: AssistantMessage) =>
      failures.push([text, paid?.provider, paid?.model, paid?.usage]);
    const { compaction } = setUp([], { streamFn: script.streamFn, onFailure });
    expect(await compaction.transformContext(CONVERSATION)).toBe(CONVERSATION);
    expect(failures).toEqual([[message, "scripted", "scripted", PAID]]);
  },
);

test("a summary that was never asked for hands over no answer", async () => {
  const failures: unknown[][] = [];
  const { compaction } = setUp([], { onFailure: (...told) => failures.push(told) });
  const scope = { ledger: new BudgetLedger({ turnsMax: 0 }) };
  await compaction.compact(CONVERSATION, undefined, scope);
  await compaction.compact(CONVERSATION, AbortSignal.abort());
  expect(failures).toEqual([
    ["The run has used its budget of 0 turns.", undefined],
    ["The summary was aborted.", undefined],
  ]);
});

test.each<[string, StreamFn]>([
  ["is no message", () => Object.assign(createAssistantMessageEventStream(), { result: async () => ({}) as never })],
  ["is no stream", () => 42 as never],
])("a summary that %s leaves the conversation as it was, and is told in words", async (_what, streamFn) => {
  const { compaction, failures } = setUp([], { streamFn });
  const scope = { ledger: new BudgetLedger() };
  expect(await compaction.transformContext(CONVERSATION, undefined, scope)).toBe(CONVERSATION);
  expect(failures).toHaveLength(1);
  expect(failures[0]).not.toMatch(/undefined|not a function/);
});

test("after two failures it is left to those who ask for it", async () => {
  const failing: ScriptedStep = { error: {}, errorMessage: "No." };
  const { compaction, script } = setUp([failing, failing, "Notes."]);
  for (let attempt = 0; attempt < 5; attempt++) await compaction.transformContext(CONVERSATION);
  expect(script.requests).toHaveLength(2);
  expect((await compaction.compact(CONVERSATION))?.summary).toBe("Notes.");
});

test("two at once are one", async () => {
  const { compaction, script, records } = setUp(["Notes."]);
  const both = await Promise.all([compaction.compact(CONVERSATION), compaction.transformContext(CONVERSATION)]);
  expect(both[0]).toBe(records[0]);
  expect(both[1]).toHaveLength(3);
  script.finish();
});

test("nothing to compact is nothing to do", async () => {
  const { compaction, script } = setUp([]);
  expect(await compaction.compact([])).toBeUndefined();
  expect(await compaction.compact([user(LONG.repeat(9))])).toBeUndefined();
  expect(await compaction.onContextOverflow([user("hi")])).toBe(false);
  script.finish();
});

test("an abort ends a summary that hangs, and the next one is not held up by it", async () => {
  const { compaction, script } = setUp([{ hang: true }, "Notes."], {});
  const controller = new AbortController();
  const compacting = compaction.compact(CONVERSATION, controller.signal);
  controller.abort();
  expect(await compacting).toBeUndefined();
  expect((await compaction.compact(CONVERSATION))?.summary).toBe("Notes.");
  script.finish();
});

test("an abort ends a summary whose stream function hears of no abort", async () => {
  const { compaction } = setUp([], { streamFn: () => new Promise(() => {}) });
  const controller = new AbortController();
  const compacting = compaction.compact(CONVERSATION, controller.signal);
  controller.abort();
  expect(await compacting).toBeUndefined();
});

test("the request for a summary is bounded, whatever the conversation holds", async () => {
  const image = { type: "image" as const, data: "z".repeat(1_000_000), mimeType: "image/png" };
  const huge: AgentMessage[] = [
    user("first"),
    working("", ["a"]),
    result("a", "r".repeat(1_000_000)),
    { role: "user", content: [image, { type: "text", text: "look" }], timestamp: 0 },
    { ...answer(""), content: [call("b", "write", { text: "w".repeat(1_000_000) })] },
    result("b", "written"),
    ...Array.from({ length: 200 }, (_, index) => [user(`question ${index}`), answer("a".repeat(1_000))]).flat(),
    user("last"),
  ];
  const model = { ...scriptedModel([]).model, contextWindow: 20_000 };
  const { compaction, script } = setUp(["Notes."], { model, contextWindow: 20_000, reserveTokens: 4_000 });
  await compaction.transformContext(huge);
  const text = requestText(script, 0);
  expect(text.length).toBeLessThan(16_000 * 4);
  expect(text).toMatch(/\d+ older messages are left out here/);
  expect(text).not.toContain("zzzz");
  const { compaction: roomy, script: other } = setUp(["Notes."], {
    contextWindow: 200_000,
    reserveTokens: 100_000,
    keepRecentTokens: 100,
  });
  await roomy.compact(huge.slice(0, 8));
  const whole = requestText(other);
  expect(whole).toContain("[image]");
  expect(whole).toMatch(/998000 characters left out/);
  expect(whole).toMatch(/called write\(.*characters left out/s);
});

test("inside a long turn it happens before the next model call, and the history stays valid", async () => {
  const script = scriptedModel([
    ...Array.from({ length: 6 }, (_, index): ScriptedStep => [call(`${index}`, "big")]),
    "Done.",
  ]);
  const summaries = scriptedModel(["Notes.", "Notes.", "Notes.", "Notes.", "Notes."]);
  const compaction = new Compaction({ model: script.model, streamFn: summaries.streamFn, ...WINDOW });
  const big = tool("big", { execute: async () => textResult(LONG) });
  const { transformContext, onContextOverflow } = compaction;
  const agent = new Agent({
    streamFn: script.streamFn,
    transformContext,
    onContextOverflow,
    initialState: { model: script.model, tools: [big] },
  });
  await agent.prompt("Read six files.");
  script.finish();
  expect(summaries.requests.length).toBeGreaterThan(0);
  for (const { context } of script.requests) checkHistory(context.messages);
  const last = script.requests.at(-1)?.context.messages ?? [];
  expect(say(last[0] as AgentMessage)).toContain("<request>\nRead six files.\n</request>");
  expect(agent.state.messages).toHaveLength(1 + 6 * 2 + 1);
});

test("an overflow leads to one compaction and one more attempt", async () => {
  const overflow: ScriptedStep = { error: { kind: "context_overflow" }, errorMessage: "Too long." };
  const script = scriptedModel([overflow, "Hello."]);
  const summaries = scriptedModel(["Notes."]);
  const { transformContext, onContextOverflow } = new Compaction({
    model: script.model,
    streamFn: summaries.streamFn,
    ...WINDOW,
    contextWindow: 1_000_000,
    keepRecentTokens: 10,
  });
  const agent = new Agent({
    streamFn: script.streamFn,
    transformContext,
    onContextOverflow,
    initialState: { model: script.model, messages: CONVERSATION },
  });
  await agent.prompt("Now?");
  script.finish();
  summaries.finish();
  expect(script.requests[1]?.context.messages.length).toBeLessThan(script.requests[0]?.context.messages.length ?? 0);
  expect(say(agent.state.messages.at(-1) as AgentMessage)).toBe("assistant: Hello.");
});

test("answers whose reported usage is above the window are followed by a compaction each and repeated never", async () => {
  const usage = { totalTokens: 5_000, cost: {} };
  const script = scriptedModel(["One.", "Two.", "Three."], { usage });
  const summaries = scriptedModel(["Notes.", "Notes."]);
  const { transformContext, onContextOverflow } = new Compaction({
    model: script.model,
    streamFn: summaries.streamFn,
    ...WINDOW,
    keepRecentTokens: 10,
  });
  const agent = new Agent({
    streamFn: script.streamFn,
    transformContext,
    onContextOverflow,
    initialState: { model: script.model },
  });
  for (const question of ["1", "2", "3"]) await agent.prompt(`${question} ${LONG}`);
  script.finish();
  summaries.finish();
  expect(script.requests[2]?.context.messages.map(say).join()).not.toContain("One.");
});

test("whatever is compacted of a valid history, what the model reads is valid", async () => {
  const turn = fc.array(fc.nat(3), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 600 }),
      async (turns, keepRecentTokens) => {
        const messages = turns.flatMap((rounds, index): AgentMessage[] => [
          user(`turn ${index} ${LONG}`),
          ...rounds.flatMap((count, round): AgentMessage[] => {
            const ids = Array.from({ length: count }, (_, at) => `${index}.${round}.${at}`);
            return [working("so", ids), ...ids.map((id) => result(id, LONG))];
          }),
        ]);
        const { compaction } = setUp(["Notes."], { keepRecentTokens, contextWindow: 4_000 });
        await compaction.compact(messages);
        checkHistory(compaction.view(messages));
      },
    ),
    { numRuns: 100 },
  );
});

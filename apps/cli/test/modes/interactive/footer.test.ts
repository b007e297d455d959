// What the screen says of tokens and money, against what a server billed.
import { getModel, streamSimple } from "@rondo/ai";
import { replayScript, type ScriptedReply } from "@rondo/test-fixtures";
import { expect, test } from "vitest";
import { formatCost } from "../../../src/modes/interactive/format.ts";
import { serve } from "../../served-model.ts";
import { startRig } from "./interactive-rig.ts";

const WINDOW = 100_000;
const PRICES = { input: 1000, output: 5000, cacheRead: 100, cacheWrite: 1250 };

/** A model behind a server that gives these replies and notes what it bills for them, in US dollars. */
async function billedModel(replies: (ScriptedReply & { usage: { input: number; output: number } })[]) {
  const left = [...replies];
  let bill = 0;
  const server = await serve(
    replayScript(() => {
      const reply = left.shift() ?? says("unexpected", 0, 0);
      bill += (reply.usage.input * PRICES.input + reply.usage.output * PRICES.output) / 1e6;
      return reply;
    }),
  );
  const known = getModel("anthropic", "claude-sonnet-5-5");
  if (!known) throw new Error("The catalog has lost the model.");
  const model = { ...known, baseUrl: server.url, cost: PRICES, contextWindow: WINDOW };
  return { model, bill: () => bill };
}

const says = (text: string, input: number, output: number) => ({
  content: [{ type: "text" as const, text }],
  usage: { input, output },
});

test("footer and /cost come to what was billed, notes of no use included, and the context is short at once after /compact", async () => {
  const long = `Long. ${"word ".repeat(400)}`;
  const { model, bill } = await billedModel([
    says(`${long} One.`, 40_000, 100),
    says(`${long} Two.`, 90_000, 200),
    says(" ", 2000, 10),
    says("NOTES", 3000, 20),
    says("Three.", 500, 30),
  ]);
  const rig = startRig({
    agent: {
      streamFn: (...[model, context, options]) => streamSimple(model, context, { ...options, apiKey: "k" }),
      initialState: { model },
    },
    compaction: { reserveTokens: 100, keepRecentTokens: 100 },
    columns: 120,
  });
  const send = async (line: string, wanted: string) => {
    rig.terminal.type(`${line} `);
    rig.terminal.press("\r");
    await rig.shows(wanted);
  };
  await send("one", "One.");
  await send("two", "Two.");
  await rig.shows("context 90 % of 100k · ↑130k ↓300 · $131.50");
  await send("/compact", "The notes could not be made");
  await send("/compact", "Notes stand for the first");
  await rig.shows("context 1 % of 100k · ↑135k ↓330 · $136.65");
  await send("three", "Three.");
  await rig.shows("context 1 % of 100k · ↑136k ↓360 · $137.30");
  expect(formatCost({ cost: bill(), isCostPartial: false })).toBe("$137.30");
  await send("/cost", "of it for notes");
  const costs = (await rig.terminal.screen()).filter((line) => line.includes("calls, "));
  expect(costs).toEqual([
    "· anthropic/claude-sonnet-5-5: 5 calls, ↑136k ↓360, cache 0 read 0 written, $137.30",
    "  of it for notes (compaction): 2 calls, ↑5.0k ↓30, cache 0 read 0 written, $5.15",
  ]);
  await send("/new", "A new conversation.");
  await rig.shows("context 0 % of 100k · ↑0 ↓0 · $0.00");
});

test("a part without a price makes the cost a lower bound, and all of it hides nothing that is known", () => {
  const of = (cost: number, isCostPartial: boolean) => formatCost({ cost, isCostPartial });
  expect([of(0, false), of(0.001, false), of(0.126, false)]).toEqual(["$0.00", "<$0.01", "$0.13"]);
  expect([of(0, true), of(0.001, true), of(0.126, true)]).toEqual(["cost unknown", "cost unknown", "≥$0.12"]);
});

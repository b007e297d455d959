// What a run uses counts once, however often it is replayed and in however many segments it runs: what compaction used too.
import { Compaction } from "@rondo/agent";
import { Type, type Usage } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { type AgentFactory, type Carry, runSegment } from "@rondo/durable";
import { MemoryStore, memorySteps } from "@rondo/durable/testing";
import { expect, test } from "vitest";

const USAGE: Usage = { totalTokens: 100, cost: { total: 1 } };

/** An agent that calls a tool twice, whose history does not fit, and whose segments hold one turn each. */
function agentWithNotes(costMax: number) {
  const call = (id: string) => [{ type: "toolCall" as const, id, name: "look", arguments: {} }];
  const script = scriptedModel([call("1"), call("2"), "Done."], {
    usage: USAGE,
    model: { cost: { input: 1, output: 1 } },
  });
  const notes = scriptedModel(["Notes."], { usage: USAGE, model: script.model });
  const factory: AgentFactory = (_input, scope) => {
    const { transformContext } = new Compaction({
      model: script.model,
      streamFn: scope.recorded("notes", notes.streamFn),
      contextWindow: 800,
      reserveTokens: 200,
      keepRecentTokens: 10,
      now: () => 0,
    });
    return {
      model: script.model,
      streamFn: script.streamFn,
      prompt: "Go.",
      messages: [{ role: "user", content: "x".repeat(4_000), timestamp: 0 }],
      tools: [
        {
          name: "look",
          label: "Look",
          description: "Looks",
          parameters: Type.Object({}),
          execute: async () => ({ content: [{ type: "text", text: "seen" }], details: {} }),
        },
      ],
      budget: { costMax },
      segmentStepsMax: 3,
      config: { transformContext },
    };
  };
  return { factory, calls: () => [script.requests.length, notes.requests.length] };
}

/** Runs all segments, each of them twice: once for real, once as a replay. */
async function runAll(factory: AgentFactory) {
  let carry: Carry | undefined;
  for (let segment = 1; ; segment++) {
    const store = new MemoryStore();
    const input = { factory, input: null, ...(carry && { carry: JSON.parse(JSON.stringify(carry)) as Carry }) };
    const first = await runSegment(memorySteps(store), input);
    const again = await runSegment(memorySteps(store), input);
    expect(again).toEqual(first);
    if (first.type === "end") return { segment, result: first.result, told: store.published.at(-1)?.event };
    carry = first.carry;
  }
}

test("over all segments, with the compaction in the first", async () => {
  const { factory, calls } = agentWithNotes(100);
  const { segment, result, told } = await runAll(factory);
  expect([segment, result.reason]).toEqual([3, "completed"]);
  expect(calls()).toEqual([3, 1]);
  expect(result.usage).toEqual({ totalTokens: 400, cost: { total: 4 } });
  expect(told).toEqual({ type: "agent_end", reason: "completed", usage: result.usage });
});

test("against the budget as well", async () => {
  const { factory, calls } = agentWithNotes(3);
  const { result } = await runAll(factory);
  expect(result).toMatchObject({ reason: "budget", errorMessage: "The run has used its budget of $3 ($3 spent)." });
  expect(calls()).toEqual([2, 1]);
});

// Calls of a batch that touch the same thing run one after the other, in the order of the calls; the rest together.
import { Agent, type AgentTool } from "@rondo/agent";
import { Type } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ResourceLanes } from "../src/resources.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { call, say, textResult, tool } from "./support.ts";

test("fifty edits of one file in one answer are all applied, in order", async () => {
  const parameters = Type.Object({ path: Type.String(), text: Type.String() });
  let file = "";
  const edit: AgentTool<typeof parameters> = {
    name: "edit",
    label: "Edit",
    description: "Appends",
    parameters,
    resources: ({ path }) => ({ writes: [path] }),
    execute: async (_id, { text }) => {
      const read = file;
      await new Promise((resolve) => setImmediate(resolve));
      file = read + text;
      return textResult("edited");
    },
  };
  const letters = Array.from({ length: 50 }, (_, index) => String.fromCharCode(65 + index));
  const script = scriptedModel([
    letters.map((text, index) => call(`c${index}`, "edit", { path: "/a", text })),
    "Done.",
  ]);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [edit] } });
  await agent.prompt("hi");
  expect(file).toBe(letters.join(""));
});

test("resources that cannot be told fail that call alone", async () => {
  const odd = tool("odd", {
    resources: () => {
      throw new Error("Which file?");
    },
  });
  const script = scriptedModel([[call("1", "odd"), call("2", "look")], "Done."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    initialState: { model: script.model, tools: [odd, tool("look")] },
  });
  await agent.prompt("hi");
  expect(agent.state.messages.map(say).slice(2, 4)).toEqual(["toolResult error: Which file?", "toolResult: look done"]);
});

const NAMES = fc.subarray(["a", "b", "c"]);
const JOBS = fc.array(fc.record({ reads: NAMES, writes: NAMES, ms: fc.nat(20), fails: fc.boolean() }), {
  maxLength: 12,
});

test("no two jobs that collide overlap, none overtakes one it collides with, and the rest wait for nobody", async () => {
  await fc.assert(
    fc.asyncProperty(
      JOBS,
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      async (jobs, concurrentMax) => {
        const clock = new VirtualClock();
        const lanes = new ResourceLanes(concurrentMax);
        const spans: { from: number; to: number }[] = [];
        let running = 0;
        let most = 0;
        const all = jobs.map((job, index) =>
          lanes.run(job, async () => {
            most = Math.max(most, ++running);
            const from = clock.now();
            await clock.sleep(job.ms);
            spans[index] = { from, to: clock.now() };
            running--;
            if (job.fails) throw new Error("failed");
          }),
        );
        await clock.runUntil(Promise.allSettled(all));
        expect(most).toBeLessThanOrEqual(concurrentMax ?? jobs.length);
        for (const [later, job] of jobs.entries()) {
          const blockers = jobs
            .slice(0, later)
            .map((earlier, index) => (collide(earlier, job) ? (spans[index]?.to ?? 0) : 0));
          const ready = Math.max(0, ...blockers);
          expect(spans[later]?.from).toBeGreaterThanOrEqual(ready);
          if (concurrentMax === undefined) expect(spans[later]?.from).toBe(ready);
        }
      },
    ),
    { numRuns: 200 },
  );
});

interface Job {
  reads: string[];
  writes: string[];
}

function collide(left: Job, right: Job): boolean {
  const meet = (some: string[], others: string[]) => some.some((name) => others.includes(name));
  return meet(left.writes, right.writes) || meet(left.writes, right.reads) || meet(left.reads, right.writes);
}

test.each([
  [Number.NaN, 1],
  [0, 1],
  [1.5, 1],
  [2.9, 2],
  [Number.POSITIVE_INFINITY, 5],
])("a limit of %d at the same time lets %d run", async (limit, expected) => {
  const lanes = new ResourceLanes(limit);
  let running = 0;
  let most = 0;
  const job = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  };
  await Promise.all(Array.from({ length: 5 }, () => lanes.run({}, job)));
  expect(most).toBe(expected);
});

test("free places are taken in the order of arrival, and who waits for another call takes none", async () => {
  const clock = new VirtualClock();
  const lanes = new ResourceLanes(2);
  const begun: string[] = [];
  const job = (name: string, ms: number) => async () => {
    begun.push(`${name} at ${clock.now()}`);
    await clock.sleep(ms);
  };
  const all = [
    lanes.run({ writes: ["a"] }, job("first", 10)),
    lanes.run({ writes: ["a"] }, job("after first", 10)),
    lanes.run({}, job("second", 20)),
    lanes.run({}, job("third", 1)),
    lanes.run({}, job("fourth", 1)),
  ];
  await clock.runUntil(Promise.all(all));
  expect(begun).toEqual(["first at 0", "second at 0", "third at 10", "fourth at 11", "after first at 12"]);
});

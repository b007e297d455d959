import { Agent } from "@rondo/agent";
import { expect, test } from "vitest";
import { createDemoStream, DEMO_MODEL } from "../../src/demo/model.ts";
import { UsageError } from "../../src/exit-codes.ts";
import { attachListeners, wrapStreamFn } from "../../src/extensions/attach-extensions.ts";

test("a listener that throws or never ends is told, and the run and the other listeners go on", async () => {
  const agent = new Agent({ initialState: { model: DEMO_MODEL }, streamFn: createDemoStream(0) });
  const heard: string[] = [];
  const problems: string[] = [];
  const listeners = [
    (event: { type: string }) => (event.type === "turn_start" ? new Promise<void>(() => {}) : undefined),
    (event: { type: string }) => {
      if (event.type === "turn_end") throw new Error("deaf");
    },
    (event: { type: string }) => void heard.push(event.type),
  ];
  attachListeners(agent, { listeners }, (text) => problems.push(text), 20);
  await agent.prompt("repeat: one");
  await agent.prompt("repeat: two");
  expect(problems).toEqual([
    "An extension failed at turn_start: it was not done after 0.02 seconds, so it hears no further events.",
    "An extension failed at turn_end: deaf",
    "An extension failed at turn_end: deaf",
  ]);
  expect(heard.filter((type) => type === "agent_end")).toHaveLength(2);
});

test("a stream function that cannot be put around the others is no fault of rondo itself", () => {
  const fail = () => {
    throw "no Error";
  };
  const problem = new UsageError("The stream function of an extension failed before any call: no Error");
  expect(() => wrapStreamFn(createDemoStream(0), { streamFns: [(next) => next, fail] })).toThrow(problem);
});

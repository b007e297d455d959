// What hooks, tools, streams and listeners return to be waited for is often no promise but something with a `then`, such as a
// query that has not been sent. However it behaves, an abort ends the run within the grace period.
import type { AgentListener, AgentOptions, AgentTool } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { checkHistory } from "./simulation/event-checker.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { call, endOf, tool, watched } from "./support.ts";

type Then = (onValue: (value: unknown) => void, onError: (error: unknown) => void) => void;

const withThen = (then: Then) => ({ then });
const never = () => new Promise<never>(() => {});

const THENABLES: [string, () => unknown][] = [
  ["hands over what never settles", () => withThen((onValue) => onValue(never()))],
  ["hands over another that never settles", () => withThen((onValue) => onValue(withThen(() => {})))],
  [
    "settles twice",
    () => withThen((onValue, onError) => [onValue(undefined), onError(new Error("Late.")), onValue(never())]),
  ],
  [
    "throws",
    () =>
      withThen(() => {
        throw new Error("No then today.");
      }),
  ],
];

const PLACES: [string, (given: () => unknown) => AgentOptions][] = [
  ["a hook", (given) => ({ convertToLlm: given as never })],
  ["the hook before a tool", (given) => ({ beforeToolCall: given as never })],
  ["the hook after a turn", (given) => ({ prepareNextTurn: given as never })],
  ["a tool", (given) => ({ initialState: { tools: [tool("look", { execute: given as AgentTool["execute"] })] } })],
  ["a stream function", (given) => ({ streamFn: given as never })],
];

describe.each(THENABLES)("a thenable that %s", (_how, given) => {
  test.each(PLACES)("as what %s gives", async (_where, options) => {
    await runAndAbort(options(given));
  });

  test("as what a listener gives", async () => {
    await runAndAbort({}, (event) => (event.type === "tool_execution_start" ? (given() as Promise<void>) : undefined));
  });
});

async function runAndAbort(options: AgentOptions, listener: AgentListener = () => {}): Promise<void> {
  const clock = new VirtualClock();
  const script = scriptedModel([[call("1", "look")], "Done."]);
  const { agent, checker } = watched({
    streamFn: script.streamFn,
    clock,
    abortGraceMs: 500,
    ...options,
    initialState: { model: script.model, tools: [tool("look")], ...options.initialState },
  });
  agent.subscribe(listener);
  const ended = endOf(agent);
  clock.setTimeout(() => agent.abort("enough"), 1_000);
  await clock.runUntil(agent.prompt("Go."));
  await ended;
  expect(clock.now()).toBeLessThanOrEqual(2_000);
  expect(checker.idle).toBe(true);
  checkHistory(agent.state.messages);
}

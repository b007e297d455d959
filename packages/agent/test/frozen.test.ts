// Stores of user interfaces freeze what is put into them, all the way down. An agent whose state or hooks' arguments were
// put there goes on as if nothing had been.
import { type AgentOptions, keepLastTurns } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { checkHistory } from "./simulation/event-checker.ts";
import { call, say, tool, watched } from "./support.ts";

/** As immer does it: plain objects and lists. */
function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) if (!(part instanceof AbortSignal)) freezeDeep(part);
  return value;
}

const WHOLE = [
  "user: Go.",
  "assistant: look#1 | look#2",
  "toolResult: look done",
  "toolResult: look done",
  "assistant: Done.",
];

async function run(options: AgentOptions = {}) {
  const script = scriptedModel([[call("1", "look"), call("2", "look")], "Done.", "Again."]);
  const { agent, checker } = watched({
    streamFn: script.streamFn,
    initialState: { model: script.model, tools: [tool("look")] },
    ...options,
  });
  return { agent, checker, script };
}

test.each<[string, AgentOptions]>([
  ["before a call", { beforeToolCall: (context) => void freezeDeep(context) as undefined }],
  ["after a call", { afterToolCall: (context) => void freezeDeep(context) as undefined }],
  ["to prepare a turn", { prepareNextTurnWithContext: (turn) => void freezeDeep(turn) as undefined }],
  ["to stop after a turn", { shouldStopAfterTurn: (turn) => freezeDeep(turn) === undefined }],
  ["to transform the context", { transformContext: (messages) => keepLastTurns(9)(freezeDeep(messages)) }],
])("what a hook is given %s may be frozen", async (_when, options) => {
  const { agent, checker } = await run(options);
  await agent.prompt("Go.");
  expect(agent.state.messages.map(say)).toEqual(WHOLE);
  expect(agent.state.errorMessage).toBeUndefined();
  expect(checker.idle).toBe(true);
});

test("the history and the state may be frozen, and events but those of a message that is still growing", async () => {
  const { agent, checker } = await run();
  agent.subscribe((event) => {
    if (event.type !== "message_update" && event.type !== "message_start") freezeDeep(event);
    freezeDeep(agent.state.messages);
    Object.freeze(agent.state);
  });
  await agent.prompt("Go.");
  await agent.prompt("Once more.");
  expect(agent.state.messages.map(say)).toEqual([...WHOLE, "user: Once more.", "assistant: Again."]);
  expect([agent.state.isStreaming, agent.state.errorMessage]).toEqual([false, undefined]);
  expect(checker.runs).toBe(2);
  checkHistory(agent.state.messages);
});

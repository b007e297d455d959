import { streamSimple } from "@rondo/ai";
import { expect, test } from "vitest";
import { Agent } from "../src/agent.ts";
import { FoldedState } from "../src/agent-state.ts";
import type { AgentEvent } from "../src/types.ts";

const start = (toolCallId: string): AgentEvent => ({
  type: "tool_execution_start",
  toolCallId,
  toolName: "a",
  args: {},
});
const end = (toolCallId: string): AgentEvent => ({
  type: "tool_execution_end",
  toolCallId,
  toolName: "a",
  result: { content: [], details: {} },
  isError: false,
});
const pending = (state: FoldedState) => [...state.pendingToolCalls];

test("of two calls that share an id, the first to end leaves the other pending", () => {
  const state = new FoldedState();
  const seen = [start("1"), start("1"), start("2"), end("1"), end("1"), end("2")].map((event) => {
    state.reduce(event);
    return pending(state).join();
  });
  expect(seen).toEqual(["1", "1", "1,2", "1,2", "2", ""]);
});

test.each(["end", "clear"] as const)("%s leaves no call pending", (method) => {
  const state = new FoldedState();
  state.reduce(start("1"));
  state[method]();
  expect(pending(state)).toEqual([]);
});

test("an agent that was given no model says so when it is asked", async () => {
  const agent = new Agent({ streamFn: streamSimple });
  await agent.prompt("Hello");
  expect(agent.state.errorMessage).toBe(
    "No model was given. Take one from getModel(); an agent gets it as initialState.model, or in state.model.",
  );
});

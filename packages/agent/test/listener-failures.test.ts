// A listener may throw or never settle: the others hear everything, and the run comes to its end.
import { Agent } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { Emitter } from "../src/emitter.ts";
import { Interruption } from "../src/interruption.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { brief, call, gate, record, say, tool, watched } from "./support.ts";

describe("a listener", () => {
  test("that throws ends the run with its error, and the others hear everything", async () => {
    const script = scriptedModel([[call("1", "look"), call("2", "look")]]);
    const { agent, checker } = watched({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [tool("look")] },
    });
    agent.subscribe((event) => {
      if (event.type === "tool_execution_start") throw new Error("The disk is full.");
    });
    const events = record(agent);
    await agent.prompt("hi");
    expect(events.slice(-5)).toEqual([
      "turn_start",
      "message_start assistant",
      "message_end assistant",
      "turn_end",
      "agent_end error",
    ]);
    expect(checker.idle).toBe(true);
    expect(agent.state.errorMessage).toBe("The disk is full.");
    expect(agent.state.messages.map(say)).toEqual([
      "user: hi",
      "assistant: look#1 | look#2",
      'toolResult error: "look" was not run. The disk is full.',
      'toolResult error: "look" was not run. The disk is full.',
      "assistant: ",
    ]);
  });

  test("that throws while the model speaks ends that message and nothing else", async () => {
    const script = scriptedModel([{ content: [{ type: "text", text: "Hello, how are you?" }] }]);
    const { agent } = watched({ streamFn: script.streamFn, initialState: { model: script.model } });
    agent.subscribe((event) => {
      if (event.type === "message_update") throw new Error("The screen is gone.");
    });
    await agent.prompt("hi");
    expect(agent.state.messages).toHaveLength(2);
    expect(agent.state.messages[1]).toMatchObject({ stopReason: "error", errorMessage: "The screen is gone." });
  });

  test("that throws at agent_end makes the prompt reject, since no event is left", async () => {
    const script = scriptedModel(["Hello."]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
    const failure = new Error("The disk is full.");
    agent.subscribe((event) => {
      if (event.type === "agent_end") throw failure;
    });
    await expect(agent.prompt("hi")).rejects.toBe(failure);
    expect(agent.state.isStreaming).toBe(false);
  });

  test("that throws at every event still sees a whole run", async () => {
    const script = scriptedModel([]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
    const events: string[] = [];
    agent.subscribe((event) => {
      events.push(brief(event));
      throw new Error("No.");
    });
    await agent.prompt("hi").catch(() => {});
    expect(events).toEqual([
      "agent_start",
      "turn_start",
      "message_start user",
      "message_end user",
      "message_start assistant",
      "message_end assistant",
      "turn_end",
      "agent_end error",
    ]);
  });

  test("that never settles gives way to an abort, and the others are waited for as ever", async () => {
    const clock = new VirtualClock();
    const script = scriptedModel(["Hello."]);
    const agent = new Agent({
      streamFn: script.streamFn,
      initialState: { model: script.model },
      clock,
      abortGraceMs: 500,
    });
    agent.subscribe((event) => (event.type === "turn_start" ? new Promise(() => {}) : undefined));
    const saved: string[] = [];
    agent.subscribe(async (event) => {
      await clock.sleep(100);
      saved.push(event.type);
    });
    clock.setTimeout(() => agent.abort(), 1_000);
    await clock.runUntil(agent.prompt("hi"));
    expect(saved).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
  });
});

test("a listener that is overdue hears everything and is waited for again once it has caught up", async () => {
  const clock = new VirtualClock();
  const interruption = new Interruption(clock, 500);
  interruption.interrupt({ kind: "aborted", message: "Enough." });
  const doors = [gate(), gate(), gate(), gate()];
  let heard = 0;
  const listener = () => doors[heard++]?.opened;
  const emitter = new Emitter({ interruption, reduce: () => {}, listeners: [listener], isFatal: () => false });
  const times: number[] = [];
  const emit = async () => {
    await clock.runUntil(emitter.emit({ type: "turn_start" }));
    times.push(clock.now());
  };
  await emit();
  await emit();
  doors[0]?.open();
  await emit();
  for (const door of doors.slice(1, 3)) door.open();
  await new Promise((resolve) => setImmediate(resolve));
  await emit();
  expect([heard, times]).toEqual([4, [500, 500, 500, 1_000]]);
});

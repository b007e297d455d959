// Errors that an engine claims for itself leave the loop as they are.
import { Agent, type AgentOptions, type AgentToolResult, agentLoop, runAgentLoop } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { call, record, say, textResult, tool, user } from "./support.ts";

describe("a fatal error", () => {
  class Suspended extends Error {}
  const isFatal = (error: unknown) => error instanceof Suspended;
  const config = { convertToLlm: () => [user("hi")], isFatal };
  const throwIt = () => {
    throw new Suspended("later");
  };
  test.each<[string, AgentOptions & { execute?: () => Promise<AgentToolResult> }]>([
    ["a stream function", { streamFn: throwIt }],
    ["a tool", { execute: throwIt }],
    ["a hook before the model", { transformContext: throwIt }],
    ["a hook before a tool", { beforeToolCall: throwIt }],
    ["a hook after a tool", { afterToolCall: throwIt }],
    ["a hook after the turn", { shouldStopAfterTurn: throwIt }],
  ])("of %s passes through untouched, with no further event", async (_whose, { execute, ...options }) => {
    const script = scriptedModel([[call("1", "look")], "Done."]);
    const tools = [tool("look", execute ? { execute } : {})];
    const agent = new Agent({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools },
      isFatal,
      ...options,
    });
    const events = record(agent);
    await expect(agent.prompt("hi")).rejects.toBeInstanceOf(Suspended);
    expect(events.some((event) => event.startsWith("agent_end"))).toBe(false);
    expect(
      agent.state.messages.every(
        (message) =>
          (!("errorMessage" in message) && message.role !== "toolResult") ||
          (message.role === "toolResult" && !message.isError),
      ),
    ).toBe(true);
    expect(agent.state.isStreaming).toBe(false);
  });

  test("of who shortens the context passes through as well, whatever the model failed with", async () => {
    const script = scriptedModel([{ error: { kind: "context_overflow" }, errorMessage: "Too long." }]);
    const { model, streamFn } = script;
    const agent = new Agent({ streamFn, initialState: { model }, isFatal, onContextOverflow: throwIt });
    await expect(agent.prompt("hi")).rejects.toBeInstanceOf(Suspended);
    expect(agent.state.messages.map(say)).toEqual(["user: hi"]);
  });

  test("ends a stream of events, which has no message to give", async () => {
    const { model } = scriptedModel([]);
    const stream = agentLoop(
      [user("hi")],
      { systemPrompt: "", messages: [] },
      { ...config, model },
      undefined,
      throwIt,
    );
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(["agent_start", "turn_start", "message_start", "message_end"]);
    expect(await stream.result()).toEqual([]);
  });

  test("of one tool stops the others, and nothing more is told of them", async () => {
    let stopped: unknown;
    const patient = tool("patient", {
      execute: (_id, _params, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            stopped = signal.reason;
            reject(signal.reason);
          });
        }),
    });
    const script = scriptedModel([[call("1", "patient"), call("2", "look")]]);
    const tools = [patient, tool("look", { execute: throwIt })];
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools }, isFatal });
    const events = record(agent);
    await expect(agent.prompt("hi")).rejects.toBeInstanceOf(Suspended);
    await new Promise((resolve) => setImmediate(resolve));
    expect(events.slice(-2)).toEqual(["tool_execution_start 1", "tool_execution_start 2"]);
    expect(stopped).toMatchObject({ name: "AbortError" });
  });

  test("of a listener at a tool's progress waits for the tool and is no unhandled rejection meanwhile", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", note);
    const busy = tool("busy", {
      execute: async (_id, _params, _signal, onUpdate) => {
        onUpdate?.(textResult("halfway"));
        await new Promise((resolve) => setTimeout(resolve, 5));
        return textResult("done");
      },
    });
    const script = scriptedModel([[call("1", "busy")]]);
    const agent = new Agent({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [busy] },
      isFatal,
    });
    agent.subscribe((event) => {
      if (event.type === "tool_execution_update") throwIt();
    });
    await expect(agent.prompt("hi")).rejects.toBeInstanceOf(Suspended);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("of a listener passes through as well", async () => {
    const script = scriptedModel(["Done."]);
    const context = { systemPrompt: "", messages: [] };
    const { model } = script;
    await expect(
      runAgentLoop([], context, { ...config, model }, throwIt, undefined, script.streamFn),
    ).rejects.toBeInstanceOf(Suspended);
  });
});

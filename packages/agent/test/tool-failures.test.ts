// A tool may throw or return whatever it likes: the call is answered in words, and the history stays plain JSON.
import { Agent, type AgentEvent, type AgentToolResult } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { call, say, textResult, tool, watched } from "./support.ts";

describe("a tool", () => {
  const circular: Record<string, unknown> = { big: 10n, when: new Date(0), nothing: undefined };
  circular["self"] = circular;
  test.each<[string, () => unknown, string]>([
    [
      "throws a text",
      () => {
        throw "No.";
      },
      "toolResult error: No.",
    ],
    [
      "throws nothing",
      () => {
        throw undefined;
      },
      'toolResult error: "odd" failed without saying why.',
    ],
    [
      "throws an object",
      () => {
        throw { code: 7 };
      },
      'toolResult error: "odd" failed without saying why. {"code":7}',
    ],
    [
      "throws an error without words",
      () => {
        throw new Error("");
      },
      'toolResult error: "odd" failed without saying why.',
    ],
    [
      "throws an abort of its own",
      () => {
        throw new DOMException("Its own request was aborted.", "AbortError");
      },
      "toolResult error: Its own request was aborted.",
    ],
    ["gives nothing", () => undefined, 'toolResult error: The tool "odd" returned no result.'],
    ["gives a text", () => "Fine.", "toolResult: Fine."],
    [
      "gives an object without content",
      () => ({}),
      'toolResult error: The tool "odd" returned a result without content.',
    ],
    ["gives content that is a text", () => ({ content: "Fine." }), "toolResult: Fine."],
    [
      "gives blocks that are none",
      () => ({ content: [null, 3, { type: "text", text: "Fine." }, { type: "text" }] }),
      "toolResult: Fine.",
    ],
    [
      "gives a block that is more than JSON",
      () => ({ content: [{ type: "text", text: "Fine.", render: () => "", size: 1n }] }),
      "toolResult: Fine.",
    ],
    ["says that it failed", () => ({ ...textResult("Bad."), isError: true }), "toolResult error: Bad."],
    ["gives details that are no JSON", () => ({ ...textResult("Fine."), details: circular }), "toolResult: Fine."],
  ])("that %s is answered in words", async (_how, execute, expected) => {
    const script = scriptedModel([[call("1", "odd")], "Done."]);
    const { agent } = watched({
      streamFn: script.streamFn,
      initialState: {
        model: script.model,
        tools: [tool("odd", { execute: async () => execute() as AgentToolResult })],
      },
    });
    await agent.prompt("hi");
    expect(agent.state.messages.map(say)[2]).toBe(expected);
    expect(JSON.parse(JSON.stringify(agent.state.messages))).toEqual(agent.state.messages);
    script.finish();
  });

  test("is left its result by a hook after it that gives null", async () => {
    const script = scriptedModel([[call("1", "look")], "Done."]);
    const { agent } = watched({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [tool("look")] },
      afterToolCall: () => null as never,
    });
    await agent.prompt("hi");
    expect(agent.state.messages.map(say)[2]).toBe("toolResult: look done");
  });

  test("that reports progress is over for the hook after it when all of that was told", async () => {
    const order: string[] = [];
    const chatty = tool("chatty", {
      execute: async (_id, _params, _signal, onUpdate) => {
        for (const text of ["one", "two"]) onUpdate?.(textResult(text));
        return textResult("done");
      },
    });
    const script = scriptedModel([[call("1", "chatty")], "Done."]);
    const agent = new Agent({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [chatty] },
      afterToolCall: () => void order.push("after"),
    });
    agent.subscribe(async (event) => {
      if (event.type !== "tool_execution_update") return;
      await new Promise((resolve) => setImmediate(resolve));
      order.push("told");
    });
    await agent.prompt("hi");
    expect(order).toEqual(["told", "told", "after"]);
  });

  test("that reports progress late is not heard", async () => {
    let report: (() => void) | undefined;
    const chatty = tool("chatty", {
      execute: async (_id, _params, _signal, onUpdate) => {
        report = () => onUpdate?.(textResult("late"));
        onUpdate?.(textResult("in time"));
        return textResult("done");
      },
    });
    const script = scriptedModel([[call("1", "chatty")], "Done."]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [chatty] } });
    const updates: AgentEvent[] = [];
    agent.subscribe((event) => {
      if (event.type === "tool_execution_update") updates.push(event);
      if (event.type === "tool_execution_end") report?.();
    });
    await agent.prompt("hi");
    report?.();
    expect(updates).toEqual([
      {
        type: "tool_execution_update",
        toolCallId: "1",
        toolName: "chatty",
        args: {},
        partialResult: textResult("in time"),
      },
    ]);
  });
});

// Tools and models of a durable run that throw or give what no record can hold: what fails is the call, never the run. An
// error that came out of a step would be taken for the engine's own, and the run tried again until it is given up.
import type { AgentToolResult, StreamFn } from "@rondo/agent";
import { type ToolCall, Type } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { runSegment } from "@rondo/durable";
import { MemoryStore, memorySteps } from "@rondo/durable/testing";
import { expect, test } from "vitest";

const CALL: ToolCall = { type: "toolCall", id: "1", name: "odd", arguments: {} };

async function runWith(execute: () => Promise<AgentToolResult>, streamFn?: StreamFn) {
  const script = scriptedModel([[CALL], "Done."]);
  const odd = { name: "odd", label: "Odd", description: "odd", parameters: Type.Object({}), execute };
  const agent = { model: script.model, streamFn: streamFn ?? script.streamFn, tools: [odd], prompt: "Go." };
  const end = await runSegment(memorySteps(new MemoryStore()), { factory: () => agent, input: null });
  if (end.type !== "end") throw new Error("The run has not ended.");
  return end.result;
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const THROWN: [string, unknown, string][] = [
  ["a text", "It broke.", "It broke."],
  ["an object with a message", { message: "It broke." }, "It broke."],
  ["nothing", null, "null"],
  ["a symbol", Symbol("broken"), "Symbol(broken)"],
  ["an object without a prototype", Object.create(null), "Something was thrown that cannot be read."],
  ["what cannot be read", revoked(), "Something was thrown that cannot be read."],
  ["an error whose message is no text", Object.assign(new Error("x"), { message: 1n }), "1"],
];

test.each(THROWN)("a tool that throws %s has failed, and the run goes on", async (_what, thrown, text) => {
  const { messages, reason } = await runWith(() => Promise.reject(thrown));
  expect(reason).toBe("completed");
  expect(messages[2]).toMatchObject({ role: "toolResult", isError: true, content: [{ type: "text", text }] });
});

test.each(THROWN)("a model that throws %s has failed, and the run ends with that", async (_what, thrown) => {
  const { messages, reason } = await runWith(
    async () => ({ content: [], details: {} }),
    () => Promise.reject(thrown),
  );
  expect([reason, messages.length]).toEqual(["error", 2]);
});

test("details that no record can hold are left out, and the result stands", async () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  for (const details of [{ size: 1n }, cycle]) {
    const { messages } = await runWith(async () => ({ content: [{ type: "text", text: "seen" }], details }));
    expect(messages[2]).toMatchObject({
      role: "toolResult",
      isError: false,
      content: [{ type: "text", text: "seen" }],
      details: { leftOut: "The details are nothing that can be recorded." },
    });
  }
});

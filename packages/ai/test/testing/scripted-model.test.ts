import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import type { AssistantMessageEvent, Context } from "../../src/types.ts";

const CONTEXT: Context = { messages: [{ role: "user", content: "hi", timestamp: 0 }] };

async function ask(steps: ScriptedStep[], signal?: AbortSignal) {
  const script = scriptedModel(steps);
  const stream = script.streamFn(script.model, CONTEXT, signal ? { signal } : {});
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  return { script, events, message: await stream.result() };
}

test("blocks are spoken in the grammar of a stream, with deltas that make up the whole", async () => {
  const call = { type: "toolCall" as const, id: "1", name: "look", arguments: { path: "a" } };
  const { events, message, script } = await ask([
    [{ type: "thinking", thinking: "Well, then." }, { type: "text", text: "Look" }, call],
  ]);
  expect(events.map((event) => ("contentIndex" in event ? `${event.type} ${event.contentIndex}` : event.type))).toEqual(
    [
      "start",
      "thinking_start 0",
      "thinking_delta 0",
      "thinking_delta 0",
      "thinking_end 0",
      "text_start 1",
      "text_delta 1",
      "text_end 1",
      "toolcall_start 2",
      "toolcall_delta 2",
      "toolcall_delta 2",
      "toolcall_end 2",
      "done",
    ],
  );
  const spoken = (index: number) =>
    events.map((event) => ("delta" in event && event.contentIndex === index ? event.delta : "")).join("");
  expect([spoken(0), spoken(1), spoken(2)]).toEqual(["Well, then.", "Look", '{"path":"a"}']);
  expect(message).toEqual({
    role: "assistant",
    content: [{ type: "thinking", thinking: "Well, then." }, { type: "text", text: "Look" }, call],
    api: "scripted",
    provider: "scripted",
    model: "scripted",
    usage: { cost: {} },
    stopReason: "toolUse",
    timestamp: 0,
  });
  script.finish();
});

test("a failure comes after its content, or alone", async () => {
  const content = [{ type: "text" as const, text: "So fa" }];
  const cut = await ask([{ error: { kind: "truncated", retryable: true }, content }]);
  expect(cut.events.map(({ type }) => type)).toEqual(["start", "text_start", "text_delta", "text_end", "error"]);
  expect(cut.message).toMatchObject({ content, stopReason: "error", error: { kind: "truncated", retryable: true } });
  const alone = await ask([{ error: {}, errorMessage: "No." }]);
  expect(alone.events.map(({ type }) => type)).toEqual(["error"]);
  expect(alone.message.errorMessage).toBe("No.");
});

test("a hanging call ends with the abort", async () => {
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  const { message } = await ask([{ hang: true, content: [{ type: "text", text: "Once" }] }], controller.signal);
  expect(message).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "Once" }] });
});

test("a step may decide when it is called", async () => {
  const { message } = await ask([(context) => `You said ${(context.messages[0] as { content: string }).content}.`]);
  expect(message.content).toEqual([{ type: "text", text: "You said hi." }]);
});

test("a call too many fails, and so does a step too many", async () => {
  const { message, script } = await ask([]);
  expect(message.errorMessage).toBe("The script has 0 steps, but the model was called 1 times.");
  expect(() => script.finish()).toThrow("The script has 0 steps, but the model was called 1 times.");
  expect(() => scriptedModel(["Unused."]).finish()).toThrow(
    "The script has 1 steps, but the model was called 0 times.",
  );
});

test("requests are kept as they were when they came", async () => {
  const script = scriptedModel(["One."]);
  const messages = [...CONTEXT.messages];
  const result = script.streamFn(script.model, { messages }, { apiKey: "k" }).result();
  messages.push({ role: "user", content: "later", timestamp: 0 });
  await result;
  expect(script.requests).toEqual([{ model: script.model, context: CONTEXT, options: { apiKey: "k" } }]);
});

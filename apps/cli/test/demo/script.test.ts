import { expect, test } from "vitest";
import type { DemoConversation, DemoMessage } from "../../src/demo/conversation.ts";
import { createDemoStream, DEMO_MODEL } from "../../src/demo/model.ts";
import { demoReply } from "../../src/demo/script.ts";

const TOOLS = ["read", "ls", "edit", "bash", "grep", "write"].map((name) => ({ name }));
const ask = (text: string, since: DemoMessage[] = [], tools = TOOLS): DemoConversation => ({
  messages: [{ role: "user", text }, ...since],
  tools,
});
const result = (toolName: string, text: string, isError = false): DemoMessage => ({
  role: "toolResult",
  toolCallId: "demo_1",
  toolName,
  text,
  isError,
});

test.each([
  ["repeat what you get\n\nhello\n", "hello"],
  ["Repeat: one two", "one two"],
  ["echo\nline 1\nline 2\n", "line 1\nline 2"],
])("%j is repeated", (prompt, text) => {
  expect(demoReply(ask(prompt))).toEqual({ content: [{ type: "text", text }] });
});

test.each([
  ["run `ls -la`", "bash", { command: "ls -la" }],
  ["read README.md", "read", { path: "README.md" }],
  ["list src", "ls", { path: "src" }],
  ["ls", "ls", { path: "." }],
  ["search for TODO", "grep", { pattern: "TODO" }],
  ["write notes.txt", "write", { path: "notes.txt", content: "Written by the demo script of Rondo.\n" }],
])("%j shows a tool, then what it gave back", (prompt, name, args) => {
  expect(demoReply(ask(prompt)).content.at(-1)).toEqual({ type: "toolCall", id: "demo_1", name, arguments: args });
  expect(demoReply(ask(prompt, [result(name, "the output")]))).toEqual({
    content: [{ type: "text", text: "the output" }],
  });
  expect(demoReply(ask(prompt, [result(name, "the reason", true)]))).toEqual({
    content: [{ type: "text", text: "That did not work: the reason" }],
  });
});

test.each(["What is the meaning of life?", "write a commit message\n\ndiff --git a/one.js b/one.js\n"])(
  "asked %j, it says that it is a script",
  (prompt) => {
    const [, text] = demoReply(ask(prompt)).content;
    expect(text).toMatchObject({ type: "text", text: expect.stringContaining("a script and no language model") });
  },
);

test("a refused edit ends the task with the reason", () => {
  const since = [
    result("ls", ""),
    result("bash", "test/form.test.js", true),
    result("read", ""),
    result("edit", "Refused: x", true),
  ];
  expect(demoReply(ask("Fix the failing test", since))).toEqual({
    content: [{ type: "text", text: "The edit was not made, so I stop here: Refused: x" }],
  });
});

test("the same conversation always gets the same reply, and call ids stay unique", () => {
  const first = demoReply(ask("fix the failing test"));
  expect(demoReply(ask("fix the failing test"))).toEqual(first);
  const calls = first.content.filter((block) => block.type === "toolCall");
  expect(calls.map((call) => call.id)).toEqual(["demo_1", "demo_2"]);
  const next = demoReply({
    messages: [
      { role: "user", text: "x" },
      { role: "assistant", text: "", toolCalls: calls },
      { role: "user", text: "ls" },
    ],
    tools: TOOLS,
  });
  expect(next.content.at(-1)).toMatchObject({ id: "demo_3" });
});

test("as a stream it has the events of any model", async () => {
  const stream = createDemoStream(0)(DEMO_MODEL, {
    messages: [{ role: "user", content: "ls", timestamp: 0 }],
    tools: [{ name: "ls", description: "", parameters: {} as never }],
  });
  const types: string[] = [];
  for await (const event of stream) types.push(event.type);
  expect(types).toEqual([
    "start",
    "thinking_start",
    ...Array.from({ length: 10 }, () => "thinking_delta"),
    "thinking_end",
    "toolcall_start",
    "toolcall_delta",
    "toolcall_end",
    "done",
  ]);
  const { usage, stopReason } = await stream.result();
  expect([stopReason, usage.input, usage.output, usage.cost.total]).toEqual(["toolUse", 0, 0, 0]);
});

test("an abort ends the stream as aborted", async () => {
  const stream = createDemoStream(0)(
    DEMO_MODEL,
    { messages: [{ role: "user", content: "hello", timestamp: 0 }] },
    { signal: AbortSignal.abort() },
  );
  expect(await stream.result()).toMatchObject({ stopReason: "aborted", error: { kind: "aborted" } });
});

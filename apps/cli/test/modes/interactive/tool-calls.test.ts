// A tool call on the screen, from the first of its arguments to what came of it.
import { stripVTControlCharacters } from "node:util";
import type { AgentEvent } from "@rondo/agent";
import type { AssistantMessage } from "@rondo/ai";
import { expect, test } from "vitest";
import { ToolBlock } from "../../../src/modes/interactive/blocks/tool.ts";
import { fitLines } from "../../../src/modes/interactive/fit-lines.ts";
import { startRig } from "./interactive-rig.ts";

/** Shows events, and gives the lines of the call. */
function screenOf(rig: ReturnType<typeof startRig>) {
  return async (event: object): Promise<string[]> => {
    rig.mode.conversation.handle(event as AgentEvent);
    await rig.frame();
    const lines = await rig.terminal.screen();
    return lines.slice(1, lines.indexOf("", 1));
  };
}

/** The event of arguments that come in. */
function streamed(type: string, name: string, args: object): object {
  const message = {
    role: "assistant",
    content: [{ type: "toolCall", id: "1", name, arguments: args }],
    api: "a",
    provider: "p",
    model: "m",
    usage: { cost: {} },
    stopReason: "toolUse",
    timestamp: 0,
  } as AssistantMessage;
  return { type: "message_update", message, assistantMessageEvent: { type, contentIndex: 0, partial: message } };
}

test("the arguments of a call are there as they come in, of a long text the end, and then the diff", async () => {
  const rig = startRig({ rows: 40 });
  const show = screenOf(rig);
  const content = Array.from({ length: 9 }, (_, index) => `line ${index}`).join("\n");
  expect(await show(streamed("toolcall_start", "write", {}))).toEqual(["○ write …"]);
  expect(await show(streamed("toolcall_delta", "write", { path: "src/a.ts" }))).toEqual(["○ write src/a.ts"]);
  const coming = await show(streamed("toolcall_delta", "write", { path: "src/a.ts", content }));
  expect(coming).toEqual(["○ write src/a.ts", "  … 4 lines before", ...[4, 5, 6, 7, 8].map((n) => `  line ${n}`)]);
  expect(await show(streamed("toolcall_end", "write", { path: "src/a.ts", content }))).toEqual(["○ write src/a.ts"]);
  const call = { toolCallId: "1", toolName: "write", args: { path: "src/a.ts", content } };
  expect(await show({ type: "tool_execution_start", ...call })).toEqual(["◐ write src/a.ts"]);
  const result = { content: [{ type: "text", text: "Written." }], details: { diff: "@@ -1 +1 @@\n-old\n+new" } };
  const end = { type: "tool_execution_end", ...call, result, isError: false };
  expect(await show(end)).toEqual(["● write src/a.ts", "  @@ -1 +1 @@", "  -old", "  +new"]);
});

test("of a command the end of what it prints is there while it runs, and after", async () => {
  const rig = startRig({ rows: 40 });
  const show = screenOf(rig);
  const call = { toolCallId: "1", toolName: "bash", args: { command: "make" } };
  const printed = (count: number) => ({
    content: [{ type: "text" as const, text: Array.from({ length: count }, (_, index) => `step ${index}`).join("\n") }],
    details: undefined,
  });
  await show({ type: "tool_execution_start", ...call });
  const running = await show({ type: "tool_execution_update", ...call, partialResult: printed(7) });
  expect(running).toEqual(["◐ bash make", "  … 2 lines before", ...[2, 3, 4, 5, 6].map((n) => `  step ${n}`)]);
  const ended = await show({ type: "tool_execution_end", ...call, result: printed(8), isError: false });
  expect(ended).toEqual(["● bash make", "  … 3 lines before", ...[3, 4, 5, 6, 7].map((n) => `  step ${n}`)]);
  // Of one that the person ran more, and as much whatever becomes of it.
  const own = new ToolBlock(rig.mode.view, "!");
  own.setCall("!", { command: "make" }, true);
  own.start();
  const tail = ["  … 3 lines before", ...Array.from({ length: 20 }, (_, index) => `  step ${index + 3}`)];
  for (const act of [own.update, own.finish]) {
    for (const isError of [false, true]) {
      act.call(own, printed(23), isError);
      expect(
        fitLines(own.render(80), 80)
          .map((line) => stripVTControlCharacters(line))
          .slice(2),
      ).toEqual(tail);
    }
  }
});

// What is written to the terminal: as little as has changed, however long the session is, and nothing that the terminal has
// taken into its scrollback.
import { setCapabilities, visibleWidth } from "@earendil-works/pi-tui";
import type { AgentMessage } from "@rondo/agent";
import type { AssistantMessage } from "@rondo/ai";
import { pngOfSize } from "@rondo/test-fixtures";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TextBlock } from "../../../src/modes/interactive/blocks/text.ts";
import { ToolBlock } from "../../../src/modes/interactive/blocks/tool.ts";
import { startRig } from "./interactive-rig.ts";

function history(count: number): AgentMessage[] {
  const answer = (text: string): AssistantMessage => ({
    role: "assistant",
    content: [{ type: "text", text }],
    api: "a",
    provider: "p",
    model: "m",
    usage: { cost: {} },
    stopReason: "stop",
    timestamp: 0,
  });
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { role: "user" as const, content: `question ${index}`, timestamp: 0 }
      : answer(`answer ${index}\n\n- one\n- two`),
  );
}

test("lines that scroll off are in the scrollback once, below what the shell had written", async () => {
  const { mode, terminal, frame } = startRig({ rows: 12 });
  const { transcript } = mode.screen;
  const block = new TextBlock(mode.view);
  transcript.add(block);
  for (let index = 0; index < 600; index++) {
    block.append(`line ${index}.\n\n`);
    if (index % 7 === 0) await frame();
  }
  block.finish("");
  await frame();
  const lines = await terminal.everything();
  const said = lines.filter((line) => line.startsWith("line "));
  expect(said).toEqual(Array.from({ length: 600 }, (_, index) => `line ${index}.`));
  expect(terminal.written).not.toContain("\x1b[3J");
});

test("a shell's output above stays where it was when the first frame is drawn and when the screen is drawn anew", async () => {
  const { mode, terminal, frame } = startRig({ rows: 12 });
  for (let index = 0; index < 5; index++) terminal.write(`shell ${index}\r\n`);
  await frame();
  mode.view.isThinkingShown = true;
  mode.screen.redraw();
  await frame();
  const lines = await terminal.everything();
  expect(lines.slice(0, 5)).toEqual(["shell 0", "shell 1", "shell 2", "shell 3", "shell 4"]);
});

test("the bytes of a streamed word are the same after two thousand messages as after ten", async () => {
  const bytesOf = async (count: number) => {
    const { mode, terminal, frame } = startRig({ agent: { initialState: { messages: history(count) } } });
    await frame();
    await frame();
    const block = new TextBlock(mode.view);
    mode.screen.transcript.add(block);
    await frame();
    const sizes: number[] = [];
    for (let index = 0; index < 60; index++) {
      const before = terminal.written.length;
      block.append(index % 10 === 9 ? "word.\n\n" : "word ");
      await frame();
      sizes.push(terminal.written.length - before);
    }
    return { sizes, held: mode.screen.transcript.lineCount };
  };
  const [short, long] = [await bytesOf(10), await bytesOf(2000)];
  // The footer's count of tokens has some digits more.
  for (const [index, size] of long.sizes.entries()) expect(size - (short.sizes[index] as number)).toBeLessThan(8);
  expect(Math.max(...long.sizes)).toBeLessThan(1500);
  expect(long.held).toBeLessThan(250);
});

test("nothing is written while nothing changes", async () => {
  const { mode, terminal, frame, shows } = startRig({});
  terminal.type("hello");
  await shows("hello");
  const before = terminal.written;
  for (let index = 0; index < 5; index++) await frame();
  expect(terminal.written).toBe(before);
  expect(mode.workbench.editor.getText()).toBe("hello");
});

test("the cursor stands behind what was typed, wide characters included", async () => {
  const { terminal, frame, shows } = startRig({});
  terminal.type("日本語 e\u0301 x");
  await shows(" x");
  await frame();
  expect(await terminal.beforeCursor()).toMatch(/^日 ?本 ?語 ? e\u0301 x$/);
});

test("a picture is drawn where the terminal can, and named where it cannot or the picture is none", async () => {
  const { mode, terminal, frame } = startRig({});
  const show = async (images: "kitty" | null, data: string) => {
    setCapabilities({ images, trueColor: true, hyperlinks: false });
    const before = terminal.written.length;
    const content = [{ type: "image" as const, data, mimeType: "image/png" }];
    mode.conversation.replay([
      { role: "toolResult", toolCallId: "1", toolName: "read", content, isError: false, timestamp: 0 },
    ]);
    await frame();
    setCapabilities({ images: null, trueColor: true, hyperlinks: false });
    return terminal.written.slice(before);
  };
  const data = pngOfSize(40, 20);
  expect(await show("kitty", data)).toMatch(/\x1b_Ga=T,f=100,q=2,C=1,c=\d+,r=\d+,i=\d+;[A-Za-z0-9+/=]+\x1b\\/);
  expect(await show(null, data)).toMatch(/ {2}\[image\/png, 1 KB\]/);
  const hostile = await show("kitty", "AAAA\x1b\\\x1b]0;t\x07");
  expect([hostile.includes("\x1b_G"), hostile.includes("\x1b]0;")]).toEqual([false, false]);
});

test("a call that ends out of sight is shown again with what it came to", async () => {
  const { mode, terminal, frame } = startRig({ rows: 10 });
  const update = {
    type: "tool_execution_start",
    toolCallId: "1",
    toolName: "bash",
    args: { command: "make" },
  } as const;
  mode.conversation.handle(update);
  for (let index = 0; index < 30; index++) mode.conversation.notice("note", `note ${index}`);
  await frame();
  const result = { content: [{ type: "text" as const, text: "built" }], details: undefined };
  mode.conversation.handle({ ...update, type: "tool_execution_end", result, isError: false });
  await frame();
  expect((await terminal.screen()).slice(0, 3)).toEqual(["", "● bash make", "  built"]);
});

test("drawn anew after much has scrolled off, nothing is lost and nothing is there twice", async () => {
  const { mode, terminal, frame } = startRig({ rows: 20 });
  for (let index = 0; index < 60; index++) mode.conversation.notice("note", `note ${index}`);
  await frame();
  for (let times = 0; times < 3; times++) {
    terminal.press("\x14");
    await frame();
    mode.conversation.notice("note", `note ${60 + times}`);
    await frame();
  }
  const lines = await terminal.everything();
  const found = lines.flatMap((line) => /^· note (\d+)$/.exec(line)?.[1] ?? []);
  expect(found).toEqual(Array.from({ length: 63 }, (_, index) => String(index)));
  expect(lines.filter((line) => line.startsWith("context "))).toHaveLength(1);
});

test("after something else has had the terminal, it goes on below", async () => {
  const { mode, terminal, frame } = startRig({ rows: 20 });
  for (let index = 0; index < 30; index++) mode.conversation.notice("note", `note ${index}`);
  await frame();
  await mode.lend(async () => terminal.write("another program\r\n"));
  await frame();
  mode.conversation.notice("note", "note 30");
  await frame();
  const lines = (await terminal.everything()).filter((line) => /^(?:· note|another|context)/.test(line));
  expect(lines).toEqual([
    ...Array.from({ length: 30 }, (_, index) => `· note ${index}`),
    "context 0 tokens · ↑0 ↓0 · $0.00",
    "another program",
    "· note 30",
    "context 0 tokens · ↑0 ↓0 · $0.00",
  ]);
});

test("a resized screen shows the end of the conversation, loses no line and no more than a screenful is there twice", async () => {
  const { mode, terminal, frame } = startRig({ rows: 20 });
  for (let index = 0; index < 60; index++)
    mode.conversation.notice("note", `note ${index} with some words to wrap when it gets narrow`);
  await frame();
  let foundBefore = 60;
  for (const [columns, rows] of [
    [40, 20],
    [120, 20],
    [120, 40],
    [80, 10],
    [80, 20],
  ] as const) {
    terminal.resize(columns, rows);
    await frame();
    const found = (await terminal.everything()).flatMap((line) => /^· note (\d+) /.exec(line)?.[1] ?? []);
    expect(new Set(found).size, `${columns}×${rows}`).toBe(60);
    expect(found.length - foundBefore, `${columns}×${rows}`).toBeLessThanOrEqual(rows / 2);
    foundBefore = found.length;
    const screen = await terminal.screen();
    expect(screen.some((line) => line.startsWith("· note 59 "))).toBe(true);
    expect(screen.filter((line) => line.startsWith("context "))).toHaveLength(1);
  }
});

test("no line is wider than the screen, at any width and whatever the text", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const wide = fc.string({
    unit: fc.constantFrom("日", "👩‍👩‍👧", "🇩🇪", "e\u0301", "กำ", "\t", "\u00a0", "a", " ", "\n", "`", "*", "|", "-"),
    maxLength: 120,
  });
  const rig = startRig({});
  fc.assert(
    fc.property(fc.oneof(text, wide), fc.integer({ min: 1, max: 200 }), (content, width) => {
      const { mode } = rig;
      const { transcript } = mode.screen;
      const block = new TextBlock(mode.view);
      const tool = new ToolBlock(mode.view, content);
      for (const part of content.match(/[\s\S]{1,7}/g) ?? []) block.append(part);
      tool.setCall(content, { command: content }, true);
      tool.finish({ content: [{ type: "text", text: content }], details: undefined }, content.length % 2 === 0);
      transcript.add(block);
      transcript.add(tool);
      mode.conversation.notice("error", content);
      const lines = mode.screen.render(width);
      transcript.letGo(transcript.lineCount);
      for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    }),
    { numRuns: 300 },
  );
});

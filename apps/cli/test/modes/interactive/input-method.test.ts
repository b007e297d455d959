// Whoever composes a word with an input method sees it, and the list of its forms, where the terminal's cursor is: that must stay at
// the caret, whatever else is drawn.
import { expect, test } from "vitest";
import { TextBlock } from "../../../src/modes/interactive/blocks/text.ts";
import { KEY_MS } from "../../../src/modes/interactive/screen.ts";
import { startRig } from "./interactive-rig.ts";
import { VirtualTerminal } from "./virtual-terminal.ts";

/** What stands left of the cursor after each write from `first` on. */
async function caretAfterEach(writes: string[], first: number, rows: number): Promise<string[]> {
  const terminal = new VirtualTerminal(80, rows);
  const found: string[] = [];
  for (const [index, data] of writes.entries()) {
    terminal.write(data);
    if (index >= first) found.push(await terminal.beforeCursor());
  }
  return found;
}

test("after each write the cursor is at the caret, while an answer comes in and a message is queued", async () => {
  const rows = 12;
  const { mode, agent, terminal, frame, shows } = startRig({ rows, steps: [{ hang: true }] });
  mode.talk.say("go");
  terminal.type("日本語 ");
  await shows("語");
  const first = terminal.writes.length;
  const block = new TextBlock(mode.view);
  mode.screen.transcript.add(block);
  for (let index = 0; index < 40; index++) {
    block.append(index % 3 === 0 ? `line ${index}\n\n` : "word ");
    mode.workbench.activity.work(`${index}`);
    if (index === 20) agent.steer({ role: "user", content: "also", timestamp: 0 });
    await frame();
  }
  const carets = await caretAfterEach(terminal.writes, first, rows);
  expect(carets.length).toBeGreaterThanOrEqual(40);
  expect(new Set(carets)).toEqual(new Set(["日本語 "]));
  const frames = terminal.writes.slice(first).filter((data) => data.includes("\x1b[?2026h"));
  for (const each of frames) expect(each.endsWith("G\x1b[?2026l")).toBe(true);
});

test("a spinner writes its own line and nothing of the editor's", async () => {
  const { mode, terminal, frame, shows } = startRig({ steps: [{ hang: true }] });
  terminal.type("かな");
  await shows("な");
  mode.workbench.activity.work("one");
  await frame();
  terminal.written = "";
  mode.workbench.activity.work("two");
  await frame();
  expect(terminal.written).toContain("two");
  expect(terminal.written).not.toMatch(/[─かな]/);
});

test("the cursor is at the caret of a list that is searched too", async () => {
  const { mode, terminal, frame, shows } = startRig({});
  void mode.workbench.pick("Model", [{ value: "a", label: "模型 a" }]);
  await shows("模");
  terminal.type("模");
  await frame();
  expect(await terminal.beforeCursor()).toBe("> 模");
});

test("for a moment after a key only keys have frames", async () => {
  let go: () => void = () => {};
  const pause = (milliseconds: number) =>
    milliseconds === KEY_MS ? new Promise<void>((resolve) => (go = resolve)) : Promise.resolve();
  const { mode, terminal, frame } = startRig({ pause });
  await frame();
  terminal.type("k");
  while (!terminal.written.includes("k\x1b[")) await new Promise((resolve) => setTimeout(resolve, 1));
  const before = terminal.writes.length;
  mode.conversation.notice("note", "something");
  // The library's own timer of a frame is shorter than these.
  for (let looks = 0; looks < 3; looks++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(terminal.writes.length).toBe(before);
  go();
  while (!terminal.written.includes("something")) await new Promise((resolve) => setTimeout(resolve, 1));
});

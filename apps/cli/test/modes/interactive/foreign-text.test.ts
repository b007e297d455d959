// Text that came from elsewhere cannot do anything to the terminal: whatever models, tools, files and people say, nothing but the
// screen's own sequences is written.
import type { AgentEvent } from "@rondo/agent";
import type { AssistantMessage } from "@rondo/ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { previewCall } from "../../../src/modes/interactive/permission-preview.ts";
import { cleanForScreen, cleanOutput, escapeForTerminal, withoutControls } from "../../../src/terminal/escape.ts";
import { startRig } from "./interactive-rig.ts";

/** What the screen itself may write: styles, frames, the cursor's way, erasing lines, showing the cursor. */
const OWN = /\x1b\[\d*(?:;\d+)*m|\x1b\[\?2026[hl]|\x1b\[\d*[ABGJ]|\x1b\[2K|\x1b\[\?25[hl]/g;
const UNSAFE = /[\x00-\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u3164\u{e0041}]/u;

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\x1b]52;c;ZXZpbA==\x07",
        "\x1b[2J",
        "\x1b]0;title\x07",
        "\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\",
        "\x9b2J",
        "\x9d0;t\x9c",
        "\x1bP+q\x1b\\",
        "\x1b_Ga=T;x\x1b\\",
        "\x1b_pi:c\x07",
        "\x1b[8m",
        "\x1b[31m",
        "good\rbad",
        "\x07",
        "\b\b",
        "\u202e",
        "\u2066",
        "\ud83d",
        "\u{e0041}",
        "\u3164",
        `a${"\u0301".repeat(40)}`,
        "\u05d0\u05d1",
        "&#27;[2J",
        "&#x1b;]0;t&#7;",
        "[a](http://x\x1b[2J)",
        "`\x1b[2J`",
        "```ts\nconst a = '\x1b[2J';\n```\n",
        "![\x9b](\x1b)",
        "<b>\x1b</b>",
        "| a | \x1b |\n| - | - |\n| \x9b | b |\n",
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("\n", "\n\n", "# ", "- ", "> ", "**"),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

function answer(content: AssistantMessage["content"]): AssistantMessage {
  const own = { api: "a", provider: "p", model: "m", usage: { cost: {} }, timestamp: 0 };
  return { role: "assistant", content, ...own, stopReason: "error", errorMessage: content.map(String).join() };
}

/** A run in which everybody says the text. */
function run(text: string): AgentEvent[] {
  const message = answer([
    { type: "thinking", thinking: text },
    { type: "text", text },
    { type: "toolCall", id: "1", name: text, arguments: { command: text } },
  ]);
  message.errorMessage = text;
  const partial = message;
  const update = (event: object) =>
    ({ type: "message_update", message, assistantMessageEvent: { partial, ...event } }) as AgentEvent;
  const result = { content: [{ type: "text" as const, text }], details: { diff: `+${text}\n-${text}` } };
  const call = { toolCallId: "1", toolName: text, args: { path: text } };
  return [
    { type: "message_start", message: { role: "user", content: text, timestamp: 0 } },
    { type: "message_start", message },
    update({ type: "thinking_start", contentIndex: 0 }),
    update({ type: "thinking_delta", contentIndex: 0, delta: text }),
    update({ type: "text_start", contentIndex: 1 }),
    ...[...text].map((delta) => update({ type: "text_delta", contentIndex: 1, delta })),
    { type: "message_end", message },
    { type: "tool_execution_start", ...call },
    { type: "tool_execution_update", ...call, partialResult: result },
    { type: "tool_execution_end", ...call, result, isError: text.length % 2 === 0 },
    { type: "agent_end", messages: [], reason: "budget", usage: { cost: {} }, errorMessage: text },
  ];
}

test("nothing that anybody says reaches the terminal as a command", async () => {
  const evil = "\x1b]0;title\x07\x9b2J\u202e\n\u3164";
  const rig = startRig({
    rows: 30,
    commands: [{ name: "evil", description: evil, argumentHint: evil, run: () => {} }],
  });
  const { mode, terminal, asker, frame } = rig;
  await frame();
  await fc.assert(
    fc.asyncProperty(hostile, fc.integer({ min: 1, max: 120 }), fc.boolean(), async (text, width, isThinkingShown) => {
      mode.view.isThinkingShown = isThinkingShown;
      await mode.session.rename(text);
      rig.agent.state.model = { ...rig.agent.state.model, id: text };
      for (const event of run(text)) mode.conversation.handle(event);
      mode.workbench.editor.putBack(text);
      rig.agent.steer({ role: "user", content: text, timestamp: 0 });
      const asked = asker.ask("bash", { command: text }, { verdict: "ask", reason: text, suggestions: ["bash"] });
      const picked = mode.workbench.pick(text, [{ value: "v", label: text, description: text }]);
      const place = { root: rig.root, home: rig.root };
      const preview = await previewCall(mode.view.theme, place, "write", { path: text, content: text });
      const lines = [...mode.screen.render(width), ...preview];
      const writing = [`\x1b[200~${text}\x1b[201~`, ...[...text].filter((character) => character > "\x7f")];
      // Into the search of the list, then, when that is gone, into the editor.
      terminal.press(...writing);
      await frame();
      mode.workbench.cancelDialogs();
      terminal.press(...writing);
      lines.push(...mode.screen.render(width));
      mode.screen.transcript.letGo(mode.screen.transcript.lineCount);
      mode.workbench.editor.setText("");
      rig.agent.clearAllQueues();
      await Promise.all([asked, picked]);
      for (const line of lines) expect(line.replace(OWN, "").replace("\x1b_pi:c\x07", "")).not.toMatch(UNSAFE);
      const written = terminal.written.replace(OWN, "").replace(/\r\n|\r/g, "");
      terminal.written = "";
      expect(written).not.toMatch(UNSAFE);
    }),
    { numRuns: 60 },
  );
});

test("what is escaped can be read, and colours of others go", () => {
  expect(escapeForTerminal("a\x1b[2Jb\u202ec\td\n")).toBe("a\\x1b[2Jb\\u202ec\td\n");
  const printed = "\x1b[31mred\x1b[0m\r\nbar 10%\rbar 99%\n\tx\x1b]0;t\x07";
  expect(cleanOutput(printed)).toBe("red\nbar 99%\n    x\\x1b]0;t\\x07");
  expect(cleanForScreen(printed)).toBe("\\x1b[31mred\\x1b[0m\nbar 10%\\x0dbar 99%\n    x\\x1b]0;t\\x07");
  expect(cleanForScreen("wo\u200brd\u{e0041} 👩‍👩‍👧")).toBe("wo\\u200brd\\u{e0041} 👩‍👩‍👧");
  expect(withoutControls("a\x9bb\u202ec\ud83d\u{e0041}\u3164 👩‍👩‍👧\n")).toBe("abc 👩‍👩‍👧\n");
});

test("the descriptions of others' commands are clean, and so is what is written by hand", async () => {
  const description = "good\x1b]0;t\x07\u202e\nend";
  const rig = startRig({ commands: [{ name: "evil", description, run: () => {} }] });
  rig.terminal.type("/evi");
  await rig.shows("good\\x1b]0;t\\x07\\u202e end");
  rig.terminal.type("\u202el\x9b \u{1f600}");
  expect(rig.mode.workbench.editor.getText()).toBe("/evil \u{1f600}");
});

test("towers of marks stay in their line, and a name with a line feed takes up one", async () => {
  const rig = startRig({ rows: 12 });
  await rig.session.rename(`one\ntwo a${"\u0301".repeat(500)}`);
  await rig.shows("one two");
  expect(rig.terminal.written.match(/\u0301+/g)?.map(({ length }) => length)).toEqual([6]);
});

test("a list in which nothing fits what is searched for says so, and stays as high as it was", async () => {
  const rig = startRig({});
  const picked = rig.mode.workbench.pick(
    "Model",
    ["a", "b", "c"].map((name) => ({ value: name, label: name })),
  );
  await rig.shows("→ a");
  const rowOfHint = async () => (await rig.terminal.screen()).findIndex((line) => line.startsWith("↑↓ choose"));
  const before = await rowOfHint();
  rig.terminal.press("\x1b[200~zz\x1b[2J\x1b[201~");
  await rig.shows("Nothing here fits “zz[2J”.");
  expect(await rowOfHint()).toBe(before);
  rig.terminal.press("\r");
  await rig.shows("Nothing here fits");
  rig.terminal.press("\x1b");
  expect(await picked).toBeUndefined();
});

test("what is asked about is shown whole, as far as there is room, and a name with a line feed is one line", async () => {
  const rig = startRig({ rows: 20 });
  const decision = { verdict: "ask" as const, reason: "it is of a server", suggestions: [] };
  const mcp = rig.asker.ask("files__move", { from: "a".repeat(200), to: { b: [1] } }, decision);
  await rig.shows('  to: {"b":[1]}');
  expect((await rig.terminal.screen()).join("").replace(/ +/g, "")).toContain("a".repeat(200));
  rig.terminal.press("n");
  await mcp;
  const long = rig.asker.ask("bash", { command: "x".repeat(2000) }, decision);
  await rig.shows("lines more (ctrl+o shows all)");
  expect((await rig.terminal.screen()).join("\n")).toMatch(/\? Allow bash\?/);
  rig.terminal.press("\x0f");
  await rig.frame();
  expect((await rig.terminal.everything()).join("").replace(/ +/g, "")).toContain("x".repeat(2000));
  rig.terminal.press("n");
  await long;
  // A terminal would show the second half of it alone.
  const overwritten = rig.asker.ask("bash", { command: "rm -rf src #\rls src" }, decision);
  await rig.shows("  rm -rf src #\\x0dls src");
  rig.terminal.press("n");
  await overwritten;
  const write = rig.asker.ask("write", { path: "a.txt\n+ harmless", content: "evil" }, decision);
  await rig.shows("  a.txt\\n+ harmless");
  rig.terminal.press("n");
  await write;
});

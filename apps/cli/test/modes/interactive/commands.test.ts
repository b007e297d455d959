// Commands of the editor, and what stands in the conversation besides what is said.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Command } from "../../../src/modes/interactive/commands/table.ts";
import { ownCommandText } from "../../../src/session/message-text.ts";
import { startRig } from "./interactive-rig.ts";

const ENTER = "\r";

test("/model offers all models, those with a key first, with prices, and searches as one types", async () => {
  const rig = startRig({ env: { TERM: "xterm-256color", OPENAI_API_KEY: "k" } });
  rig.terminal.type("/model ");
  rig.terminal.press(ENTER);
  await rig.shows("Escape leaves it");
  rig.terminal.type("gpt-6.1-sol");
  await rig.shows("openai/gpt-6.1-sol ");
  const [line = ""] = (await rig.terminal.screen()).filter((each) => each.startsWith("→ "));
  expect(line).toMatch(/^→ openai\/gpt-6\.1-sol +key ✓ · \$[\d.]+ in, \$[\d.]+ out · /);
  rig.terminal.press(ENTER);
  await rig.shows("Model: openai/gpt-6.1-sol.");
  expect(rig.agent.state.model.id).toBe("gpt-6.1-sol");
});

test("/model with a name that only one has takes it at once", async () => {
  const rig = startRig({ env: { TERM: "xterm-256color" } });
  rig.terminal.type("/model demo/script");
  rig.terminal.press(ENTER);
  await rig.shows("Model: demo/script.");
});

test("names that other agents have for a command do the same", async () => {
  const rig = startRig({});
  rig.terminal.type("/clear ");
  rig.terminal.press(ENTER);
  await rig.shows("A new conversation.");
  rig.terminal.type("/exit ");
  rig.terminal.press(ENTER);
  expect(rig.hasLeft()).toBe(true);
});

test("/help has two columns, and one below the other where there is no room", async () => {
  const help = async (columns: number, row: string) => {
    const rig = startRig({ columns, rows: 150 });
    rig.terminal.type("/help ");
    rig.terminal.press(ENTER);
    await rig.shows("Commands");
    const lines = await rig.terminal.screen();
    const at = lines.findIndex((line) => line.startsWith(row));
    return lines.slice(at, at + 2);
  };
  expect(await help(80, "  /export")).toEqual([
    "  /export [file]                Write the conversation into a file, as Markdown,",
    "                                or as HTML or JSON if its name ends so",
  ]);
  expect(await help(40, "  /model")).toEqual(["  /model [part of a name]", "                      Choose a model"]);
});

test("Escape stops the writing of notes, and the line above the editor says what one can do again", async () => {
  const rig = startRig({});
  const compact = (_instructions: string, signal: AbortSignal) =>
    new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  Object.assign(rig.session, { compact });
  rig.terminal.type("/compact ");
  rig.terminal.press(ENTER);
  await rig.shows("Writing notes… Escape stops");
  rig.terminal.press("\x1b");
  await rig.shows("Stopped. The conversation is as it was.");
  await rig.shows("Enter sends");
  Object.assign(rig.session, { compact: async () => "Notes stand for it." });
  rig.terminal.type("/compact ");
  rig.terminal.press(ENTER);
  await rig.shows("Notes stand for it.");
  await rig.shows("Enter sends");
});

test("what was queued is in the editor again when the conversation is left, and is said in no other", async () => {
  for (const command of ["/new", "/fork", "/tree", "/resume"]) {
    const rig = startRig({ steps: [{ hang: true }, "Elsewhere."] });
    Object.assign(rig.session, { list: async () => [{ id: "x", title: "x", changedAt: 0, messageCount: 1 }] });
    Object.assign(rig.session, { open: () => rig.session.startNew() });
    rig.mode.talk.say("go");
    while (rig.script.requests.length === 0) await rig.frame();
    rig.mode.talk.say("and then");
    rig.mode.talk.sayLater("and at last");
    rig.terminal.type(`${command} `);
    rig.terminal.press(ENTER);
    if (command === "/tree" || command === "/resume") {
      await rig.shows("Enter takes");
      rig.terminal.press(ENTER);
    }
    const queued = "and then\nand at last";
    const expected = command === "/tree" ? `go\n${queued}` : queued;
    for (let looks = 0; looks < 50 && rig.mode.workbench.editor.getText() !== expected; looks++) await rig.frame();
    expect(rig.mode.workbench.editor.getText(), command).toBe(expected);
    await rig.agent.waitForIdle();
    expect(rig.script.requests, command).toHaveLength(1);
  }
});

test("a command that the person ran is one again when the session is taken up", async () => {
  const said = (content: string) => ({ role: "user" as const, content, timestamp: 0 });
  const messages = [
    said(ownCommandText("make all", "done\n> not a line of it")),
    said(ownCommandText("cd src\nls", "a.ts\nb.ts")),
    said("so?"),
  ];
  const rig = startRig({ agent: { initialState: { messages } } });
  await rig.shows("› so?");
  expect((await rig.terminal.screen()).slice(0, 10)).toEqual([
    "",
    "● ! make all",
    "  done",
    "  > not a line of it",
    "",
    "● ! cd src ⏎ ls",
    "  a.ts",
    "  b.ts",
    "",
    "› so?",
  ]);
  expect((await rig.session.tree()).map(({ text }) => text)).toEqual(["!make all", "!cd src\nls", "so?"]);
  rig.terminal.press("\x1b[A", "\x1b[A");
  expect(rig.mode.workbench.editor.getText()).toBe("!cd src\nls");
});

test("what is not to be had says so", async () => {
  const rig = startRig({});
  for (const [command, answer] of [
    ["/resume", "There is no earlier conversation in this folder."],
    ["/compact", "There is nothing yet that is worth putting into notes."],
    ["/copy", "There is no answer yet."],
    ["/tree", "Nothing has been said yet."],
    ["/cost", "Nothing has been used yet."],
    ["/permissions", "No rules; the defaults hold:"],
  ] as const) {
    rig.terminal.type(`${command} `);
    rig.terminal.press(ENTER);
    await rig.shows(answer);
  }
});

test("a path at the beginning is said, and an unknown command is not", async () => {
  const rig = startRig({ steps: ["It is a file."] });
  rig.terminal.type("/etc/passwd is what?");
  rig.terminal.press(ENTER);
  await rig.shows("It is a file.");
  rig.terminal.type("/etc ");
  rig.terminal.press(ENTER);
  await rig.shows("There is no command /etc.");
});

test("commands of others are offered, listed and run like the command's own", async () => {
  const greet: Command = { name: "greet", description: "Say hello", run: (app, who) => app.talk.say(`hello ${who}`) };
  const rig = startRig({ steps: ["Hello yourself."], commands: [greet], rows: 60 });
  rig.terminal.type("/gre");
  await rig.shows("Say hello");
  rig.terminal.type("et you");
  rig.terminal.press(ENTER);
  await rig.shows("› hello you");
  await rig.shows("Hello yourself.");
  rig.terminal.type("/help ");
  rig.terminal.press(ENTER);
  await rig.shows("  /greet");
});

test("on a low screen a list shows what is searched for and what is marked, and so do suggestions", async () => {
  const rig = startRig({ columns: 40, rows: 10 });
  rig.terminal.type("/t");
  await rig.shows("→ thinking");
  expect((await rig.terminal.screen()).join("\n")).toMatch(/\n\/t ?\n─+\n→ thinking/);
  rig.terminal.press("\x15");
  const items = Array.from({ length: 40 }, (_, index) => ({ value: `${index}`, label: `item ${index}` }));
  const picked = rig.mode.workbench.pick("Things", items);
  await rig.shows("→ item 0");
  const screen = (await rig.terminal.screen()).map((line) => line.trimEnd());
  const at = screen.indexOf("Things");
  expect(screen.slice(at, at + 6)).toEqual(["Things", ">", "→ item 0", "  item 1", "  item 2", "  (1/40)"]);
  rig.mode.workbench.cancelDialogs();
  expect(await picked).toBeUndefined();
});

test("what the session has to say stands in the conversation, without what a terminal would obey", async () => {
  const rig = startRig({});
  rig.keeper.onNotice("a/b failed, so c/d is asked.\x1b[2J");
  await rig.shows("a/b failed, so c/d is asked.");
});

test("Ctrl+T unfolds thinking and Ctrl+O what tools gave back, of what can be seen", async () => {
  const rig = startRig({ rows: 30 });
  const text = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");
  rig.mode.conversation.replay([
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "a long thought" },
        { type: "toolCall", id: "1", name: "read", arguments: { path: "a.txt" } },
      ],
      api: "a",
      provider: "p",
      model: "m",
      usage: { cost: {} },
      stopReason: "toolUse",
      timestamp: 0,
    },
    {
      role: "toolResult",
      toolCallId: "1",
      toolName: "read",
      content: [{ type: "text", text }],
      isError: false,
      timestamp: 0,
    },
  ]);
  await rig.shows("12 lines");
  const before = (await rig.terminal.screen()).filter((line) => line !== "");
  expect(before.slice(0, 3)).toEqual(["∴ thought", "● read a.txt", "  12 lines"]);
  rig.terminal.press("\x14", "\x0f");
  await rig.shows("line 11");
  const after = (await rig.terminal.everything()).filter((line) => line !== "");
  expect(after.slice(0, 3)).toEqual(["∴ a long thought", "● read a.txt", "  line 0"]);
  expect(after.filter((line) => line.startsWith("context "))).toHaveLength(1);
  rig.terminal.press("\x14", "\x0f");
  await rig.shows("12 lines");
});

test("an export is for its owner alone and replaces nothing", async () => {
  const rig = startRig({ steps: ["Hello."] });
  rig.terminal.type("hi");
  rig.terminal.press(ENTER);
  await rig.shows("Hello.");
  for (const [name, answer] of [
    ["talk.json", "Written to talk.json."],
    ["talk.html", "Written to talk.html."],
    ["talk.md", "Written to talk.md."],
    ["talk.json", "Nothing was written to talk.json: there is such a file already"],
    ["no/talk.md", "Nothing was written to no/talk.md: its folder is not there"],
  ] as const) {
    rig.terminal.type(`/export ${name}`);
    rig.terminal.press(ENTER);
    await rig.shows(answer);
  }
  const written = readdirSync(rig.root).filter((name) => name.startsWith("talk"));
  expect(written.sort()).toEqual(["talk.html", "talk.json", "talk.md"]);
  expect(readFileSync(join(rig.root, "talk.html"), "utf8")).toContain("<pre>Hello.</pre>");
  expect(readFileSync(join(rig.root, "talk.md"), "utf8")).toMatch(/\n## You\n\nhi\n\n## \S+\n\nHello\.\n$/);
  expect(statSync(join(rig.root, "talk.json")).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(rig.root, "talk.json"), "utf8"))).toEqual(rig.agent.state.messages);
});

// Commands of the editor, and keys that change how things look.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import type { Command } from "../../../src/modes/interactive/commands/table.ts";
import { Highlighter } from "../../../src/modes/interactive/highlighter.ts";
import { OPENING_MS } from "../../../src/modes/interactive/interactive-mode.ts";
import { createKeyBindings } from "../../../src/modes/interactive/key-bindings.ts";
import {
  EDITOR_KEY_NAMES,
  keyConflict,
  keyProblem,
  RONDO_KEY_BINDINGS,
} from "../../../src/modes/interactive/key-table.ts";
import { createTheme, themeFor } from "../../../src/modes/interactive/theme.ts";
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

test("a permission may be for the session", async () => {
  const rig = startRig({});
  const asked = rig.asker.ask("edit", {}, { verdict: "ask", reason: "it changes files", suggestions: ["edit(a.ts)"] });
  await rig.shows("Allow edit?");
  rig.terminal.press("a");
  expect(await asked).toEqual({ allow: true, remember: "session" });
});

test("letters and Enter of somebody who is writing answer no question that comes meanwhile", async () => {
  const rig = startRig({});
  rig.terminal.type("also");
  const asked = rig.asker.ask("edit", {}, { verdict: "ask", reason: "it changes files", suggestions: ["edit(a.ts)"] });
  await rig.shows("You were writing. Press ↓ to answer; what you wrote is kept.");
  rig.terminal.type(" and you");
  rig.terminal.press(ENTER, "\x1b[B");
  await rig.shows("→ y  Yes, this once");
  rig.terminal.press("n");
  expect(await asked).toEqual({ allow: false });
  expect(rig.mode.workbench.editor.getText()).toBe("also");
});

test("a letter that was on its way when a question appears answers nothing", async () => {
  let open: () => void = () => {};
  const pause = (milliseconds: number) =>
    milliseconds === OPENING_MS ? new Promise<void>((resolve) => (open = resolve)) : Promise.resolve();
  const rig = startRig({ pause });
  const decision = { verdict: "ask" as const, reason: "it changes files", suggestions: ["edit(a.ts)"] };
  const first = rig.asker.ask("edit", {}, decision);
  await rig.shows("  y  Yes, this once");
  rig.terminal.press("y", "e", ENTER);
  await rig.shows("You were writing. Press ↓ to answer.");
  open();
  rig.terminal.press("y", "\x1b[B");
  await rig.shows("→ y  Yes, this once");
  rig.terminal.press("n");
  expect(await first).toEqual({ allow: false });
  const second = rig.asker.ask("edit", {}, decision);
  await rig.shows("  y  Yes, this once");
  open();
  await rig.shows("→ y  Yes, this once");
  rig.terminal.press("y");
  expect(await second).toEqual({ allow: true });
});

test("Escape says no to a question, also while somebody is writing", async () => {
  const rig = startRig({});
  rig.terminal.type("also");
  const asked = rig.asker.ask("edit", {}, { verdict: "ask", reason: "it changes files", suggestions: ["edit(a.ts)"] });
  await rig.shows("You were writing.");
  rig.terminal.press("\x1b");
  expect(await asked).toEqual({ allow: false });
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

test("a call of which no rule can be made is allowed once or not at all", async () => {
  const rig = startRig({});
  const decision = { verdict: "ask" as const, reason: "it may do anything", suggestions: [] };
  const asked = rig.asker.ask("bash", { command: "a\nb" }, decision);
  await rig.shows("Allow bash?");
  const answers = (await rig.terminal.screen()).filter((line) => /^[→ ] [a-z] {2}/.test(line));
  expect(answers).toEqual(["→ y  Yes, this once", "  n  No", "  r  No, with a reason"]);
  rig.terminal.press("\x1b");
  expect(await asked).toEqual({ allow: false });
});

test("what an answer allows for longer stands there whole, or is counted and shown by Ctrl+O", async () => {
  const rig = startRig({});
  const suggestions = ["bash(npm run lint)", "bash(npm run build)", "bash(rm -rf dist)"];
  const decision = { verdict: "ask" as const, reason: "it runs", suggestions };
  const asked = rig.asker.ask("bash", { command: "make" }, decision);
  await rig.shows("→ y  Yes");
  const screen = await rig.terminal.screen();
  expect(screen.slice(screen.indexOf("  make"), screen.indexOf("  n  No"))).toEqual([
    "  make",
    "",
    "  a and p allow: bash(npm run lint), bash(npm run build), bash(rm -rf dist)",
    "→ y  Yes, this once",
    "  a  Always in this session",
    "  p  Always in this project",
  ]);
  rig.terminal.press("n");
  await asked;
  const many = Array.from({ length: 40 }, (_, index) => `bash(step ${index})`);
  const again = rig.asker.ask("bash", { command: "make" }, { ...decision, suggestions: many });
  await rig.shows("  … 6 lines more (ctrl+o shows all)\n→ y  Yes");
  rig.terminal.press("\x0f");
  await rig.frame();
  expect((await rig.terminal.everything()).join(" ").replace(/ +/g, " ")).toContain(many.join(", "));
  rig.terminal.press("n");
  await again;
});

test("on a low screen the answers share a line, and what is asked about can be seen", async () => {
  const rig = startRig({ columns: 40, rows: 10 });
  const decision = {
    verdict: "ask" as const,
    reason: "running commands can change things",
    suggestions: ["bash(make)"],
  };
  const asked = rig.asker.ask("bash", { command: "make" }, decision);
  await rig.shows("Allow bash?");
  const lines = (await rig.terminal.screen()).slice(2, 8);
  expect(lines).toEqual([
    "? Allow bash? running commands can",
    "  change things.",
    "  make",
    "  a and p allow: bash(make)",
    "→ y yes · a session · p project · n no ·",
    "  r no, because…",
  ]);
  rig.terminal.press("n");
  expect(await asked).toEqual({ allow: false });
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

test("a question keeps its answers on the screen when that becomes lower", async () => {
  const rig = startRig({ rows: 30 });
  const command = Array.from({ length: 12 }, (_, index) => `step ${index}`).join("\n");
  const decision = { verdict: "ask" as const, reason: "it runs", suggestions: [] };
  const asked = rig.asker.ask("bash", { command }, decision);
  await rig.shows("  step 11");
  rig.terminal.resize(80, 12);
  await rig.shows("lines more (ctrl+o shows all)");
  const screen = (await rig.terminal.screen()).join("\n");
  expect(screen).toMatch(/\? Allow bash\? it runs\.\n {2}step 0\n {2}step 1\n {2}… 10 lines more/);
  expect(screen).toContain("y yes · n no");
  rig.terminal.press("n");
  await asked;
});

test("what the session has to say stands in the conversation, without what a terminal would obey", async () => {
  const rig = startRig({});
  rig.keeper.onNotice("a/b failed, so c/d is asked.\x1b[2J");
  await rig.shows("a/b failed, so c/d is asked.");
});

test("questions come one after the other", async () => {
  const rig = startRig({});
  const decision = { verdict: "ask" as const, reason: "it runs", suggestions: [] };
  const [first, second] = ["one", "two"].map((command) => rig.asker.ask("bash", { command }, decision));
  await rig.shows("  one");
  rig.terminal.press("y");
  await rig.shows("  two");
  rig.terminal.press("n");
  expect(await Promise.all([first, second])).toEqual([{ allow: true }, { allow: false }]);
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

test("the theme follows the terminal, NO_COLOR before all", () => {
  expect(themeFor({ TERM: "xterm-256color", NO_COLOR: "1" })).toBe("plain");
  expect(themeFor({ TERM: "xterm" })).toBe("ansi16");
  expect(themeFor({ TERM: "xterm-256color" })).toBe("dark");
  expect(themeFor({ TERM: "xterm", COLORTERM: "truecolor", COLORFGBG: "0;15" })).toBe("light");
});

test("styles and keys can be changed by name", () => {
  const { paint } = createTheme("plain", new Highlighter(() => {}), {
    accent: "bold #ff8000 nonsense",
    error: "bright-red",
  });
  expect(paint("accent", "x")).toBe("\x1b[1m\x1b[38;2;255;128;0mx\x1b[39m\x1b[22m");
  expect(paint("error", "x")).toBe("\x1b[91mx\x1b[39m");
  expect(paint("success", "x")).toBe("x");
  const keys = createKeyBindings({ "rondo.model": "ctrl+p", "tui.editor.yank": "ctrl+t", "tui.select.up": "ctrl+o" });
  expect([keys.matches("\x10", "rondo.model"), keys.matches("\x0c", "rondo.model")]).toEqual([true, false]);
  // A key that was given away is free of its old meaning; those of lists hold beside the others.
  expect(keys.getKeys("rondo.toggleThinking")).toEqual([]);
  expect(keys.getKeys("rondo.toggleDetails")).toEqual(["ctrl+o"]);
});

test("keys are checked by name, and every name of the terminal library is known", () => {
  expect(Object.keys(EDITOR_KEY_NAMES).sort()).toEqual(Object.keys(TUI_KEYBINDINGS).sort());
  const defaults = Object.entries({ ...TUI_KEYBINDINGS, ...RONDO_KEY_BINDINGS });
  for (const [name, { defaultKeys }] of defaults) expect(keyProblem(name, defaultKeys as string)).toBeUndefined();
  for (const key of ["ctrl+", "ctrl++", "hyper+a", "f13", "", "ctrl+é", "shift+a", "?"])
    expect(keyProblem("rondo.model", key), key).toMatch(/is no key|is written with that key/);
  const both = { "rondo.model": "ctrl+p", "rondo.leave": ["f2", "Ctrl+P"] };
  expect(keyConflict(both)).toBe(
    "Ctrl+P is given to both rondo.model and rondo.leave, and only one of them can have it.",
  );
});

test("/settings shows the keys and the colours by name, and the file in which they are changed", async () => {
  const rig = startRig({ columns: 120, rows: 80, env: { TERM: "xterm-256color", RONDO_CONFIG: "/config" } });
  const choose = async (wanted: string) => {
    rig.terminal.type("/settings ");
    rig.terminal.press(ENTER);
    await rig.shows("Escape leaves it");
    rig.terminal.type(wanted);
    rig.terminal.press(ENTER);
  };
  await choose("Keys:");
  await rig.shows("  rondo.abort                    escape · Stop what it is doing");
  const file = "· Changed by name in /config/settings.json, as in";
  await rig.shows(`${file} { "keys": { "rondo.model": "ctrl+p" } }`);
  await choose("Colours");
  await rig.shows("Styles of the theme dark");
  await rig.shows(`${file} { "styles": { "accent": "bold #ff8000" }`);
});

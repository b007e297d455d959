// What is written and pasted into the editor, and what becomes of it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Draft } from "../../../src/modes/interactive/editor/draft.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { startRig } from "./interactive-rig.ts";

const ENTER = "\r";
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

/** What the model was told last. */
function lastTold(rig: ReturnType<typeof startRig>): string {
  const last = rig.script.requests.at(-1)?.context.messages.at(-1);
  const [part] = (last?.content ?? []) as { text: string }[];
  return part?.text ?? "";
}

test("a paste is one line in the editor and reaches the model as it was, tabs and all", async () => {
  const rig = startRig({ steps: ["Read.", "Read.", "Read."] });
  const long = Array.from({ length: 5000 }, (_, index) => `\tline ${index}\tof 日本 and 👩‍👩‍👧 ${"x".repeat(20)}`).join(
    "\n",
  );
  for (const [pasted, told, shown] of [
    [long.replaceAll("\n", "\r\n"), long.trim(), "[paste #1 +5000 lines]"],
    ["all:\r\tmake\rend", "all:\n\tmake\nend", " make"],
    ["a\x1b[106;5ub\x1b[105;5uc", "a\nb\tc", "b c"],
  ] as const) {
    const before = rig.script.requests.length;
    rig.terminal.press(paste(pasted));
    await rig.shows(shown);
    expect(rig.mode.workbench.editor.getExpandedText().trim()).toBe(told);
    rig.terminal.press(ENTER);
    while (rig.script.requests.length === before || rig.agent.state.isStreaming) await rig.frame();
    expect(lastTold(rig)).toBe(told);
  }
  // On the screen its beginning, and how much more there is.
  expect((await rig.terminal.everything()).join("\n")).toMatch(/ line 39 .*\n {2}… 4960 lines more\n/);
  rig.terminal.press("\x1b[A");
  expect(rig.mode.workbench.editor.getText()).toBe("a\nb\tc");
  expect(rig.terminal.written).not.toMatch(/[\t\ufdd0]/);
});

test("a paste in the middle of what is written is undone in one step, and one that holds its own end is harmless", async () => {
  const rig = startRig({});
  const { editor } = rig.mode.workbench;
  rig.terminal.type("ab");
  rig.terminal.press("\x1b[D", paste("one\ntwo"));
  expect(editor.getText()).toBe("aone\ntwob");
  rig.terminal.press("\x1f");
  expect(editor.getText()).toBe("ab");
  rig.terminal.press(paste("x\x1b[201~y"));
  expect(editor.getText()).toBe("ax[201~yb");
});

test("words, lines and what was cut: the keys of shells and of other agents", () => {
  const rig = startRig({});
  const { editor } = rig.mode.workbench;
  rig.terminal.type("one two three");
  rig.terminal.press("\x1bb", "\x17");
  expect(editor.getText()).toBe("one three");
  rig.terminal.press("\x1f");
  expect(editor.getText()).toBe("one two three");
  rig.terminal.press("\x01", "\x1bd");
  expect(editor.getText()).toBe(" two three");
  rig.terminal.press("\x05", "\x15");
  expect(editor.getText()).toBe("");
  rig.terminal.press("\x19");
  expect(editor.getText()).toBe(" two three");
  for (const newLine of ["\n", "\x1b[13;2u", "\\\r"]) {
    editor.setText("");
    rig.terminal.type("a");
    for (const key of newLine === "\\\r" ? ["\\", "\r"] : [newLine]) rig.terminal.press(key);
    rig.terminal.type("b");
    expect(editor.getText(), JSON.stringify(newLine)).toBe("a\nb");
  }
});

test("the arrow up reaches what was sent in earlier sessions, and a slow disk keeps nobody from writing", async () => {
  const sessions = temporaryFolder();
  // A file that gives nothing until somebody writes into it.
  const file = join(sessions, "prompts");
  execFileSync("mkfifo", [file]);
  const rig = startRig({ sessions, steps: ["Read."] });
  const { editor } = rig.mode.workbench;
  rig.terminal.type("now");
  rig.terminal.press(ENTER);
  await rig.shows("Read.");
  const earlier = ["old", "now", "make\tall\nplease\x1b[2J", "/model x"];
  writeFileSync(file, earlier.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const reached = () => {
    editor.setText("");
    const texts = Array.from({ length: 8 }, () => {
      rig.terminal.press("\x1b[A");
      return editor.getText();
    });
    return [...new Set(texts)];
  };
  while (!reached().includes("old")) await rig.frame();
  expect(reached()).toEqual(["now", "/model x", "make\tall\nplease[2J", "old"]);
});

test("of several drafts that were left each run takes one, that of its own number or the newest, and none is lost", () => {
  const home = temporaryFolder();
  // But for the last, no process has such a number.
  const owners = [4_194_305, 4_194_306, process.pid];
  const left = join(home, ".rondo", "drafts");
  mkdirSync(left, { recursive: true });
  const prefix = createHash("sha256").update("/w").digest("hex").slice(0, 16);
  owners.forEach((owner, age) => {
    const file = join(left, `${prefix}-${owner}.txt`);
    writeFileSync(file, `draft ${age}`);
    utimesSync(file, 1000 - age, 1000 - age);
  });
  const draft = new Draft(home, "/w");
  expect(draft.takeOver()).toBe("draft 2");
  expect(
    readdirSync(left)
      .map((name) => readFileSync(join(left, name), "utf8"))
      .sort(),
  ).toEqual(["draft 0", "draft 1", "draft 2"]);
  const others = [0, 1, 2].map(() => {
    draft.note("");
    draft.flush();
    return draft.takeOver();
  });
  expect(others).toEqual(["draft 0", "draft 1", ""]);
});

test("what is queued when rondo ends, however it ends, is in the editor at the next start", async () => {
  const rig = startRig({ steps: [{ hang: true }] });
  rig.terminal.type("go");
  rig.terminal.press(ENTER);
  while (rig.script.requests.length === 0) await rig.frame();
  rig.terminal.type("not that file");
  rig.terminal.press(ENTER);
  await rig.shows("↳ next: not that file");
  rig.terminal.type("and");
  const drafts = join(rig.root, ".rondo", "drafts");
  for (const end of [rig.mode.restore, () => rig.mode.close()]) {
    await end();
    expect(readdirSync(drafts).map((name) => readFileSync(join(drafts, name), "utf8"))).toEqual(["not that file\nand"]);
  }
});

test("on a screen of any size there is something to see, and nothing fails", async () => {
  for (const [columns, rows] of [
    [1, 1],
    [2, 40],
    [5, 3],
    [80, 1],
    [9, 9],
  ] as const) {
    const rig = startRig({ columns, rows, greeting: "日本 hello" });
    rig.terminal.type("日本 /model");
    rig.mode.conversation.notice("error", "something 👩‍👩‍👧 went wrong");
    await rig.frame();
    const asked = rig.asker.ask(
      "bash",
      { command: "make all" },
      { verdict: "ask", reason: "it runs", suggestions: [] },
    );
    const picked = rig.mode.workbench.pick("Model", [{ value: "a", label: "日本語" }]);
    for (const size of [columns, columns + 1, columns]) {
      rig.terminal.resize(size, rows);
      await rig.frame();
      await rig.frame();
    }
    expect((await rig.terminal.everything()).join("").trim(), `${columns}×${rows}`).not.toBe("");
    rig.mode.workbench.cancelDialogs();
    await Promise.all([asked, picked]);
  }
});

test("what Ctrl+C has cleared comes back by undo", () => {
  const rig = startRig({});
  rig.terminal.type("one two");
  rig.terminal.press("\x03", "\x1f");
  expect(rig.mode.workbench.editor.getText()).toBe("one two");
});

test("what was queued and heard is no draft any more", async () => {
  const rig = startRig({ steps: ["One.", "Two."] });
  rig.mode.talk.say("go");
  rig.mode.talk.sayLater("then");
  await rig.shows("Two.");
  rig.mode.restore();
  expect(existsSync(join(rig.root, ".rondo", "drafts"))).toBe(false);
});

// Questions about permissions: their answers, what they show, and that nobody answers one by accident.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OPENING_MS } from "../../../src/modes/interactive/interactive-mode.ts";
import { startRig } from "./interactive-rig.ts";

const ENTER = "\r";

test("a permission may be for the session", async () => {
  const rig = startRig({});
  const asked = rig.asker.ask("edit", {}, { verdict: "ask", reason: "it changes files", suggestions: ["edit(a.ts)"] });
  await rig.shows("Allow edit?");
  rig.terminal.press("a");
  expect(await asked).toEqual({ allow: true, remember: "session" });
});

test("a question about a pipe to which nobody writes is asked all the same", async () => {
  const rig = startRig({});
  execFileSync("mkfifo", [join(rig.root, "pipe")]);
  const decision = { verdict: "ask" as const, reason: "it changes files", suggestions: [] };
  const asked = rig.asker.ask("write", { path: "pipe", content: "x" }, decision);
  await rig.shows("Allow write?");
  rig.terminal.press("n");
  expect(await asked).toEqual({ allow: false });
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

test("on the lowest screen stands the beginning of the command, and what cannot be seen cannot be allowed", async () => {
  const rig = startRig({ columns: 20, rows: 5 });
  const ask = (command: string) =>
    rig.asker.ask("bash", { command }, { verdict: "ask", reason: "it runs a program", suggestions: ["bash(npm:*)"] });
  const asked = ask(`npm test --silent && echo done${" more".repeat(100_000)}`);
  await rig.shows("y yes");
  expect((await rig.terminal.screen()).slice(0, 3)).toEqual([
    "? bash npm test",
    "  --silent && echo …",
    "→ y yes · n no",
  ]);
  for (const key of ["a", "p", "y"]) rig.terminal.press(key);
  expect(await asked).toEqual({ allow: true });
  const again = ask("make");
  await rig.shows("? bash make");
  rig.terminal.press("\x1b");
  expect(await again).toEqual({ allow: false });
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

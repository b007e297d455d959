// A task from the prompt over questions, a diff and steering to its end, as README.md and docs/interactive.md show it; and all
// commands and keys.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createCommands } from "../../../src/modes/interactive/commands/index.ts";
import { createKeyBindings } from "../../../src/modes/interactive/key-bindings.ts";
import { EDITOR_KEY_NAMES, RONDO_KEY_BINDINGS } from "../../../src/modes/interactive/key-table.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { needsTmux, TerminalSession } from "./terminal-session.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../../test-fixtures/workspaces/rondo-form", import.meta.url));
const DOCUMENT = fileURLToPath(new URL("../../../../../docs/interactive.md", import.meta.url));
const README = fileURLToPath(new URL("../../../../../README.md", import.meta.url));
/** Where something was left out of a screen. */
const LEFT_OUT = "  ⋮";
const GENERATED = /<!-- generated from [^>]*-->\n/;

/** The document with another text in one of its places. */
function withScreen(document: string, name: string, screen: string): string {
  const mark = `<!-- screen: ${name} -->\n`;
  expect(document).toContain(mark);
  const at = document.indexOf(mark) + mark.length;
  const rest = document.slice(at).replace(/^\n```text\n[\s\S]*?\n```\n/, "");
  return `${document.slice(0, at)}\n\`\`\`text\n${screen}\n\`\`\`\n${rest}`;
}

/** A screen without what differs from run to run: what the test runner prints, the spinner, counts. */
function steady(screen: string): string {
  return screen
    .replace(/^\n+/, "")
    .replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] \d+ s /gm, "⠋ 4 s ")
    .replace(/^([✗●] bash npm test --silent)\n(?: {2}.*\n|\n(?= {2}))+/gm, "$1\n  …\n")
    .replace(/context \S+ tokens/, "context 1.2k tokens");
}

/** The tables at the end of the document. */
function tables(): string {
  const commands = createCommands().map(
    ({ name, argumentHint, description }) =>
      `| \`/${name}${argumentHint ? ` ${argumentHint}` : ""}\` | ${description}. |`,
  );
  const keys = createKeyBindings();
  const bindings = (Object.keys(RONDO_KEY_BINDINGS) as (keyof typeof RONDO_KEY_BINDINGS)[]).map(
    (name) => `| ${keys.getKeys(name).join(", ")} | ${RONDO_KEY_BINDINGS[name].description}. | \`${name}\` |`,
  );
  const editorKeys = Object.entries(EDITOR_KEY_NAMES).map(
    ([name, what]) => `| ${keys.getKeys(name as "tui.input.tab").join(", ")} | ${what}. | \`${name}\` |`,
  );
  return [
    "## Commands\n",
    "| Command | What it does |\n| --- | --- |",
    ...commands,
    "\n## Keys\n",
    "The third column is the name for [settings](settings.md).\n",
    "| Key | What it does | Name |\n| --- | --- | --- |",
    ...bindings,
    "\nOf the editor and of lists:\n",
    "| Key | What it does | Name |\n| --- | --- | --- |",
    ...editorKeys,
  ].join("\n");
}

/** A folder with an npm that waits, while there is a gate, until something is written into it. */
function npmWithGate(folder: string): { bin: string; gate: string } {
  const [bin, gate] = [join(folder, "bin"), join(folder, "gate")];
  mkdirSync(bin);
  const script = `#!/bin/sh\n[ -p '${gate}' ] && read -r _ < '${gate}'\nPATH="\${PATH#*:}" exec npm "$@"\n`;
  writeFileSync(join(bin, "npm"), script, { mode: 0o755 });
  return { bin, gate };
}

/** The screens of a session in which a test is mended: the question about the change, steering, and everything at its end. */
async function play(): Promise<{ question: string; steering: string; end: string }> {
  const home = temporaryFolder();
  const cwd = join(home, "rondo-form");
  cpSync(EXAMPLE, cwd, { recursive: true });
  const { bin, gate } = npmWithGate(home);
  const session = await TerminalSession.start({ home, cwd, env: { PATH: `${bin}:${process.env["PATH"]}` } });
  await session.write("fix the failing test");
  await session.press("Enter");
  await session.waitFor((screen) => screen.includes("Allow bash?") && screen.includes("→ y  Yes"));
  await session.press("a");
  const question = await session.waitFor((screen) => screen.includes("Allow edit?") && screen.includes("→ y  Yes"));
  // The test runs for as long as it takes to say something meanwhile.
  execFileSync("mkfifo", [gate]);
  await session.press("y");
  await session.waitFor("◐ bash npm test --silent");
  await session.write("check that no test fails");
  await session.press("Enter");
  const steering = await session.waitFor("↳ next: check that no test fails");
  writeFileSync(gate, "\n");
  rmSync(gate);
  await session.waitFor((screen) => screen.includes("nothing to mend") && screen.includes("/help"));
  const [, end = ""] = (await session.everything()).split("before\n\n");
  for (const said of ["› fix the failing test", "› check that no test fails"]) expect(end.split(said)).toHaveLength(2);
  await session.press("C-d");
  await session.waitFor("ended with 0");
  expect(await session.modes()).toEqual({ bracketedPaste: false, cursorHidden: false, isCanonical: true });
  return { question, steering, end };
}

/** The session in short: how it begins, the screen when somebody steers, and how it ends. */
function inShort(steering: string, end: string): string {
  const beginning = end.slice(end.indexOf("› fix"), end.indexOf("\n\n● ls"));
  const ending = end.slice(end.lastIndexOf("● bash npm test"));
  return [beginning, LEFT_OUT, steering, LEFT_OUT, ending].join("\n");
}

test("README.md and docs/interactive.md show a session, all commands and all keys as they are", async (context) => {
  needsTmux(context);
  const { question, steering, end } = await play();
  const document = readFileSync(DOCUMENT, "utf8");
  const mark = GENERATED.exec(document);
  const before = document.slice(0, (mark?.index ?? 0) + (mark?.[0].length ?? 0));
  const asked = withScreen(before, "question", steady(question));
  const steered = withScreen(asked, "steering", steady(steering));
  const shown = withScreen(steered, "end", steady(end));
  await expect(`${shown}\n${tables()}\n`).toMatchFileSnapshot(DOCUMENT);
  const short = inShort(steady(steering), steady(end));
  await expect(withScreen(readFileSync(README, "utf8"), "short", short)).toMatchFileSnapshot(README);
});

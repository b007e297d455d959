// A task from the prompt over questions, a diff and steering to its end, as docs/interactive.md shows it; and all commands and keys.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createCommands } from "../../../src/modes/interactive/commands/index.ts";
import { createKeyBindings, RONDO_KEY_BINDINGS } from "../../../src/modes/interactive/key-bindings.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { needsTmux, TerminalSession } from "./terminal-session.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../../test-fixtures/workspaces/rondo-form", import.meta.url));
const DOCUMENT = fileURLToPath(new URL("../../../../../docs/interactive.md", import.meta.url));
const GENERATED = /<!-- generated from [^>]*-->\n/;

/** The document with another text in one of its places. */
function withScreen(document: string, name: string, screen: string): string {
  const mark = `<!-- screen: ${name} -->\n`;
  const at = document.indexOf(mark) + mark.length;
  const rest = document.slice(at).replace(/^\n```text\n[\s\S]*?\n```\n/, "");
  return `${document.slice(0, at)}\n\`\`\`text\n${screen}\n\`\`\`\n${rest}`;
}

/** A screen without what differs from run to run: what the test runner prints, the spinner, counts. */
function steady(screen: string): string {
  return screen
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
  return [
    "## Commands\n",
    "| Command | What it does |\n| --- | --- |",
    ...commands,
    "\n## Keys\n",
    "The third column is the name for settings.\n",
    "| Key | What it does | Name |\n| --- | --- | --- |",
    ...bindings,
  ].join("\n");
}

/** The screens of a session in which a test is mended: the question about the change, and everything at its end. */
async function play(): Promise<{ question: string; end: string }> {
  const home = temporaryFolder();
  const cwd = join(home, "rondo-form");
  cpSync(EXAMPLE, cwd, { recursive: true });
  const session = await TerminalSession.start({ home, cwd });
  await session.write("fix the failing test");
  await session.press("Enter");
  await session.waitFor((screen) => screen.includes("Allow bash?") && screen.includes("→ y  Yes"));
  await session.press("a");
  const question = await session.waitFor((screen) => screen.includes("Allow edit?") && screen.includes("→ y  Yes"));
  await session.press("y");
  await session.write("check that no test fails");
  await session.press("Enter");
  await session.waitFor((screen) => screen.includes("nothing to mend") && screen.includes("/help"));
  const [, end = ""] = (await session.everything()).split("before\n\n");
  for (const said of ["› fix the failing test", "› check that no test fails"]) expect(end.split(said)).toHaveLength(2);
  await session.press("C-d");
  await session.waitFor("ended with 0");
  expect(await session.modes()).toEqual({ bracketedPaste: false, cursorHidden: false, isCanonical: true });
  return { question, end };
}

test("docs/interactive.md shows a session, all commands and all keys as they are", async (context) => {
  needsTmux(context);
  const { question, end } = await play();
  const document = readFileSync(DOCUMENT, "utf8");
  const mark = GENERATED.exec(document);
  const before = document.slice(0, (mark?.index ?? 0) + (mark?.[0].length ?? 0));
  const asked = withScreen(before, "question", steady(question));
  const shown = withScreen(asked, "end", steady(end));
  await expect(`${shown}\n${tables()}\n`).toMatchFileSnapshot(DOCUMENT);
});

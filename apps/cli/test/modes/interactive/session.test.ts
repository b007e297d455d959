// Interactive mode as a person meets it: the built command in a terminal, with the demo model.
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { needsTmux, TerminalSession } from "./terminal-session.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../../test-fixtures/workspaces/rondo-form", import.meta.url));

beforeEach(needsTmux);

/** A copy of the example whose test fails. */
function example(): string {
  const folder = temporaryFolder();
  cpSync(EXAMPLE, folder, { recursive: true });
  return folder;
}

test("a task goes from the prompt over questions, a diff and steering to its end", async () => {
  const session = await TerminalSession.start({ cwd: example() });
  await session.write("fix the failing test");
  await session.press("Enter");
  expect(await session.waitFor("Allow bash?")).toContain("  npm test --silent\n");
  await session.press("a");
  const question = await session.waitFor("Allow edit?");
  expect(question).toContain("  -  for (let index = 0; index < episodes.length - 1; index++) {\n");
  expect(question).toContain("  +  for (let index = 0; index < episodes.length; index++) {\n");
  await session.press("y");
  await session.write("check that no test fails");
  await session.press("Enter");
  await session.waitFor("nothing to mend");
  const all = await session.everything();
  expect(all).toContain("● edit src/form.js\n");
  for (const said of ["› fix the failing test", "› check that no test fails"]) expect(all.split(said).length).toBe(2);
  await session.press("C-d");
  await session.waitFor("ended with 0");
  expect(await session.modes()).toEqual({ bracketedPaste: false, cursorHidden: false, isCanonical: true });
});

test("Escape stops at once, gives back what was queued, and then shows the tree", async () => {
  const session = await TerminalSession.start({ args: ["--model", "demo", "--allow", "bash"] });
  await session.write("run sleep 1000");
  await session.press("Enter");
  await session.waitFor("◐ bash sleep 1000");
  await session.write("first thought");
  await session.press("Enter");
  await session.waitFor("↳ next: first thought");
  await session.write("for afterwards");
  await session.press("M-Enter");
  await session.waitFor("↳ then: for afterwards");
  await session.press("M-Up");
  await session.waitFor((screen) => !screen.includes("↳ then") && screen.includes("\nfor afterwards"));
  await session.press("C-u");
  await session.waitFor((screen) => !screen.includes("for afterwards"));
  await session.press("Escape");
  const stopped = await session.waitFor("Stopped.");
  expect(stopped).toContain("✗ bash sleep 1000");
  expect(stopped).toMatch(/─\nfirst thought\n─/);
  await session.press("C-c");
  await session.waitFor((screen) => !screen.includes("first thought"));
  await session.press("Escape", "Escape");
  await session.waitFor("Go back to before");
  await session.press("Enter");
  await session.waitFor(/─\nrun sleep 1000\n─/);
  await session.press("C-c");
  await session.waitFor((screen) => !/─\nrun sleep 1000\n─/.test(screen));
  await session.press("C-c", "C-c");
  await session.waitFor("ended with 0");
});

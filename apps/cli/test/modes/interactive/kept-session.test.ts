// Sessions, trust and templates at a real terminal.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { rondo } from "../../command.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { needsTmux, TerminalSession } from "./terminal-session.ts";

beforeEach(needsTmux);

/** A project that brings a prompt along, and a home of its own. */
function project() {
  const base = temporaryFolder();
  const cwd = join(base, "project");
  mkdirSync(join(cwd, ".rondo/prompts"), { recursive: true });
  writeFileSync(join(cwd, ".rondo/prompts/say.md"), "---\ndescription: Says it\n---\nrepeat: said $1");
  return { cwd, home: join(base, "home") };
}

test("the person is asked whether to trust a project, once; then its prompts are commands", async () => {
  const place = project();
  const terminal = await TerminalSession.start({ ...place, ready: /Do you trust it\?/ });
  expect(await terminal.screen()).toContain("offers the prompt .rondo/prompts/say.md");
  await terminal.type("y");
  await terminal.press("Enter");
  await terminal.waitFor(/Enter sends/);
  await terminal.type("/say well");
  await terminal.press("Enter");
  await terminal.waitFor(/^said well/m);
  const again = await TerminalSession.start({ ...place, args: ["--model", "demo", "/say twice"] });
  await again.waitFor(/^said twice/m);
  expect(await again.screen()).not.toContain("Do you trust it?");
  await again.press("Up");
  await again.waitFor(/^\/say well$/m);
});

test("a no is kept too, and nothing of the project is used", async () => {
  const place = project();
  const terminal = await TerminalSession.start({ ...place, ready: /Do you trust it\?/ });
  await terminal.press("Enter");
  await terminal.waitFor(/it is not trusted/);
  await terminal.type("/say well");
  await terminal.press("Enter");
  await terminal.waitFor(/There is no command \/say/);
});

test("--resume shows the sessions of the folder, and goes on with the one that is chosen", async () => {
  const base = temporaryFolder();
  const cwd = join(base, "workspace");
  const home = join(base, "home");
  const env = { HOME: home };
  mkdirSync(home);
  for (const word of ["first", "second"])
    await rondo(["-p", "--model", "demo", `repeat: ${word} answer`], { cwd, env });
  const terminal = await TerminalSession.start({ cwd, home, args: ["--model", "demo", "--resume"] });
  await terminal.waitFor(/Resume/);
  await terminal.type("first");
  await terminal.press("Enter");
  await terminal.waitFor(/^first answer/m);
});

test("the theme, its colours, keys, and whether thinking is shown, come from the settings", async () => {
  const { cwd, home } = project();
  mkdirSync(join(home, ".config/rondo"), { recursive: true });
  writeFileSync(
    join(home, ".config/rondo/settings.json"),
    '{"theme":"light","styles":{"muted":"#010203"},"showThinking":true,"keys":{"rondo.model":"f2","rondo.modle":"f3"}}',
  );
  const terminal = await TerminalSession.start({ cwd, home, ready: /Do you trust it\?/ });
  await terminal.press("Enter");
  await terminal.waitFor(/Enter sends/);
  expect((await terminal.everything()).replace(/\n +/g, " ")).toContain('there is nothing called "rondo.modle"');
  await terminal.press("F2");
  await terminal.waitFor(/demo\/script +key/);
  await terminal.press("Escape");
  await terminal.waitFor((screen) => !screen.includes("Escape leaves it"));
  await terminal.type("/settings");
  await terminal.press("Enter");
  await terminal.waitFor(/Theme: light/);
  expect(await terminal.screen()).toContain("Show thinking: on");
  expect(terminal.output()).toContain("\x1b[38;2;1;2;3m");
});

// Whatever ends the command, the terminal is as it was before, what was being written is kept, and nothing is left running.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { processesIn } from "../../processes.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { needsTmux, type SessionOptions, TerminalSession } from "./terminal-session.ts";

const PUT_BACK = { bracketedPaste: false, cursorHidden: false, isCanonical: true };

beforeEach(needsTmux);

test("SIGTERM, SIGHUP, SIGQUIT and SIGINT while it works end it with 143, 143, 143 and 130, and put the terminal back", async () => {
  const end = async (signal: NodeJS.Signals) => {
    const session = await startWorking();
    session.kill(signal);
    const screen = await session.waitFor("ended with");
    expect(screen).toContain("✗ bash sleep 1000");
    return { code: /ended with (\d+)/.exec(screen)?.[1], modes: await session.modes() };
  };
  expect(await Promise.all([end("SIGTERM"), end("SIGHUP"), end("SIGQUIT"), end("SIGINT")])).toEqual([
    { code: "143", modes: PUT_BACK },
    { code: "143", modes: PUT_BACK },
    { code: "143", modes: PUT_BACK },
    { code: "130", modes: PUT_BACK },
  ]);
});

test("a fault of its own ends with 70, and the error stands below the conversation; process.exit of somebody else puts back too", async () => {
  const fail = async (act: string) => {
    const trap = join(temporaryFolder(), "trap.mjs");
    writeFileSync(trap, `process.on("SIGUSR2", () => { ${act} });\n`);
    const session = await startWorking({ NODE_OPTIONS: `--import ${trap}` });
    session.kill("SIGUSR2");
    if (act.includes("console")) {
      // What others write stands in the conversation, and the screen is whole.
      await session.waitFor(/\n· said \\x1b\[2J by another\n[\s\S]*\n─+\n\n─+\n/);
      session.kill("SIGUSR2");
    }
    const screen = await session.waitFor("ended with");
    return { screen, modes: await session.modes() };
  };
  const ends = await Promise.all([
    fail('throw new Error("a fault");'),
    fail('Promise.reject(new Error("a fault"));'),
    fail('if (globalThis.told) process.exit(3); console.error("said \\x1b[2J by another"); globalThis.told = true;'),
  ]);
  for (const { screen } of ends.slice(0, 2)) {
    expect(screen).toMatch(/✗ bash sleep 1000[\s\S]*A fault in rondo itself: Error: a fault/);
    expect(screen).toContain("ended with 70");
  }
  expect(ends[2]?.screen).toContain("ended with 3");
  for (const { modes } of ends) expect(modes).toEqual(PUT_BACK);
});

test("another editor that has the terminal ends with it, and what was saved there is kept", async () => {
  const folder = temporaryFolder();
  const editor = join(folder, "editor");
  writeFileSync(
    editor,
    '#!/bin/sh\nprintf " and more" >> "$1"; echo $$ > pid; echo the editor has it; exec sleep 1000\n',
    {
      mode: 0o755,
    },
  );
  const session = await TerminalSession.start({ cwd: folder, env: { EDITOR: editor } });
  await session.write("begun");
  await session.press("C-g");
  await session.waitFor("the editor has it");
  session.kill("SIGTERM");
  await session.waitFor("ended with 143");
  expect(await session.modes()).toEqual(PUT_BACK);
  expect(() => process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), 0)).toThrow("ESRCH");
  const drafts = join(session.home, ".rondo", "drafts");
  expect(readdirSync(drafts).map((name) => readFileSync(join(drafts, name), "utf8"))).toEqual(["begun and more"]);
});

test("a terminal that goes away ends it in order, with the commands that it had started", async () => {
  const session = await startWorking({}, { keepsCode: true });
  expect(processesIn(join(session.base, "workspace"))).not.toEqual([]);
  await session.close();
  const code = join(session.base, "code");
  while (!existsSync(code) || readFileSync(code, "utf8") === "") await delay(20);
  // Not that of an abort.
  expect(readFileSync(code, "utf8")).toBe("143\n");
  expect(processesIn(join(session.base, "workspace"))).toEqual([]);
});

test("what was being written outlives a kill, in a file for its owner alone", async () => {
  const first = await TerminalSession.start();
  await first.write("half a thought");
  const drafts = join(first.home, ".rondo", "drafts");
  while (!existsSync(drafts) || readdirSync(drafts).length === 0) await delay(20);
  const [name = ""] = readdirSync(drafts);
  while (readFileSync(join(drafts, name), "utf8") !== "half a thought") await delay(20);
  expect(statSync(join(drafts, name)).mode & 0o777).toBe(0o600);
  first.kill("SIGKILL");
  await first.waitFor("ended with 137");
  const second = await TerminalSession.start({ home: first.home, cwd: join(first.base, "workspace") });
  expect(await second.waitFor("half a thought")).toContain("What you were writing when rondo last ended");
  await second.press("C-c", "C-c");
  await second.waitFor("ended with 0");
  expect(readdirSync(drafts)).toEqual([]);
});

test("suspended and taken up again, it goes on below what the shell has said", async () => {
  const session = await TerminalSession.start({ inShell: true, rows: 30 });
  await session.write("run echo one");
  await session.press("C-z");
  await session.waitFor(/Stopped/);
  expect(session.output()).toMatch(/\x1b\[0m\x1b\[\?2004l\x1b\[\?25h[\s\S]*Stopped/);
  await session.write("echo meanwhile");
  await session.press("Enter");
  await session.waitFor(/^meanwhile$/m);
  await session.write("fg");
  await session.press("Enter");
  await session.waitFor(/^run echo one\n─/m);
  // By a signal that can be heard, and by one that cannot, and has left the terminal as it was.
  for (const signal of ["SIGTSTP", "SIGSTOP"] as const) {
    const before = session.output().length;
    session.kill(signal);
    await session.waitFor(() => /Stopped[\s\S]*\$ $/.test(session.output().slice(before)));
    await session.write("fg");
    await session.press("Enter");
    await session.waitFor((screen) => /run echo one\n─/.test(screen.slice(screen.lastIndexOf("$ fg"))));
    expect(session.output().lastIndexOf("\x1b[?2004h")).toBeGreaterThan(session.output().lastIndexOf("Stopped"));
  }
  await session.press("C-c", "C-c");
  await session.waitFor((screen) => screen.trimEnd().endsWith("$"));
  expect(await session.everything()).toMatch(/meanwhile[\s\S]*fg/);
});

test("suspended where no shell could take it up again, it goes on", async () => {
  const session = await TerminalSession.start();
  await session.write("half");
  await session.press("C-z");
  await session.waitFor((screen) => screen.split("context ").length === 3);
  await session.write(" a thought");
  await session.waitFor("half a thought");
  await session.press("C-c", "C-c");
  await session.waitFor("ended with 0");
  expect(await session.modes()).toEqual(PUT_BACK);
});

/** A session in which a command of the model's is running. */
async function startWorking(env: Record<string, string> = {}, options: SessionOptions = {}): Promise<TerminalSession> {
  const session = await TerminalSession.start({ args: ["--model", "demo", "--allow", "bash"], env, ...options });
  await session.write("run sleep 1000");
  await session.press("Enter");
  await session.waitFor("◐ bash sleep 1000");
  return session;
}

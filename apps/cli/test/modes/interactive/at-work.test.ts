// A person at work: sizes of terminals, a model behind a real wire, files, commands, pastes, the editor of their choice.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pngOfSize, replayScript, startReplayServer } from "@rondo/test-fixtures";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { sessionFolder } from "../../../src/session/session-folder.ts";
import { dataFolder } from "../../../src/settings/data-folder.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { needsTmux, TerminalSession } from "./terminal-session.ts";

beforeEach(needsTmux);

const ANSWER = [
  "# Result",
  "",
  "It has **two** parts:",
  "",
  "1. one",
  "2. two \x1b]0;evil\x07",
  "",
  "```ts",
  "const answer: number = 42; // why",
  "```",
].join("\n");
const LAID_OUT = [
  "› what is it?",
  "",
  "∴ thought",
  "",
  "Result",
  "",
  "It has two parts:",
  "",
  "1. one",
  "2. two \\x1b]0;evil\\x07",
  "",
  "```ts",
  "  const answer: number = 42; // why",
  "```",
  "",
];

test("an answer over a real wire is laid out at 80×24, 40×10 and 200×60", async () => {
  const server = await startReplayServer(
    replayScript(() => ({
      content: [
        { type: "thinking", thinking: "Let me see." },
        { type: "text", text: ANSWER },
      ],
    })),
    { chunks: { seed: 7 } },
  );
  onTestFinished(() => server.close());
  const ask = async (columns: number, rows: number) => {
    const args = ["--model", "anthropic/claude-sonnet-5-5", "--base-url", server.url, "--api-key", "k"];
    const session = await TerminalSession.start({ args, columns, rows });
    await session.write("what is it?");
    await session.press("Enter");
    await session.waitFor((screen) => screen.includes("// why") && screen.includes("/ commands"));
    // The colours of code come with their library: a keyword has one of its own.
    await session.waitFor(() => session.output().includes("\x1b[38;5;176mconst\x1b[39m"));
    expect(session.output()).not.toContain("\x1b]0;");
    const lines = (await session.everything()).split("\n");
    const from = lines.findIndex((line) => line.startsWith("› what is it?"));
    return lines.slice(
      from,
      lines.findIndex((line) => line.startsWith("Enter sends")),
    );
  };
  for (const lines of await Promise.all([ask(80, 24), ask(40, 10), ask(200, 60)])) expect(lines).toEqual(LAID_OUT);
});

test("a refused call tells the model why, and an error tells the person what to do", async () => {
  let calls = 0;
  const server = await startReplayServer(
    replayScript((request) => {
      calls++;
      if (calls === 1)
        return { content: [{ type: "toolCall", id: "t1", name: "bash", arguments: { command: "rm -rf src" } }] };
      if (calls === 2)
        return {
          content: [{ type: "text", text: `I was told: ${JSON.stringify(request).includes("not those, please")}` }],
        };
      return {
        status: 401,
        body: JSON.stringify({ error: { type: "authentication_error", message: "invalid x-api-key" } }),
      };
    }),
  );
  onTestFinished(() => server.close());
  const args = ["--model", "anthropic/claude-sonnet-5-5", "--base-url", server.url, "--api-key", "k"];
  const session = await TerminalSession.start({ args });
  await session.write("tidy up");
  await session.press("Enter");
  await session.waitFor((screen) => screen.includes("Allow bash?") && screen.includes("→ y  Yes"));
  await session.press("r");
  await session.waitFor("Why not");
  await session.write("not those, please");
  await session.press("Enter");
  await session.waitFor("I was told: true");
  await session.write("again");
  await session.press("Enter");
  const screen = await session.waitFor("another model with /model");
  expect(screen).toMatch(/✗ .*key/i);
});

test("files, shell commands, commands, pastes and another editor", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, ".gitignore"), "hidden.txt\n");
  mkdirSync(join(folder, ".git"));
  for (const name of ["hidden.txt", "notes.txt", "src/form.ts"]) writeFileSync(join(folder, name), `${name}\n`);
  const editor = join(folder, "editor.sh");
  writeFileSync(
    editor,
    '#!/bin/sh\ncp "$1" "$1.seen"; printf "%s, and more" "$(cat "$1")" > "$1.new"; mv "$1.new" "$1"\n',
  );
  chmodSync(editor, 0o755);
  const session = await TerminalSession.start({ cwd: folder, env: { EDITOR: editor }, rows: 40 });

  await session.type("日本 👩 🇩🇪");
  await session.waitFor("日本 👩 🇩🇪");
  await session.press("C-u");
  await session.typeBytes("語 👩‍👧 e\u0301");
  await session.waitFor("語 👩‍👧 e\u0301");
  await session.press("C-u");
  await session.type("read @for");
  await session.waitFor("src/form.ts");
  await session.press("Tab");
  await session.waitFor("read @src/form.ts");
  await session.press("C-u");
  await session.type("@not");
  await session.waitFor("notes.txt");
  await session.press("C-u");
  await session.type("@hid");
  await session.type(" x");
  expect(await session.waitFor("@hid x")).not.toContain("hidden.txt");
  await session.press("C-u");

  await session.write("!echo from the shell");
  await session.press("Enter");
  await session.waitFor(/● ! echo from the shell\n {2}from the shell/);

  await session.write("/thin");
  await session.waitFor("Choose how hard the model thinks");
  await session.press("Enter");
  await session.waitFor("minimal");
  await session.type("hig");
  await session.waitFor((screen) => !screen.includes("minimal"));
  await session.press("Enter");
  await session.waitFor("Thinking: high.");
  await session.waitFor("demo/script · high");

  await session.write("/nonsense");
  await session.press("Enter");
  await session.waitFor("There is no command /nonsense.");

  await session.write("/name a good name");
  await session.press("Enter");
  await session.waitFor("· a good name");

  await session.paste(Array.from({ length: 30 }, (_, index) => `pasted ${index}`).join("\n"));
  await session.waitFor("[paste #1 +30 lines]");
  await session.press("C-g");
  await session.waitFor("pasted 29, and more");
  await session.press("C-c");
  await session.waitFor((screen) => !screen.includes("pasted 29"));

  await session.write("repeat: hello");
  await session.press("Enter");
  await session.waitFor(/^hello$/m);
  await session.write("/export talk.md");
  await session.press("Enter");
  await session.waitFor("Written to talk.md.");
  expect(readFileSync(join(folder, "talk.md"), "utf8")).toContain("## You\n\nrepeat: hello\n");
  await session.write("/quit");
  await session.press("Enter");
  await session.waitFor("ended with 0");
  const prompts = join(sessionFolder(dataFolder({}, session.home), folder), "prompts");
  const kept = readFileSync(prompts, "utf8").trim().split("\n");
  expect(kept.slice(-2)).toEqual(['"repeat: hello"', '"/export talk.md"']);
});

test("an image on the clipboard becomes a file that goes along with what is said, and /copy takes an answer away", async () => {
  const folder = temporaryFolder();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(folder, "image.png"), Buffer.from(pngOfSize(30, 20), "base64"));
  writeFileSync(join(bin, "wl-paste"), `#!/bin/sh\nexec cat '${folder}/image.png'\n`, { mode: 0o755 });
  // Whatever the machine has for a clipboard: the first that takes it is asked.
  writeFileSync(join(bin, "pbcopy"), `#!/bin/sh\nexec cat > '${folder}/copied'\n`, { mode: 0o755 });
  const server = await startReplayServer(
    replayScript(() => ({ content: [{ type: "text", text: "A **small** picture." }] })),
  );
  onTestFinished(() => server.close());
  const args = ["--model", "anthropic/claude-sonnet-5-5", "--base-url", server.url, "--api-key", "k"];
  const session = await TerminalSession.start({ args, env: { PATH: `${bin}:${process.env["PATH"]}` } });
  await session.press("C-v");
  await session.waitFor("clipboard.png");
  await session.write("what is this?");
  await session.press("Enter");
  await session.waitFor("A small picture.");
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(`"data":"${pngOfSize(30, 20)}"`);
  await session.write("/copy");
  await session.press("Enter");
  await session.waitFor("The last answer is on the clipboard.");
  expect(readFileSync(join(folder, "copied"), "utf8")).toBe("A **small** picture.");
});

test("a prompt on the command line is said at once, and a session can be resized while it works", async () => {
  const session = await TerminalSession.start({ args: ["--model", "demo", "list", "."], columns: 80, rows: 24 });
  await session.waitFor("● ls .");
  for (const [columns, rows] of [
    [40, 24],
    [120, 24],
    [80, 10],
    [80, 24],
  ] as const) {
    await session.resize(columns, rows);
    await session.waitFor((screen) => screen.includes(`\n${"─".repeat(columns)}\n`) && /context .*\n*$/.test(screen));
  }
  const screen = await session.screen();
  expect(screen.match(/context /g)).toHaveLength(1);
  expect((await session.everything()).split("before").length).toBe(2);
});

// What the command says when something goes wrong: one sentence on standard error, the exit code, and a clean standard output.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadFixture, replayInOrder, replayScript } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";
import { commandLine, rondo } from "./command.ts";
import { closedPort, serve, through } from "./served-model.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

describe("what goes wrong is one sentence on standard error and an exit code", () => {
  test.each([
    [
      "a flag that is none",
      ["--modle", "x"],
      2,
      "rondo: There is no flag --modle. Did you mean --model or --mode? rondo --help lists them all.\n",
    ],
    [
      "a command with a slip in its name",
      ["docter"],
      2,
      "rondo: There is no command docter. Did you mean rondo doctor? To say the word to the model: rondo -- docter\n",
    ],
    [
      "a prompt's name that is none",
      ["/revie", "x"],
      2,
      "rondo: No prompt and no command of an extension is called /revie. To say it to the model, put a word before it.\n",
    ],
    [
      "no prompt",
      [],
      2,
      'rondo: There is no prompt, and no screen to write one on: standard input is no terminal. Write what you want: rondo "fix the failing test". rondo --help says more.\n',
    ],
    [
      "no prompt for one answer",
      ["-p"],
      2,
      'rondo: There is no prompt. Write what you want: rondo "fix the failing test". rondo --help says more.\n',
    ],
    ["no such file", ["@none"], 2, "rondo: There is no file none. To begin a word with @ that is no file, write @@.\n"],
    [
      "a bad rule",
      ["x", "--allow", "edit("],
      2,
      'rondo: The rule "edit(" is not understood. Write a tool or a tool and a pattern: edit, bash(npm test).\n',
    ],
  ])("%s", async (_name, args, code, stderr) => {
    expect(await rondo(args)).toEqual({ code, signal: null, stdout: "", stderr });
  });

  test("a rule with a slip in the tool's name", async () => {
    const end = await rondo(["x", "--deny", "bsh", "--model", "demo"]);
    expect([end.code, end.stdout]).toEqual([2, ""]);
    expect(end.stderr).toContain(
      "rondo: The rule --deny 'bsh' names no tool. The tools are read, ls, find, grep, edit, write, bash, jobs.\n",
    );
  });

  test("settings that were to protect and are not understood protect all the more, and the command does its work", async () => {
    const config = temporaryFolder();
    const cwd = temporaryFolder();
    const run = async (settings: object) => {
      writeFileSync(join(config, "settings.json"), JSON.stringify(settings));
      const env = { RONDO_CONFIG: config, PATH: `${config}:${process.env["PATH"]}` };
      const { code, stderr } = await rondo(["run touch made", "--model", "demo", "--yolo"], { cwd, env });
      return { code, stderr, isMade: existsSync(join(cwd, "made")) };
    };
    const doubt =
      "rondo: Since a rule that forbids or asks is not understood, no rule and no flag allows anything in this run; ";
    const malformed = await run({ deny: ["bash(rm $HOME:*)"], allow: ["bash"] });
    expect([malformed.code, malformed.isMade]).toEqual([5, false]);
    expect(malformed.stderr).toContain(`settings.json:1: The command in "bash(rm $HOME:*)" is not one plain command`);
    expect(malformed.stderr).toContain(doubt);
    const nameless = await run({ deny: ["Bash(rm)"] });
    expect([nameless.code, nameless.isMade]).toEqual([5, false]);
    const unknownAllow = await run({ allow: ["dice"], deny: ["bash(rm:*)"] });
    expect([unknownAllow.code, unknownAllow.isMade]).toEqual([0, true]);
    expect(unknownAllow.stderr).toContain("settings.json:1: The rule --allow 'dice' names no tool.");
    // A program of that name stands for bubblewrap, which is not everywhere.
    writeFileSync(join(config, "bwrap"), "#!/bin/sh\necho 'a sandbox was asked for' >&2\nexit 1\n", { mode: 0o755 });
    const sandbox = await run({ sandbox: "yes" });
    if (process.platform === "linux") expect(sandbox.stderr).toContain("a sandbox was asked for");
    expect(sandbox.code).toBe(2);
  });

  test("a disk, a right or a folder that is lacking is no fault of rondo's", async () => {
    const base = temporaryFolder();
    writeFileSync(join(base, "file"), "");
    const told = async (args: string[], env: Record<string, string>) => {
      const { code, stdout, stderr } = await rondo(args, { env, stdin: "sk-a-key" });
      return { code, stdout, stderr };
    };
    const RONDO_CONFIG = join(base, "file/config");
    expect(await told(["auth", "set", "anthropic"], { RONDO_CONFIG })).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^rondo: .*file\/config.* cannot be used: a part of its path is a file \(ENOTDIR, \w+\)\.\n$/,
      ),
    });
    const kept = await told(["hi", "--model", "demo"], { RONDO_DATA: join(base, "file/data") });
    expect([kept.code, kept.stdout]).toEqual([1, ""]);
    expect(kept.stderr).toMatch(/The session \S+ cannot be written: ENOTDIR.* keep nothing with --no-session\.\n$/);
    const gone = join(base, "gone");
    mkdirSync(gone);
    const [program = "", ...first] = await commandLine();
    const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
    const lost = spawnSync("sh", ["-c", script, "sh", gone, program, ...first, "hi", "--model", "demo"], {
      encoding: "utf8",
    });
    expect([lost.status, lost.stderr]).toEqual([
      2,
      "rondo: The folder that rondo was started in is not there any more. Go to another one with cd.\n",
    ]);
  });

  test("an unknown model, with near ones named", async () => {
    const end = await rondo(["-p", "hi", "--model", "anthropic/claude-sonet-5-5"]);
    expect([end.code, end.stdout]).toEqual([2, ""]);
    expect(end.stderr).toMatch(
      /^rondo: There is no model anthropic\/claude-sonet-5-5\. Near it: .*anthropic\/claude-sonnet-5-5.*\n$/,
    );
  });

  test("a folder, and a file that is neither text nor image", async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "src"));
    writeFileSync(join(cwd, "data.bin"), "a\0b");
    const told = async (word: string) => (await rondo(["x", word], { cwd })).stderr;
    expect([await told("@src"), await told("@data.bin")]).toEqual([
      "rondo: src is a folder. Name a file of it, or the folder without the @.\n",
      "rondo: The file data.bin is neither text nor an image, so it cannot be put into a prompt.\n",
    ]);
  });

  test("an unknown model without any near, and an unknown level of a known one", async () => {
    const none = await rondo(["-p", "hi", "--model", "zzzzzz"]);
    expect([none.code, none.stderr]).toEqual([
      2,
      'rondo: No model is called "zzzzzz". rondo models <text> looks through all.\n',
    ]);
    const level = await rondo(["-p", "hi", "--model", "anthropic/claude-sonnet-5-5:huge"]);
    expect([level.code, level.stderr]).toEqual([
      2,
      'rondo: anthropic/claude-sonnet-5-5 has no level "huge" of thinking. It has off, low, medium, high, xhigh, max.\n',
    ]);
  });

  test("an unknown provider, with the known ones named", async () => {
    const end = await rondo(["-p", "hi", "--provider", "antropic"]);
    expect([end.code, end.stdout]).toEqual([2, ""]);
    expect(end.stderr).toMatch(/^rondo: There is no provider antropic\. Did you mean anthropic\?\n$/);
  });

  test("a missing key", async () => {
    const end = await rondo(["-p", "hi", "--model", "openai/gpt-6.1-sol"]);
    expect([end.code, end.stdout]).toEqual([3, ""]);
    expect(end.stderr).toBe(
      "rondo: There is no API key for OpenAI. Set OPENAI_API_KEY, or pass the option apiKey. On the command line that is " +
        "--api-key; rondo auth set openai < file keeps a key for good.\n",
    );
  });

  test("a key that is not taken", async () => {
    const server = await serve(
      replayInOrder([{ status: 401, body: loadFixture("anthropic-messages", "error-401.json") }]),
    );
    const end = await rondo(["-p", "hi", ...through(server.url)]);
    expect([end.code, end.stdout]).toEqual([3, ""]);
    expect(end.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("a key that a server of one's own does not take: there is no place to keep it", async () => {
    const server = await serve(replayInOrder([{ status: 401, body: '{"error":{"message":"Incorrect key"}}' }]));
    const args = ["--base-url", `${server.url}/v1`, "--model", "tiny", "--api-key", "secret-of-mine"];
    const end = await rondo(["-p", "hi", ...args]);
    expect([end.code, end.stdout]).toEqual([3, ""]);
    expect(end.stderr).toBe(
      "rondo: custom did not accept the API key. Check that the key is right and belongs to this provider (status 401): " +
        "Incorrect key. On the command line that is --api-key.\n",
    );
  });

  test("a refused connection", async () => {
    const port = await closedPort();
    const end = await rondo(["-p", "hi", ...through(`http://127.0.0.1:${port}`)]);
    expect([end.code, end.stdout]).toEqual([1, ""]);
    expect(end.stderr).toContain(`127.0.0.1:${port}`);
  });

  test("a local server that is not there, by the address that was asked", async () => {
    const port = await closedPort();
    const env = { OLLAMA_BASE_URL: `http://127.0.0.1:${port}/v1` };
    const end = await rondo(["-p", "hi", "--model", "ollama/qwen3"], { env });
    expect([end.code, end.stdout]).toEqual([1, ""]);
    expect(end.stderr).toBe(
      `rondo: ollama (127.0.0.1:${port}) refused the connection. Is the server running, and is the address right?\n`,
    );
  });

  test("an error in the middle of an answer, in JSON mode too", async () => {
    const body = loadFixture("openai-responses", "error-mid-stream");
    for (const mode of ["print", "json"]) {
      const server = await serve(() => ({ body }));
      const end = await rondo(["hi", "--mode", mode, ...through(server.url, "openai/gpt-6.1-sol")]);
      expect([mode, end.code]).toEqual([mode, 1]);
      expect(end.stderr).toContain("rondo: ");
    }
  });

  test("a limit on turns", async () => {
    const server = await serve(
      replayScript(() => ({ content: [{ type: "toolCall", id: "a", name: "ls", arguments: {} }] })),
    );
    const end = await rondo(["hi", "--max-turns", "2", ...through(server.url)]);
    expect([end.code, server.requests.length]).toEqual([4, 2]);
  });

  test("a limit on time", async () => {
    const server = await serve(() => ({ body: "", ending: "stall" }));
    const end = await rondo(["hi", "--timeout", "0.5", ...through(server.url)]);
    expect(end.code).toBe(4);
  });
});

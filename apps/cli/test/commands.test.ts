// The commands beside the main one, as child processes.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadFixture, startReplayServer } from "@rondo/test-fixtures";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeVersion } from "../src/commands/doctor.ts";
import { rondo } from "./command.ts";
import { closedPort } from "./served-model.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

const KEY = "sk-a-key-that-is-long-enough-1234";

test("models: those that can be used now, those of a provider, or those that a text may mean", async () => {
  const usable = await rondo(["models"]);
  expect([usable.code, usable.stderr, usable.stdout]).toEqual([
    0,
    "rondo: No key was found, and no local server answers: see rondo doctor. rondo models <text> looks through all.\n",
    "demo/script  Demo script (no language model)\n",
  ]);
  const withKey = await rondo(["models"], { env: { ANTHROPIC_API_KEY: KEY } });
  expect(withKey.stdout).toMatch(/^anthropic\/claude-sonnet-5-5 .*context, \$.* in, \$.* out, thinks$/m);
  const sonnet = await rondo(["models", "claude-sonnet-5-5"]);
  expect(sonnet.stdout).toMatch(/^anthropic\/claude-sonnet-5-5 /);
  const makers = await rondo(["models", "anthropic"]);
  const ids = makers.stdout.trimEnd().split("\n");
  expect([makers.code, ids.every((line) => line.startsWith("anthropic/claude-")), ids.length > 3]).toEqual([
    0,
    true,
    true,
  ]);
  const port = await closedPort();
  const away = await rondo(["models", "ollama"], { env: { OLLAMA_BASE_URL: `http://127.0.0.1:${port}/v1` } });
  expect([away.code, away.stdout, away.stderr]).toEqual([
    1,
    "",
    `rondo: ollama (127.0.0.1:${port}) refused the connection. Is the server running, and is the address right?\n`,
  ]);
  const none = await rondo(["models", "no-such-model-anywhere"]);
  expect([none.code, none.stdout]).toEqual([2, ""]);
});

describe("models --refresh", () => {
  const model = (more: object) => ({ modalities: { input: ["text"], output: ["text"] }, tool_call: true, ...more });
  const models = {
    "grok-99": model({ name: "Grok 99", limit: { context: 9_000_000 }, cost: { input: 1, output: 2 } }),
  };

  test("takes a list from a server or a file, says what changed, and it holds from then on", async () => {
    const server = await startReplayServer(() => ({ body: JSON.stringify({ xai: { models } }) }));
    onTestFinished(() => server.close());
    const data = join(temporaryFolder(), "data");
    const env = { RONDO_DATA: data, XAI_API_KEY: KEY };
    const first = await rondo(["models", "--refresh", `${server.url}/api.json`], { env });
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toMatch(/^\+ xai\/grok-99$/m);
    expect(first.stdout).toContain(`They are kept in ${join(data, "models")}.`);
    expect(first.stdout.split("\n").length).toBeLessThan(30);
    expect((await rondo(["models", "grok-99"], { env })).stdout).toBe("xai/grok-99  9000k context, $1 in, $2 out\n");
    expect((await rondo(["models"], { env })).stdout).not.toContain("xai/grok-4.7 ");
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "list.json"), JSON.stringify({ xai: { models } }));
    const again = await rondo(["models", "--refresh", "list.json"], { env, cwd });
    expect([again.code, again.stdout.split("\n")[0]?.startsWith("0 changes")]).toEqual([0, true]);
  });

  test.each([
    [["none.json"], 2, "There is no file none.json. A list from elsewhere needs its whole address: https://…."],
    [["a", "b"], 2, "Write rondo models [text] or rondo models --refresh [url or file]."],
  ])("%j is told in a sentence", async (operands, code, message) => {
    const end = await rondo(["models", "--refresh", ...operands]);
    expect([end.code, end.stdout, end.stderr]).toEqual([code, "", `rondo: ${message}\n`]);
  });

  test("a server that is not there leaves the list as it was", async () => {
    const url = `http://127.0.0.1:${await closedPort()}/api.json`;
    const end = await rondo(["models", "--refresh", url]);
    const message = `rondo: The list of models stays as it was: ${url} cannot be reached (ECONNREFUSED).\n`;
    expect([end.code, end.stdout, end.stderr]).toEqual([1, "", message]);
  });
});

test("auth: a key is kept for its owner alone, used by the next run, never shown, and removed", async () => {
  const config = join(temporaryFolder(), "config");
  const env = { RONDO_CONFIG: config };
  expect(await rondo(["auth", "set", "anthropic"], { env, stdin: `${KEY}\n` })).toEqual({
    code: 0,
    signal: null,
    stdout: "The key for Anthropic is kept.\n",
    stderr: "",
  });
  expect(statSync(join(config, "keys.json")).mode & 0o777).toBe(0o600);
  const shown = await rondo(["auth"], { env });
  expect(shown.stdout).toContain("Anthropic: key …1234 from the credential file.");
  expect(shown.stdout).not.toContain(KEY);

  const server = await startReplayServer(() => ({ body: loadFixture("anthropic-messages", "text") }));
  onTestFinished(() => server.close());
  const run = await rondo(["-p", "hi", "--base-url", server.url], { env });
  expect([run.code, run.stdout]).toEqual([0, "Grüße aus Köln — 北京 und 🎼.\n"]);
  expect(run.stderr).toBe("rondo: using anthropic/claude-sonnet-5-5, since there is a key for anthropic.\n");
  expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);

  expect((await rondo(["auth", "remove", "anthropic"], { env })).stdout).toBe("The key for Anthropic is removed.\n");
  expect((await rondo(["-p", "hi", "--provider", "anthropic"], { env })).code).toBe(3);
});

test("a command says what it is for", async () => {
  const { code, stdout, stderr } = await rondo(["models", "--help"]);
  expect([code, stderr, stdout.split("\n")[0]]).toEqual([0, "", "rondo models [text] | --refresh [url or file]"]);
});

test.each([
  [["auth", "set"], "Write rondo auth, rondo auth set <provider> or rondo auth remove <provider>."],
  [["auth", "set", "nobody"], "There is no provider nobody. rondo doctor lists them."],
  [["auth", "set", "openai"], "A key is one word; what came through standard input is not."],
  [["doctor", "--model"], "rondo doctor takes no flags, so --model means nothing to it."],
  [["doctor", "foo"], "rondo doctor takes no words, so foo means nothing to it."],
  [["config", "foo", "bar"], "rondo config takes no words, so foo means nothing to it."],
  [["trust", "foo"], "Write rondo trust or rondo trust remove."],
  [["export", "a", "--format", "doc"], '--format is one of html, md, not "doc".'],
  [["worker", "foo"], "rondo worker takes no words: rondo submit gives it tasks."],
  [["watch", "one", "two"], "Name one run: rondo watch <run>. rondo submit prints the name."],
])("%j is a usage error", async (args, message) => {
  expect(await rondo(args)).toEqual({ code: 2, signal: null, stdout: "", stderr: `rondo: ${message}\n` });
});

test("doctor says what is found, what is missing, and which model is used", async () => {
  const { code, stdout } = await rondo(["doctor"], { env: { OPENAI_API_KEY: KEY } });
  expect(code).toBe(0);
  expect(stdout).toContain(`✔ Node ${process.version}\n`);
  expect(stdout).toMatch(/^✔ ripgrep: .*rg/m);
  expect(stdout).toMatch(/^(✔ bubblewrap: commands can run in a sandbox|✖ --sandbox )/m);
  expect(stdout).toContain("✔ OpenAI: key …1234 from OPENAI_API_KEY.\n");
  expect(stdout).toContain("– Anthropic: no key; set ANTHROPIC_API_KEY.\n");
  expect(stdout).toContain("Without --model rondo uses openai/gpt-6.1-sol, since there is a key for openai.");
});

test("doctor names files that are damaged and goes on without them", async () => {
  const config = temporaryFolder();
  for (const name of ["models.json", "keys.json", "settings.json"]) writeFileSync(join(config, name), "{ nope");
  const { code, stdout } = await rondo(["doctor"], { env: { RONDO_CONFIG: config, OPENAI_API_KEY: KEY } });
  expect(code).toBe(0);
  expect(stdout).toContain(`✖ ${config}/models.json cannot be used:\n  line 1, column 3: not valid JSON`);
  expect(stdout).toContain(`✖ The credential file ${config}/keys.json is not valid JSON. Correct it or delete it.\n`);
  expect(stdout).toMatch(/^✖ .*settings\.json/m);
  expect(stdout).toContain("✔ OpenAI: key …1234 from OPENAI_API_KEY.\n");
});

test("without any key, auth says so and where to go on", async () => {
  expect((await rondo(["auth"])).stdout).toBe(
    "No key was found.\nFurther keys: set an environment variable (rondo doctor names them), or rondo auth set <provider>.\n",
  );
});

test("an old Node is told", () => {
  expect(nodeVersion("v20.18.1")).toEqual({
    good: false,
    text: "Node v20.18.1 is too old. Install 20.19.0 or later.",
  });
  expect(["v20.19.0", "v22.0.0", "v24.1.0"].map((version) => nodeVersion(version).good)).toEqual([true, true, true]);
});

describe("settings.json", () => {
  const withSettings = (content: string) => {
    const config = join(temporaryFolder(), "config");
    mkdirSync(config);
    writeFileSync(join(config, "settings.json"), content);
    return { RONDO_CONFIG: config };
  };

  test("its model and rules hold, and flags win", async () => {
    const env = withSettings('{"model":"demo","allow":["bash(echo:*)"],"deny":["bash(echo secret:*)"]}');
    expect((await rondo(["run echo hello"], { env })).stdout).toBe("hello\n");
    const denied = await rondo(["run echo secret", "--yolo"], { env });
    expect([denied.code, denied.stderr]).toEqual([
      5,
      expect.stringContaining("the rule --deny 'bash(echo secret:*)' forbids it"),
    ]);
    expect((await rondo(["hi", "--model", "openai/gpt-6.1-sol"], { env })).code).toBe(3);
  });

  test.each([
    ["{", "settings.json cannot be used: line 1, column 2: not valid JSON ("],
    ["[]", "settings.json should hold an object."],
  ])("%j ends the command with the mistake", async (content, message) => {
    const end = await rondo(["hi"], { env: withSettings(content) });
    expect([end.code, end.stdout, end.stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });

  test("a single mistake is told with its line, and the rest holds", async () => {
    const env = withSettings('{\n"modle": "x",\n"allow": ["edit("],\n"model": "demo"\n}');
    const end = await rondo(["repeat: hi"], { env });
    const path = join(env.RONDO_CONFIG, "settings.json");
    expect([end.code, end.stdout]).toEqual([0, "hi\n"]);
    expect(end.stderr).toContain(`rondo: ${path}:2: there is no setting modle. There are model, `);
    expect(end.stderr).toContain(`rondo: ${path}:3: The rule "edit(" is not understood.`);
  });
});

test("a local server that answers is taken where there is no key", async () => {
  const server = await startReplayServer(({ method }) =>
    method === "GET"
      ? { status: 200, headers: { "content-type": "application/json" }, body: '{"data":[{"id":"qwen3"}]}' }
      : { body: loadFixture("openai-completions", "text") },
  );
  onTestFinished(() => server.close());
  const end = await rondo(["-p", "hi"], { env: { OLLAMA_BASE_URL: `${server.url}/v1` } });
  expect(end).toEqual({
    code: 0,
    signal: null,
    stdout: "Grüße aus Köln — 北京 und 🎼.\n",
    stderr: "rondo: using ollama/qwen3, since no key was found and this local server answers.\n",
  });
});

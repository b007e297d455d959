// The command as a person or a script meets it: what is on standard output, what on standard error, and the exit code.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadFixture, replayInOrder, replayScript, type WireRequest } from "@rondo/test-fixtures";
import { PhotonImage } from "@silvia-odwyer/photon-node";
import { describe, expect, test } from "vitest";
import { demoReply } from "../src/demo/script.ts";
import { rondo } from "./command.ts";
import { CORNERS, colourAt, jpegOf, storedWith } from "./images/pictures.ts";
import { processesIn } from "./processes.ts";
import { anthropicText, serve, text, through } from "./served-model.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

const EXAMPLE = fileURLToPath(new URL("../../../test-fixtures/workspaces/rondo-form", import.meta.url));
const ALLOW = ["--allow", "edit", "--allow", "bash(npm test:*)"];
const DEMO_NOTE =
  "rondo: using the demo, a script and no language model, since no key was found and no local server answers. Set " +
  "ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for a real one.\n";

/** A copy of the example whose test fails. */
function example(): string {
  const folder = temporaryFolder();
  cpSync(EXAMPLE, folder, { recursive: true });
  return folder;
}

describe("what it says", () => {
  test("piped input is joined to the prompt, and only the answer is on standard output", async () => {
    const end = await rondo(["-p", "repeat what you get"], { stdin: "hello\n" });
    expect(end).toEqual({ code: 0, signal: null, stdout: "hello\n", stderr: DEMO_NOTE });
  });

  test("version and help", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(await rondo(["--version"])).toEqual({ code: 0, signal: null, stdout: `rondo ${version}\n`, stderr: "" });
    const help = await rondo(["--help"]);
    expect([help.code, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain("rondo: an agent for the command line");
  });

  test("files and piped input follow the words of the prompt", async () => {
    const seen: WireRequest[] = [];
    const server = await serve(
      replayScript((request) => {
        seen.push(request);
        return text("ok");
      }),
    );
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "note.txt"), "from a file");
    const args = ["-p", "say", "what", "@note.txt", "@@me", ...through(server.url)];
    expect((await rondo(args, { cwd, stdin: "from a pipe\n" })).stdout).toBe("ok\n");
    expect(seen.map(({ messages }) => messages)).toEqual([
      [{ role: "user", text: 'say what @me\n\n<file path="note.txt">\nfrom a file\n</file>\n\nfrom a pipe' }],
    ]);
  });

  test("a photograph that was named in the prompt is sent upright, by the built command", async () => {
    const server = await serve(replayScript(() => text("ok")));
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "photo.jpg"), jpegOf(storedWith(6), 6));
    const end = await rondo(["what is that?", "@photo.jpg", ...through(server.url)], { cwd });
    expect(end).toEqual({ code: 0, signal: null, stdout: "ok\n", stderr: "" });
    const [, data = ""] = /"data":"([^"]+)"/.exec(server.requests[0]?.text ?? "") ?? [];
    const picture = PhotonImage.new_from_byteslice(Buffer.from(data, "base64"));
    expect(CORNERS.map(([x, y]) => colourAt(picture, x, y))).toEqual(["red", "green", "blue", "white"]);
    writeFileSync(join(cwd, "photo.jpg"), Buffer.from("\xff\xd8\xff", "latin1"));
    const damaged = await rondo(["what is that?", "@photo.jpg", ...through(server.url)], { cwd });
    expect([damaged.code, damaged.stderr]).toEqual([
      2,
      "rondo: The image photo.jpg cannot be sent: it is damaged: its size cannot be read.\n",
    ]);
  });

  test("a long answer comes whole through a pipe that is read slowly", async () => {
    const words = "word ".repeat(80_000).trim();
    const server = await serve(replayInOrder([{ body: anthropicText(words) }]));
    const end = await rondo(["-p", "go", ...through(server.url)], {
      onStart: ({ stdout }) => {
        stdout.pause();
        setTimeout(() => stdout.resume(), 300);
      },
    });
    expect([end.code, end.stdout.length]).toEqual([0, words.length + 1]);
  });

  test("JSON mode writes one event a line, deltas without the message that grows", async () => {
    const server = await serve(replayInOrder([{ body: loadFixture("anthropic-messages", "text") }]));
    const { code, stdout } = await rondo(["--mode", "json", "go", ...through(server.url)]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, lines[0]]).toEqual([
      0,
      { type: "session", version: 1, model: "anthropic/claude-sonnet-5-5", workspace: expect.any(String) },
    ]);
    expect(lines.filter(({ type }) => type === "message_update").map(({ event }) => event)).toEqual([
      { type: "text_start", contentIndex: 0 },
      ...["Grüße aus ", "Köln — ", "北京 ", "und 🎼."].map((delta) => ({ type: "text_delta", contentIndex: 0, delta })),
      { type: "text_end", contentIndex: 0, content: "Grüße aus Köln — 北京 und 🎼." },
    ]);
    expect(lines.map(({ type }) => type).filter((type) => type !== "message_update")).toEqual([
      "session",
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
  });
});

test("JSON mode is as long as what was said, however often a tool reports progress", async () => {
  const command = "for i in 1 2 3 4 5 6; do seq 1 2000; sleep 0.15; done";
  const { code, stdout } = await rondo([`run ${command}`, "--mode", "json", "--model", "demo", "--yolo"]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const updates = lines.filter(({ type }) => type === "tool_execution_update");
  expect([code, updates.length > 1, updates[0]]).toEqual([
    0,
    true,
    { type: "tool_execution_update", toolCallId: "demo_1", toolName: "bash" },
  ]);
});

describe("with a schema the answer is JSON that fits it, or nothing", () => {
  const SCHEMA = '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}';
  const answered = async (said: string) => {
    const server = await serve(replayScript(() => text(said)));
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "schema.json"), SCHEMA);
    const end = await rondo(["go", "--schema", "schema.json", ...through(server.url, "openai/gpt-6.1-sol")], { cwd });
    return { ...end, body: server.requests[0]?.text };
  };

  test.each(['{ "n": 1 }', '```json\n{"n":1}\n```'])("%j fits", async (said) => {
    const { code, stdout, stderr, body } = await answered(said);
    expect([code, stdout, stderr]).toEqual([0, '{"n":1}\n', ""]);
    expect(body).toContain('"json_schema"');
  });

  test.each([
    ["One.", "it is no JSON ("],
    ['{"n":"1"}', "it fits only after a conversion"],
    ['{"n":"one"}', "n: expected "],
  ])("%j does not", async (said, problem) => {
    const { code, stdout, stderr } = await answered(said);
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toContain(`rondo: The answer does not fit the schema: `);
    expect(stderr).toContain(problem);
  });

  test("in JSON mode the exit code tells", async () => {
    const server = await serve(replayScript(() => text("One.")));
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "schema.json"), SCHEMA);
    const end = await rondo(["go", "--mode", "json", "--schema", "schema.json", ...through(server.url)], { cwd });
    expect([end.code, end.stdout.split("\n").length > 5]).toEqual([6, true]);
  });

  test("a file that holds no schema is a usage error", async () => {
    const end = await rondo(["go", "--schema", "none.json", "--model", "demo"]);
    expect([end.code, end.stdout]).toEqual([2, ""]);
    expect(end.stderr).toBe("rondo: There is no file none.json.\n");
  });
});

describe("a task with tools", () => {
  test("the demo mends the failing test with the rights that it is given", async () => {
    const cwd = example();
    const end = await rondo(["fix the failing test", ...ALLOW], { cwd });
    expect([end.code, end.stdout]).toEqual([
      0,
      "The test passes now. In src/form.js the loop stops one short of the last element; I changed that one line and nothing else.\n",
    ]);
    expect(end.stderr).toContain("→ edit src/form.js");
    expect(end.stderr).toContain("-  for (let index = 0; index < episodes.length - 1; index++) {");
    expect(readFileSync(join(cwd, "src/form.js"), "utf8")).toContain("index < episodes.length;");
  });

  test.each([
    ["anthropic/claude-sonnet-5-5", "/v1/messages"],
    ["openai/gpt-6.1-sol", "/v1/responses"],
    ["google/gemini-pro-latest", "/v1beta/models/gemini-pro-latest:streamGenerateContent?alt=sse"],
  ])("the same task through %s", async (model, path) => {
    const server = await serve(replayScript(demoReply));
    const cwd = example();
    const end = await rondo(["fix the failing test", ...ALLOW, ...through(server.url, model)], { cwd });
    expect([end.code, end.stdout]).toEqual([0, expect.stringContaining("The test passes now.")]);
    expect(server.requests.map((request) => request.path)).toEqual(Array.from({ length: 5 }, () => path));
  });

  test("without rights the work is refused: reason, list, exit code, and nothing changed", async () => {
    const cwd = example();
    const before = readFileSync(join(cwd, "src/form.js"), "utf8");
    const end = await rondo(["fix the failing test"], { cwd });
    expect(end.code).toBe(5);
    // One sentence where it happened, and the rule once at the end; what the model is told to do is not for people.
    expect(end.stderr.split("\n").filter((line) => /Refused|refused|asked|allow|Do not try/.test(line))).toEqual([
      "  Refused: bash was not run, because running commands can change things, and nobody here could be asked.",
      "rondo: 1 tool call was refused:",
      "  bash npm test --silent: running commands can change things.  Allow it with --allow 'bash(npm test --silent)'",
    ]);
    expect(readFileSync(join(cwd, "src/form.js"), "utf8")).toBe(before);
  });

  test("nothing of a run is left behind", async () => {
    const base = temporaryFolder();
    const end = await rondo(["run seq 1 100000", "--yolo"], { env: { TMPDIR: base } });
    expect([end.code, readdirSync(base)]).toEqual([0, []]);
  });
});

describe("standard input, signals and readers that go away", () => {
  test("an open pipe that nobody writes to does not hold up a prompt", async () => {
    const end = await rondo(["-p", "repeat: hi"], { stdin: "open" });
    expect([end.code, end.stdout]).toEqual([0, "hi\n"]);
    expect(end.stderr).toContain(
      "rondo: nothing came through standard input for a second, so it is left out. Give - to wait for it.",
    );
  });

  test("with - it is waited for", async () => {
    const end = await rondo(["-p", "repeat what you get", "-"], {
      stdin: "open",
      onStart: ({ stdin }) => setTimeout(() => stdin.end("late"), 1500),
    });
    expect([end.code, end.stdout]).toEqual([0, "late\n"]);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const)("%s ends the run and what it started with exit code %i", async (signal, code) => {
    const cwd = temporaryFolder();
    const end = await rondo(["run touch begun; sleep 600 & sleep 600", "--yolo"], {
      cwd,
      onStart: async (child) => {
        while (!existsSync(join(cwd, "begun"))) await delay(10);
        child.kill(signal);
      },
    });
    expect([end.code, end.signal]).toEqual([code, null]);
    expect(processesIn(cwd)).toEqual([]);
  });

  test("a reader that goes away ends the run quietly", async () => {
    const server = await serve(() => ({ body: anthropicText("word ".repeat(200_000)) }));
    const end = await rondo(["--mode", "json", "hi", ...through(server.url)], {
      onStart: ({ stdout }) => stdout.once("data", () => stdout.destroy()),
    });
    expect([end.code, end.stderr]).toEqual([143, ""]);
  });
});

test("a single line is one line", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "one.txt"), "alone\n");
  const end = await rondo(["-p", "--model", "demo", "read one.txt"], { cwd });
  expect(end.stderr.split("\n").slice(1)).toEqual(["→ read one.txt", "  1 line", ""]);
});

test("commands do not see the keys of any provider, whatever their variables are called", async () => {
  const key = "sk-0123456789-abcdefghij";
  const names = ["ANTHROPIC_API_KEY", "CLOUDFLARE_API_TOKEN", "GITHUB_MODELS_TOKEN", "OWN_PROVIDER", "COPY_OF_IT"];
  const config = temporaryFolder();
  const own = {
    baseUrl: "http://127.0.0.1:9/v1",
    api: "openai-completions",
    apiKeyEnv: ["OWN_PROVIDER"],
    models: [{ id: "m" }],
  };
  writeFileSync(join(config, "models.json"), JSON.stringify({ providers: { own } }));
  const env = { RONDO_CONFIG: config, ...Object.fromEntries(names.map((name) => [name, key])), OTHER: "stays" };
  const { stdout, stderr } = await rondo(["run env", "--model", "demo", "--yolo"], { env });
  expect(`${stdout}${stderr}`).toContain("OTHER=stays");
  expect(`${stdout}${stderr}`).not.toContain(key);
});

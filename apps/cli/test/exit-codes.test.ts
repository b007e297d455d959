// Every exit code, brought about by a real run, and the same in print and in JSON mode. A new one without a run here does not compile.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { replayScript } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";
import { type Ending, EXIT_CODES } from "../src/exit-codes.ts";
import { type CommandOptions, commandLine, rondo } from "./command.ts";
import { anthropicText, serve, text, through } from "./served-model.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

/** What brings an ending about: flags and a folder. */
type Way = () => Promise<{ args: string[]; options?: CommandOptions }>;

const DEMO = ["--model", "demo"];
const signalled =
  (signal: NodeJS.Signals): Way =>
  async () => {
    const cwd = temporaryFolder();
    const onStart: CommandOptions["onStart"] = async (child) => {
      while (!existsSync(join(cwd, "begun"))) await delay(10);
      child.kill(signal);
    };
    return { args: ["run touch begun; sleep 600", "--yolo", ...DEMO], options: { cwd, onStart } };
  };

const WAYS: Record<Ending, Way> = {
  done: async () => ({ args: ["hi", ...DEMO] }),
  modelError: async () => {
    const server = await serve(() => ({ status: 400, body: '{"error":{"message":"no"}}' }));
    return { args: ["hi", ...through(server.url)] };
  },
  usage: async () => ({ args: ["--no-such-flag"] }),
  auth: async () => {
    const server = await serve(() => ({ status: 401, body: "{}" }));
    return { args: ["hi", ...through(server.url)] };
  },
  budget: async () => {
    const server = await serve(
      replayScript(() => ({ content: [{ type: "toolCall", id: "a", name: "ls", arguments: {} }] })),
    );
    return { args: ["hi", "--max-turns", "1", ...through(server.url)] };
  },
  refused: async () => ({ args: ["run ls", ...DEMO] }),
  schema: async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "schema.json"), '{"type":"number"}');
    return { args: ["repeat: hi", "--schema", "schema.json", ...DEMO], options: { cwd } };
  },
  unwritable: async () => {
    const full = "process.stdout._write = (c, e, done) => done(Object.assign(new Error('full'), { code: 'ENOSPC' }));";
    return {
      args: ["repeat: hi", ...DEMO],
      options: { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(full)}` } },
    };
  },
  internal: async () => {
    const fault = "process.cwd = () => { throw new TypeError('broken inside'); };";
    return {
      args: ["hi", ...DEMO],
      options: { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` } },
    };
  },
  interrupted: signalled("SIGINT"),
  terminated: signalled("SIGTERM"),
};

describe.each(["print", "json"])("in %s mode", (mode) => {
  test.each(Object.entries(WAYS))("%s", async (ending, way) => {
    const { args, options } = await way();
    const end = await rondo([...args, "--mode", mode], options);
    expect([end.code, end.signal]).toEqual([EXIT_CODES[ending as Ending], null]);
    // Whatever goes wrong is said; standard output has nothing but data.
    if (!["done", "interrupted", "terminated"].includes(ending)) expect(end.stderr).toMatch(/^rondo: /m);
    if (mode === "json")
      for (const line of end.stdout.split("\n").slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow();
    else if (ending !== "done" && ending !== "refused") expect(end.stdout).toBe("");
  });
});

test("a part of an answer is not taken for one: where nobody watches, standard output stays empty", async () => {
  const [begun = ""] = anthropicText("half of it").split("event: content_block_stop");
  const error = { type: "error", error: { type: "invalid_request_error", message: "no more" } };
  const server = await serve(() => ({ body: `${begun}event: error\ndata: ${JSON.stringify(error)}\n\n` }));
  const { code, stdout, stderr } = await rondo(["hi", ...through(server.url)]);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^What had come of the answer: half of it\nrondo: .*no more/m);
});

test.each(["print", "json"])(
  "an answer of nothing and a conversation that is too long are failures in %s mode",
  async (mode) => {
    const empty = await serve(replayScript(() => ({ content: [] })));
    const nothing = await rondo(["hi", "--mode", mode, ...through(empty.url)]);
    expect([nothing.code, nothing.stderr.split("\n").at(-2)]).toEqual([1, "rondo: The model's last answer was empty."]);
    const message = "prompt is too long: 300000 tokens > 200000 maximum";
    const body = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } });
    const full = await serve(() => ({ status: 400, body }));
    const long = await rondo(["hi", "--mode", mode, ...through(full.url)]);
    expect([long.code, long.stderr.includes(message)]).toEqual([1, true]);
  },
);

test.skipIf(!existsSync("/dev/full"))("a full disk is told, whatever was to be written", async () => {
  const [program = "", main = ""] = await commandLine();
  for (const words of ["-p --model demo hi", "--mode json --model demo hi", "models gpt", "--help"]) {
    const line = `'${program}' '${main}' ${words} > /dev/full < /dev/null`;
    const end = spawnSync("bash", ["-c", line], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: temporaryFolder() },
    });
    expect([words, end.status, end.stderr.split("\n").at(-2)]).toEqual([
      words,
      7,
      "rondo: Standard output cannot be written (ENOSPC).",
    ]);
  }
});

describe("limits", () => {
  test("on money, which a run may pass by one call and no more", async () => {
    const server = await serve(
      replayScript(() => ({
        content: [{ type: "toolCall", id: "a", name: "ls", arguments: {} }],
        usage: { input: 1_000_000, output: 1000 },
      })),
    );
    const end = await rondo(["hi", "--max-cost", "0.5", ...through(server.url)]);
    expect([end.code, end.stdout, server.requests.length]).toEqual([4, "", 1]);
    expect(end.stderr).toMatch(/^rondo: The run has used its budget of \$0\.5 \(\$[\d.]+ spent\)\.$/m);
  });

  test("on money with a model without a price: nothing is asked", async () => {
    const server = await serve(replayScript(() => text("hi")));
    const end = await rondo(["hi", "--max-cost", "1", ...through(server.url, "ollama/qwen3")]);
    expect([end.code, end.stdout, server.requests.length]).toEqual([4, "", 0]);
    expect(end.stderr).toContain(
      "rondo: The price of ollama/qwen3 is unknown, so a budget of $1 cannot be kept. Give the model its prices, or let calls " +
        "of unknown cost pass with a warning. On the command line that is --unknown-cost warn.\n",
    );
    const warned = ["hi", "--max-cost", "1", "--unknown-cost", "warn", ...through(server.url, "ollama/qwen3")];
    expect(await rondo(warned)).toMatchObject({
      ...{ code: 0, stdout: "hi\n" },
      stderr: "rondo: The price of ollama/qwen3 is unknown, so a budget of $1 cannot be kept.\n",
    });
    expect(server.requests.length).toBe(1);
  });

  test("on time, with what a tool has started", async () => {
    const end = await rondo(["run sleep 600", "--yolo", "--timeout", "1", ...DEMO]);
    expect([end.code, end.stdout]).toEqual([4, ""]);
    expect(end.stderr).toMatch(/^rondo: .*second/m);
  });

  test("that are not reached change nothing", async () => {
    const end = await rondo(["repeat: hi", "--max-turns", "5", "--max-cost", "1", "--timeout", "60", ...DEMO]);
    expect([end.code, end.stdout]).toEqual([0, "hi\n"]);
  });
});

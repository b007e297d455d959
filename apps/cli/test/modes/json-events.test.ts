// Every line of JSON mode is what the published schema says, in runs of all kinds; and the output grows with what was said.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureNames, loadFixture, type ReplayHandler, replayScript, type ScriptedReply } from "@rondo/test-fixtures";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { rondo } from "../command.ts";
import { serve, text, through } from "../served-model.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

const schema = JSON.parse(readFileSync(new URL("../../schemas/json-events.schema.json", import.meta.url), "utf8"));
const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);
const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The lines that are not as the schema says, with why. */
function faults(lines: unknown[]): unknown[] {
  return lines.flatMap((line) => (validate(line) ? [] : [{ line, errors: validate.errors?.slice(-3) }]));
}

const reply = (...content: ScriptedReply["content"]): ScriptedReply => ({ content });
const call = (name: string, args: object) => ({
  type: "toolCall" as const,
  id: "call_1",
  name,
  arguments: args as never,
});

/** Runs of all kinds: what the model does, further flags, and what must be among the lines. */
const RUNS: [string, ReplayHandler, string[], string[]][] = [
  ["an answer", () => ({ body: loadFixture("anthropic-messages", "text") }), [], ['"text_delta"', '"agent_end"']],
  [
    "tools, with progress",
    replayScript(({ messages }) =>
      messages.some(({ role }) => role !== "user")
        ? text("ok")
        : reply(call("bash", { command: "seq 9; sleep 0.3; seq 9" })),
    ),
    ["--yolo"],
    ['"tool_execution_start"', '"tool_execution_update"', '"tool_execution_end"'],
  ],
  [
    "an image in a result, a refusal and an unknown tool",
    replayScript(({ messages }) =>
      messages.some(({ role }) => role !== "user")
        ? text("ok")
        : reply(
            { ...call("read", { path: "dot.png" }), id: "a" },
            { ...call("write", { path: "x", content: "" }), id: "b" },
            { ...call("nothing", {}), id: "c" },
          ),
    ),
    [],
    ['"mimeType":"image/png"', "Refused: write", "nothing"],
  ],
  [
    "an error in the middle",
    () => ({ body: loadFixture("anthropic-messages", "error-mid-stream") }),
    [],
    ['"reason":"error"'],
  ],
  ["a refused key", () => ({ status: 401, body: "{}" }), [], ['"reason":"error"']],
  ["a budget", replayScript(() => reply(call("ls", {}))), ["--max-turns", "1"], ['"reason":"budget"']],
  ["an attempt that is repeated", failOnce(), [], ['"retry":{"attempt":1,']],
];

describe("every line is as the schema says", () => {
  test.each(RUNS)("%s", async (_name, handler, args, wanted) => {
    const server = await serve(handler);
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "dot.png"), PNG);
    const { stdout } = await rondo(["--mode", "json", "go", ...args, ...through(server.url)], { cwd });
    const lines = linesOf(stdout);
    expect(faults(lines)).toEqual([]);
    expect(lines[0]).toMatchObject({ type: "session", version: 1 });
    expect(wanted.filter((part) => !stdout.includes(part))).toEqual([]);
  });

  test("whatever a provider sends", async () => {
    for (const api of ["anthropic-messages", "openai-responses"] as const) {
      const names = fixtureNames(api)
        .filter((name) => /thinking|reasoning|tool|usage|refusal/.test(name))
        .slice(0, 4);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const server = await serve(() => ({ body: loadFixture(api, name) }));
        const model = api === "anthropic-messages" ? "anthropic/claude-sonnet-5-5" : "openai/gpt-6.1-sol";
        const { stdout } = await rondo(["--mode", "json", "go", "--max-turns", "1", ...through(server.url, model)]);
        expect([name, faults(linesOf(stdout))]).toEqual([name, []]);
      }
    }
  });

  test("and it can tell: a line with another field, without one, or of another type is none", () => {
    const lines = [
      { type: "agent_start", extra: 1 },
      { type: "tool_execution_update", toolCallId: "a" },
      { type: "dance" },
      { type: "message_update", event: { type: "text_delta", contentIndex: 0, delta: "x", partial: {} } },
    ];
    expect(faults(lines)).toHaveLength(lines.length);
  });
});

test("twice as much said is twice as long an output, however many deltas it comes in", async () => {
  const lengthFor = async (words: number) => {
    const answer = "word ".repeat(words);
    const end = await rondo(["--mode", "json", "--model", "demo", "repeat what you get"], { stdin: answer });
    expect(end.code).toBe(0);
    return end.stdout.length;
  };
  const [once, twice] = [await lengthFor(1000), await lengthFor(2000)];
  expect(twice / once).toBeLessThan(2.1);
});

/** A server that is overloaded once, before anything has come. */
function failOnce(): ReplayHandler {
  let asked = 0;
  return () => (++asked === 1 ? { status: 529, body: "{}" } : { body: loadFixture("anthropic-messages", "text") });
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

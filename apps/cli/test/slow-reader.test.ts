// A reader that takes its time loses nothing, also where the run fails: all bytes arrive, and the exit code is the one of the failure.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { replayScript, type ScriptedReply, type ServedResponse } from "@rondo/test-fixtures";
import { expect, test } from "vitest";
import { rondo } from "./command.ts";
import { anthropicText, serve, text, through } from "./served-model.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

/** Several times what a pipe holds, so that most of it is still to be written when the run is over. */
const LONG = "wörd 北京 ".repeat(25_000).trim();
const SCHEMA = '{"type":"number"}';

/** Runs the command on replies in this order, with a reader that takes one chunk at a time and rests after each. */
async function run(replies: (ScriptedReply | ServedResponse)[], args: string[], stdin = "") {
  const server = await serve(replayScript(() => replies.shift() ?? text("more than was expected")));
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "schema.json"), SCHEMA);
  return rondo(["go", ...args, ...through(server.url)], {
    cwd,
    stdin,
    onStart: ({ stdout }) => {
      stdout.on("data", () => {
        stdout.pause();
        setTimeout(() => stdout.resume(), 20);
      });
    },
  });
}

/** The last event of a run in JSON mode. Throws where a line was cut. */
function lastEvent(stdout: string) {
  const lines = stdout.split("\n");
  expect(lines.pop()).toBe("");
  const events = lines.map((line) => JSON.parse(line));
  return events.at(-1);
}

const REFUSED: ScriptedReply = {
  content: [{ type: "toolCall", id: "a", name: "bash", arguments: { command: "rm x" } }],
};
const ANSWER: ServedResponse = { body: anthropicText(LONG), chunks: "whole" };

test("a long answer after a refused call comes whole, with exit code 5", async () => {
  const end = await run([REFUSED, ANSWER], []);
  expect([end.code, end.signal, end.stdout === `${LONG}\n`]).toEqual([5, null, true]);
});

test("a model that fails after much was said: all events, and exit code 1", async () => {
  const body = '{"type":"error","error":{"type":"invalid_request_error","message":"no more"}}';
  const end = await run([{ status: 400, body }], ["--mode", "json"], LONG);
  const { type, reason, messages } = lastEvent(end.stdout);
  expect([end.code, type, reason, JSON.stringify(messages[0]).includes(LONG)]).toEqual([1, "agent_end", "error", true]);
  expect(end.stderr).toContain("no more");
});

test("an answer that does not fit the schema: all events, and exit code 6", async () => {
  const end = await run([ANSWER], ["--mode", "json", "--schema", "schema.json"]);
  const { messages } = lastEvent(end.stdout);
  expect([end.code, messages.at(-1).content[0].text === LONG]).toEqual([6, true]);
});

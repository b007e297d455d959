// The lines of RPC mode at their limits, and its ways to end: cut characters, huge lines, slow readers, and partners that go away.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "@rondo/agent";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { replayScript } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";
import { ModelChain } from "../../../src/models/model-chain.ts";
import { PermissionQuestions } from "../../../src/modes/rpc/permission-questions.ts";
import { serveRpc } from "../../../src/modes/rpc/server.ts";
import { SessionKeeper } from "../../../src/session/session-keeper.ts";
import { SessionShelf } from "../../../src/session/session-shelf.ts";
import { Output } from "../../../src/terminal/output.ts";
import { processesIn } from "../../processes.ts";
import { serve, text, through } from "../../served-model.ts";
import { type BareProcess, connect, DEMO, startBare } from "./connect.ts";

const DEMO_NOTE = "rondo: using the demo, a script and no language model.\n";
const isEnd = ({ event }: { event?: { type: string } }) => event?.type === "agent_end";

test("a request that comes byte by byte, with separators of Unicode and a carriage return, is one request", async () => {
  const { child, line, send, ended } = await startBare();
  await line(({ type }) => type === "ready");
  for (const byte of Buffer.from('{"id":"1","type":"prompt","message":"repeat: a\u2028b\u2029北🎼"}\r\n')) {
    child.stdin.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const end = await line(isEnd);
  expect(end["event"].messages.at(-1).content).toEqual([{ type: "text", text: "a\u2028b\u2029北🎼" }]);
  child.stdin.write("no json\n");
  expect(await line(({ id }) => id === null)).toMatchObject({ ok: false, error: "The line is no JSON." });
  send({ id: "2", type: "get_state" });
  expect(await line(({ id }) => id === "2")).toMatchObject({ ok: true, data: { messageCount: 2 } });
  child.stdin.end();
  expect(await ended).toMatchObject({ code: 0, signal: null });
});

/** The mode in this process, with a model that follows a script; `types` are those of the lines that were told. */
function serveHere(steps: ScriptedStep[] = []) {
  const input = new PassThrough();
  const told = new PassThrough();
  const output = new Output(told, {});
  const script = scriptedModel(steps);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
  const shelf = new SessionShelf("/nowhere", "/w", false);
  const keeper = new SessionKeeper(agent, {
    ...{ shelf, store: shelf.begin(), streamFn: script.streamFn, findModel: () => undefined },
    compaction: { keepRecentTokens: 1 },
  });
  const end = new AbortController();
  const serve = () =>
    serveRpc({
      ...{ agent, keeper, input, output, slashCommands: [], chain: new ModelChain([]), workspace: "/w" },
      questions: new PermissionQuestions(output),
      findModel: () => Promise.reject(new Error("There is none.")),
      signal: end.signal,
    });
  const lines = () =>
    String(told.read())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  return { input, agent, script, end, serve, lines };
}

test("an input that fails ends the mode as one that ends, with the answers to what was asked before", async () => {
  const { input, serve, lines } = serveHere();
  input.write('{"id":"1","type":"abort"}\n');
  input.once("resume", () => setImmediate(() => input.destroy(new Error("read EIO"))));
  await serve();
  expect(lines().map(({ type }) => type)).toEqual(["ready", "response"]);
});

test("notes that are being written keep the mode from its end as little as a run does", async () => {
  const { input, agent, script, end, serve, lines } = serveHere(["One.", "Two.", { hang: true }]);
  for (const text of ["one", "two"]) await agent.prompt(`${text} ${"word ".repeat(100)}`);
  const served = serve();
  input.write('{"id":"1","type":"compact"}\n');
  while (script.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
  end.abort("terminated");
  await served;
  expect(lines().at(-1)).toMatchObject({ command: "compact", ok: false });
});

test("an abort gives up the notes that are being written", async () => {
  const { input, agent, script, serve, lines } = serveHere(["One.", "Two.", { hang: true }]);
  for (const text of ["one", "two"]) await agent.prompt(`${text} ${"word ".repeat(100)}`);
  const served = serve();
  input.write('{"id":"1","type":"compact"}\n');
  while (script.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
  input.end('{"id":"2","type":"abort"}\n');
  await served;
  const responses = lines().filter(({ type }) => type === "response");
  expect(responses.map(({ id, ok, error, data }) => [id, ok, error ?? data])).toEqual([
    ["1", false, "The notes were given up; the conversation is read as before."],
    ["2", true, { aborted: true }],
  ]);
});

test("a line of ten megabytes goes in and comes out whole, past a reader that rests", async () => {
  const server = await serve(replayScript(() => text("ok")));
  const { child, line, send, ended } = await startBare(through(server.url));
  const words = "wörter ".repeat(1_400_000).trim();
  send({ id: "1", type: "prompt", message: words });
  await line(isEnd);
  child.stdout.pause();
  send({ id: "2", type: "get_messages" });
  send({ id: "3", type: "get_state" });
  await delay(500);
  child.stdout.resume();
  const { data } = await line(({ id }) => id === "2");
  expect(JSON.stringify(data.messages[0].content).includes(words)).toBe(true);
  expect(await line(({ id }) => id === "3")).toMatchObject({ ok: true, data: { messageCount: 2 } });
  child.stdin.end();
  expect((await ended).code).toBe(0);
});

describe("the ways to end, each with what it started", () => {
  /** A process in which a command runs that would never end. */
  async function atWork(): Promise<BareProcess> {
    const bare = await startBare([...DEMO, "--yolo"]);
    bare.send({ id: "1", type: "prompt", message: "run touch begun; sleep 600 & sleep 600" });
    while (!existsSync(join(bare.cwd, "begun"))) await delay(10);
    return bare;
  }

  test("a client that goes away", async () => {
    const { child, cwd, ended, send } = await atWork();
    child.stdout.destroy();
    send({ id: "2", type: "get_messages" });
    expect(await ended).toEqual({ code: 143, signal: null, stderr: DEMO_NOTE });
    expect(processesIn(cwd)).toEqual([]);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("%s", async (signal, code) => {
    const { child, cwd, ended, line } = await atWork();
    child.kill(signal);
    expect(await ended).toEqual({ code, signal: null, stderr: DEMO_NOTE });
    expect((await line(isEnd))["event"].reason).toBe("aborted");
    expect(processesIn(cwd)).toEqual([]);
  });

  test("the end of the input lets the run under way finish", async () => {
    const { child, send, ended, line } = await startBare([...DEMO, "--yolo"]);
    send({ id: "1", type: "prompt", message: "run sleep 0.5; echo done" });
    child.stdin.end();
    expect((await line(isEnd))["event"].reason).toBe("completed");
    expect((await ended).code).toBe(0);
  });

  test("the end of the input answers an open question with no", async () => {
    const { child, send, ended, line, cwd } = await startBare();
    send({ id: "1", type: "prompt", message: "run touch made" });
    await line(({ type }) => type === "permission_question");
    child.stdin.end();
    expect((await line(isEnd))["event"].reason).toBe("completed");
    expect([(await ended).code, existsSync(join(cwd, "made"))]).toEqual([0, false]);
  });
});

test("steering goes into the run under way, what follows up comes after it, and each is in the history once", async () => {
  const server = await serve(
    replayScript(({ messages }) =>
      messages.some(({ role }) => role !== "user")
        ? text(`answer to ${messages.findLast(({ role }) => role === "user")?.text}`)
        : { content: [{ type: "toolCall", id: "call_1", name: "bash", arguments: { command: "sleep 0.5" } }] },
    ),
  );
  const { client, events } = await connect({}, [...through(server.url), "--yolo"]);
  const end = client.run("first");
  while (!events.some(({ type }) => type === "tool_execution_start")) await delay(5);
  await client.request("follow_up", { message: "later" });
  await client.request("steer", { message: "now" });
  expect((await end).reason).toBe("completed");
  const { messages } = await client.request("get_messages", {});
  expect(messages.map((message) => [message.role, JSON.stringify("content" in message && message.content)])).toEqual([
    ["user", expect.stringContaining("first")],
    ["assistant", expect.stringContaining("call_1")],
    ["toolResult", expect.any(String)],
    ["user", expect.stringContaining("now")],
    ["assistant", expect.stringContaining("answer to now")],
    ["user", expect.stringContaining("later")],
    ["assistant", expect.stringContaining("answer to later")],
  ]);
});

test("the model can be changed between two prompts of a session, by a list too", async () => {
  const { client } = await connect();
  await client.run("repeat: hi");
  await expect(client.request("set_model", { model: "demo," })).rejects.toThrow("has a comma with no model beside it");
  expect(await client.request("set_model", { model: "ollama/none,demo" })).toEqual({ model: "ollama/none" });
  expect((await client.run("repeat: there")).reason).toBe("completed");
  expect((await client.request("get_state", {})).messageCount).toBe(4);
});

describe("commands of the client", () => {
  test("run without a question, beside the run of the model, and are not in the history", async () => {
    const { client } = await connect({ onPermissionQuestion: () => new Promise(() => {}) });
    await client.request("prompt", { message: "run echo asked" });
    expect(await client.request("bash", { command: "echo own; exit 3" })).toEqual({
      output: "own\n\n[Exit code 3.]",
      exitCode: 3,
      timedOut: false,
    });
    expect(await client.request("bash", { command: "sleep 600", timeout: 0.2 })).toMatchObject({ timedOut: true });
    expect(await client.request("abort", {})).toEqual({ aborted: true });
    expect(JSON.stringify((await client.request("get_messages", {})).messages)).not.toContain("own");
  });

  test("are ended by an abort, with all that they started", async () => {
    const { client, cwd } = await connect();
    const running = client.request("bash", { command: "touch begun; sleep 600 & sleep 600" });
    const rejected = expect(running).rejects.toThrow("Ended because the run was aborted");
    while (!existsSync(join(cwd, "begun"))) await delay(10);
    expect(await client.request("abort", {})).toEqual({ aborted: true });
    await rejected;
    expect(processesIn(cwd)).toEqual([]);
  });
});

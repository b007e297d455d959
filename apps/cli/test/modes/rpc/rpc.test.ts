// RPC mode over real pipes: the typed client, the raw lines, and the examples.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { replayScript } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";
import { RpcClient } from "../../../src/modes/rpc/client.ts";
import { commandLine, rondo } from "../../command.ts";
import { jpegOf, storedWith } from "../../images/pictures.ts";
import { serve, text, through } from "../../served-model.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";
import { connect, DEMO } from "./connect.ts";

test("a conversation: prompt, state, messages, models, a new start", async () => {
  const { client, cwd, events } = await connect();
  expect(await client.request("get_state", {})).toEqual({
    model: "demo/script",
    thinking: "off",
    isRunning: false,
    messageCount: 0,
    workspace: cwd,
    session: expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{6}$/),
  });
  const end = await client.run("read note.txt");
  expect(end.reason).toBe("completed");
  expect(events.filter((event) => event.type === "message_end").map(({ message }) => message.role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "assistant",
  ]);
  const { messages } = await client.request("get_messages", {});
  expect(messages.at(-1)).toMatchObject({ role: "assistant", content: [{ type: "text", text: "in the note" }] });
  expect(await client.request("set_model", { model: "anthropic/claude-sonnet-5-5" })).toEqual({
    model: "anthropic/claude-sonnet-5-5",
  });
  await expect(client.request("set_model", { model: "nonsense" })).rejects.toThrow('No model is called "nonsense".');
  await client.request("set_thinking", { level: "high" });
  await client.request("new", {});
  expect(await client.request("get_state", {})).toMatchObject({ thinking: "high", messageCount: 0 });
  expect(await client.close()).toBe(0);
});

test("a prompt of the person is said by its name", async () => {
  const config = temporaryFolder();
  mkdirSync(join(config, "prompts"));
  writeFileSync(join(config, "prompts/say.md"), "repeat: $1");
  const env = { PATH: process.env["PATH"], HOME: config, TMPDIR: config, RONDO_CONFIG: config };
  const { client } = await connect({ env });
  await client.run("/say well");
  const { messages } = await client.request("get_messages", {});
  expect(messages.at(-1)).toMatchObject({ role: "assistant", content: [{ type: "text", text: "well" }] });
});

test("sessions: a tree that can be gone back in, names, copies, and earlier ones", async () => {
  const { client } = await connect();
  await client.run("repeat: one");
  await client.run("repeat: two");
  const { session } = await client.request("get_state", {});
  const { entries, leaf } = await client.request("get_tree", {});
  expect(entries.map(({ type, role, text }) => [type, role, text])).toEqual([
    ["model", undefined, undefined],
    ["thinking", undefined, undefined],
    ["message", "user", "repeat: one"],
    ["message", "assistant", "one"],
    ["message", "user", "repeat: two"],
    ["message", "assistant", "two"],
  ]);
  expect(leaf).toBe(entries.at(-1)?.id);
  const answer = entries[3]?.id ?? "";
  await client.request("set_label", { entry: answer, label: "here" });
  await client.request("set_name", { name: "talk" });
  await client.request("branch", { entry: answer });
  expect(await client.request("get_state", {})).toMatchObject({ messageCount: 2, name: "talk" });
  const fork = await client.request("fork", { entry: answer });
  const forked = await client.request("get_tree", {});
  expect([fork.session === session, forked.entries.length]).toEqual([false, 4]);
  expect((await client.request("list_sessions", {})).sessions.map(({ id, title }) => [id, title])).toEqual([
    [session, "talk"],
  ]);
  await client.request("resume", { session: "TALK" });
  const again = await client.request("get_tree", {});
  expect([again.entries.length, again.entries[3]?.label]).toEqual([9, "here"]);
  await expect(client.request("branch", { entry: "none" })).rejects.toThrow("There is no entry none in this session.");
  await expect(client.request("resume", { session: "none" })).rejects.toThrow("No session of this folder fits");
  await expect(client.request("compact", {})).rejects.toThrow("The notes could not be made: The summary is no shorter");
});

test("what changes something is asked about, and runs or not as it is answered", async () => {
  const asked: unknown[] = [];
  const { client, cwd } = await connect({
    onPermissionQuestion: ({ tool, args, suggestions }) => {
      asked.push({ tool, args, suggestions });
      return asked.length === 2;
    },
  });
  await client.run("run touch first");
  await client.run("run touch second");
  expect(asked).toEqual([
    { tool: "bash", args: { command: "touch first" }, suggestions: ["bash(touch first)"] },
    { tool: "bash", args: { command: "touch second" }, suggestions: ["bash(touch second)"] },
  ]);
  expect([existsSync(join(cwd, "first")), existsSync(join(cwd, "second"))]).toEqual([false, true]);
});

test("a second prompt is refused while a run is under way, and an abort ends the run", async () => {
  const started = new Promise<RpcClient>((resolve) => {
    void connect(
      {
        onEvent: (event) => event.type === "tool_execution_start" && void running.then(({ client }) => resolve(client)),
      },
      [...DEMO, "--yolo"],
    ).then((connection) => give(connection));
  });
  let give: (connection: Awaited<ReturnType<typeof connect>>) => void = () => {};
  const running = new Promise<Awaited<ReturnType<typeof connect>>>((resolve) => {
    give = resolve;
  });
  const { client } = await running;
  const end = client.run("run sleep 600");
  await started;
  await expect(client.request("prompt", { message: "ls" })).rejects.toThrow("A run is under way.");
  await expect(client.request("new", {})).rejects.toThrow("A run is under way.");
  expect(await client.request("abort", {})).toEqual({ aborted: true });
  expect((await end).reason).toBe("aborted");
  expect(await client.request("abort", {})).toEqual({ aborted: false });
});

test("each line has exactly one response, with its id, and a bad line changes nothing", async () => {
  const lines = [
    "no json",
    "[1]",
    '{"type":"get_state"}',
    '{"id":"1","type":"dance"}',
    '{"id":"2","type":"prompt"}',
    '{"id":"3","type":"prompt","message":"x","images":[{}]}',
    '{"id":"4","type":"set_thinking","level":"loud"}',
    '{"id":"5","type":"permission_answer","questionId":"none","allow":true}',
    '{"id":"6","type":"prompt","message":"repeat: a\u2028b"}',
  ];
  const { code, stdout } = await rondo([...DEMO, "--mode", "rpc"], { stdin: `${lines.join("\r\n")}\n\n` });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(answers[0]).toMatchObject({ type: "ready", version: 1, model: "demo/script" });
  const responses = answers.filter(({ type }) => type === "response");
  expect(responses.map(({ id, ok, error, data }) => [id, ok, error ?? data])).toEqual([
    [null, false, "The line is no JSON."],
    [null, false, "The line is no JSON object."],
    [null, false, "A request needs an id, which is a text."],
    ["1", false, expect.stringMatching(/^There is no command dance\. Known are prompt, steer, .*\.$/)],
    ["2", false, "The field message of prompt must be a text."],
    [
      "3",
      false,
      'The field images of prompt must be a list of { "type": "image", "data": …, "mimeType": … }, or left out.',
    ],
    ["4", false, "The field level of set_thinking must be one of off, minimal, low, medium, high, xhigh, max."],
    ["5", true, { taken: false }],
    ["6", true, undefined],
  ]);
  const events = answers.filter(({ type }) => type === "event").map(({ event }) => event);
  expect(answers.indexOf(responses.at(-1))).toBeLessThan(answers.findIndex(({ type }) => type === "event"));
  expect(events[0]).toEqual({ type: "agent_start" });
  expect(events.at(-1)).toMatchObject({ type: "agent_end", reason: "completed" });
  expect(events.find(({ type, event }) => type === "message_update" && event.type === "text_end").event.content).toBe(
    "a\u2028b",
  );
});

test("requests that wait are rejected when the command ends", async () => {
  const client = new RpcClient({ command: [process.execPath, "-e", "setTimeout(() => process.exit(7), 50)", "--"] });
  await expect(client.request("get_state", {})).rejects.toThrow("The command has ended (exit code 7).");
  await expect(client.request("get_state", {})).rejects.toThrow("The command has ended.");
  const missing = new RpcClient({ command: ["/nonexistent/rondo"] });
  await expect(missing.request("get_state", {})).rejects.toThrow("The command did not start");
});

describe("the examples", () => {
  const run = promisify(execFile);
  const example = (name: string) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

  test("in Python", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "note.txt"), "in the note\n");
    const { stdout } = await run("python3", [example("rpc.py"), "read note.txt", ...(await commandLine()), ...DEMO], {
      cwd,
    });
    expect(stdout).toBe("in the note\n");
  });

  test("in TypeScript, which has no type annotations and so runs on any Node", async () => {
    const cwd = fileURLToPath(new URL("../../..", import.meta.url));
    const source = readFileSync(example("rpc.ts"), "utf8");
    const args = ["--input-type=module", "-e", source, "rpc.ts", "repeat: hello", ...(await commandLine()), ...DEMO];
    expect((await run(process.execPath, args, { cwd })).stdout).toBe("hello\n");
  });
});

test("images that come with a prompt are upright when the model gets them; what is none is refused and nothing has changed", async () => {
  const server = await serve(replayScript(() => text("ok")));
  const { client } = await connect({}, through(server.url));
  const image = (data: Buffer) => ({ type: "image" as const, data: data.toString("base64"), mimeType: "image/jpeg" });
  await expect(client.run("?", [image(Buffer.from("no image"))])).rejects.toThrow(
    "Image 1 cannot be sent: it is none of the kinds that are known.",
  );
  const sideways = image(jpegOf(storedWith(6), 6));
  expect((await client.run("what is that?", [sideways])).reason).toBe("completed");
  const { messages } = await client.request("get_messages", {});
  expect(messages).toHaveLength(2);
  const sent = /"data":"([^"]+)"/.exec(server.requests[0]?.text ?? "")?.[1];
  expect([sent === undefined, sent === sideways.data]).toEqual([false, false]);
});

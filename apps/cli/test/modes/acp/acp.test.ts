// ACP mode over real pipes, driven by the client side of the official SDK.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  type ClientContext,
  type ContentBlock,
  client,
  type McpServer,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionConfigSelectGroup,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import { replayScript, type ScriptedReply } from "@rondo/test-fixtures";
import { expect, onTestFinished, test } from "vitest";
import { commandLine } from "../../command.ts";
import { serve, text, through } from "../../served-model.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";

type Update = SessionNotification["update"];

/** An editor with the command behind it: what it was told, and how it answers questions. */
async function editor(
  place: { base: string; cwd: string },
  answer: (request: RequestPermissionRequest) => string | undefined = () => "no",
  { flags = ["--model", "demo"], keys = {} }: { flags?: string[]; keys?: Record<string, string> } = {},
) {
  const [program = "", ...first] = await commandLine();
  const { base } = place;
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: base,
    RONDO_DATA: join(base, "data"),
    RONDO_CONFIG: join(base, "config"),
    TMPDIR: base,
    ...keys,
  };
  const child: ChildProcess = spawn(program, [...first, "--mode", "acp", ...flags], {
    cwd: base,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const updates: Update[] = [];
  const asked: RequestPermissionRequest[] = [];
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin as Writable),
    Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
  );
  const use = <T>(work: (context: ClientContext) => Promise<T>): Promise<T> =>
    client({ name: "test" })
      .onRequest("session/request_permission", ({ params }) => {
        asked.push(params);
        const optionId = answer(params);
        return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
      })
      .onNotification("session/update", ({ params }) => void updates.push(params.update))
      .connectWith(stream, async (context) => {
        const initialized = await context.request("initialize", {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: {},
        });
        expect(initialized.agentCapabilities?.loadSession).toBe(true);
        return work(context);
      });
  const end = () => {
    child.stdin?.end();
    return exit;
  };
  return { use, updates, asked, end };
}

function place() {
  const base = temporaryFolder();
  const cwd = join(base, "workspace");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "note.txt"), "in the note\n");
  return { base, cwd };
}

const say = (text: string): ContentBlock[] => [{ type: "text", text }];
/** The text of chunks of one kind, joined. */
const textOf = (updates: Update[], kind: string) =>
  updates
    .map((update) =>
      update.sessionUpdate === kind && "content" in update && update.content && "text" in update.content
        ? update.content.text
        : "",
    )
    .join("");

/** The results of calls: id, status, content and places. */
const resultsIn = (updates: Update[]) =>
  updates.flatMap((update) =>
    update.sessionUpdate === "tool_call_update"
      ? [[update.toolCallId, update.status, update.content, update.locations]]
      : [],
  );

test("a prompt streams thinking, calls, results and the answer, and the session can be loaded by another process", async () => {
  const where = place();
  const first = await editor(where);
  const sessionId = await first.use(async (context) => {
    const { sessionId } = await context.request("session/new", { cwd: where.cwd, mcpServers: [] });
    const { stopReason } = await context.request("session/prompt", { sessionId, prompt: say("read note.txt") });
    expect(stopReason).toBe("end_turn");
    return sessionId;
  });
  expect(await first.end()).toBe(0);
  expect(textOf(first.updates, "agent_message_chunk")).toBe("in the note");
  expect(first.updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith("tool_call"))).toEqual([
    {
      sessionUpdate: "tool_call",
      toolCallId: "demo_1",
      status: "in_progress",
      title: "read note.txt",
      kind: "read",
      rawInput: { path: "note.txt" },
      locations: [{ path: join(where.cwd, "note.txt") }],
    },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "demo_1",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "in the note" } }],
    },
  ]);

  const second = await editor(where);
  await second.use(async (context) => {
    const { sessions } = await context.request("session/list", { cwd: where.cwd });
    expect(sessions.map((session) => [session.sessionId, session.title])).toEqual([[sessionId, "read note.txt"]]);
    await context.request("session/load", { sessionId, cwd: where.cwd, mcpServers: [] });
    expect(textOf(second.updates, "user_message_chunk")).toBe("read note.txt");
    expect(textOf(second.updates, "agent_message_chunk")).toBe("in the note");
    await context.request("session/prompt", { sessionId, prompt: say("repeat: again") });
    await expect(
      context.request("session/load", { sessionId: "none", cwd: where.cwd, mcpServers: [] }),
    ).rejects.toThrow('No session of this folder fits "none"');
  });
  expect(textOf(second.updates, "agent_message_chunk")).toBe("in the noteagain");
});

test("the editor is asked before something changes; a yes for good holds, a no goes to the model", async () => {
  const where = place();
  const answers = ["no", "always"];
  const { use, asked, updates } = await editor(where, () => answers.shift());
  await use(async (context) => {
    const { sessionId } = await context.request("session/new", { cwd: where.cwd, mcpServers: [] });
    for (let time = 0; time < 3; time++)
      await context.request("session/prompt", { sessionId, prompt: say("run touch made") });
  });
  expect(
    asked.map(({ toolCall, options }) => [toolCall.toolCallId, toolCall.title, options.map(({ kind }) => kind)]),
  ).toEqual([
    ["demo_1", "bash touch made", ["allow_once", "allow_always", "reject_once"]],
    ["demo_2", "bash touch made", ["allow_once", "allow_always", "reject_once"]],
  ]);
  const statuses = updates.flatMap((update) => (update.sessionUpdate === "tool_call_update" ? [update.status] : []));
  expect(statuses).toEqual(["failed", "completed", "completed"]);
  expect(existsSync(join(where.cwd, "made"))).toBe(true);
});

test("changes are diffs: for the person who is asked, as results, and when the session is taken up again", async () => {
  const where = place();
  const note = join(where.cwd, "note.txt");
  const made = join(where.cwd, "made.txt");
  const steps: ScriptedReply[] = [
    {
      content: [
        { type: "toolCall", id: "c1", name: "write", arguments: { path: "made.txt", content: "one\n" } },
        {
          type: "toolCall",
          id: "c2",
          name: "edit",
          arguments: { path: "note.txt", edits: [{ oldText: "in the", newText: "on the" }] },
        },
      ],
    },
    text("Done."),
  ];
  const server = await serve(replayScript(() => steps.shift() ?? text("No more.")));
  const first = await editor(where, () => "once", { flags: through(server.url) });
  const sessionId = await first.use(async (context) => {
    const { sessionId } = await context.request("session/new", { cwd: where.cwd, mcpServers: [] });
    await context.request("session/prompt", { sessionId, prompt: say("change it") });
    return sessionId;
  });
  expect(await first.end()).toBe(0);
  const created = { type: "diff", path: made, oldText: null, newText: "one\n" };
  expect(first.asked.map(({ toolCall: { toolCallId, kind, content } }) => [toolCallId, kind, content])).toEqual([
    ["c1", "edit", [created]],
    ["c2", "edit", [{ type: "diff", path: note, oldText: "in the", newText: "on the" }]],
  ]);
  const results = [
    ["c1", "completed", [created], [{ path: made, line: 1 }]],
    [
      "c2",
      "completed",
      [{ type: "diff", path: note, oldText: "in the note\n", newText: "on the note\n" }],
      [{ path: note, line: 1 }],
    ],
  ];
  // Both run at once, so either may end first; the conversation has them in order.
  expect(resultsIn(first.updates).toSorted()).toEqual(results);

  // What could not be opened can be when what was wrong is mended.
  const settings = join(where.base, "config/settings.json");
  mkdirSync(join(where.base, "config"), { recursive: true });
  writeFileSync(settings, '{ "sandbox": true }');
  const second = await editor(where, undefined, { keys: { PATH: "/nowhere" } });
  await second.use(async (context) => {
    const load = () => context.request("session/load", { sessionId, cwd: where.cwd, mcpServers: [] });
    await expect(load()).rejects.toThrow("--sandbox needs bubblewrap, which is not installed.");
    rmSync(settings);
    await load();
    const replayed = second.updates.length;
    await context.request("session/resume", { sessionId, cwd: where.cwd, mcpServers: [] });
    expect(second.updates.length).toBe(replayed);
  });
  expect(resultsIn(second.updates)).toEqual(results);
});

test("an editor chooses among the models that can be used, and how hard they think", async () => {
  const where = place();
  const { use, updates } = await editor(where, undefined, { keys: { ANTHROPIC_API_KEY: "k" } });
  await use(async (context) => {
    const { sessionId, configOptions } = await context.request("session/new", { cwd: where.cwd, mcpServers: [] });
    expect(configOptions?.map(({ id, category, currentValue }) => [id, category, currentValue])).toEqual([
      ["model", "model", "demo/script"],
      ["thinking", "thought_level", "off"],
    ]);
    const [model] = configOptions ?? [];
    const groups = model?.type === "select" && (model.options as SessionConfigSelectGroup[]).map(({ group }) => group);
    expect(groups).toEqual(["anthropic", "demo"]);
    const choose = (configId: string, value: string) =>
      context.request("session/set_config_option", { sessionId, configId, value });
    await choose("model", "anthropic/claude-sonnet-5-5");
    const { configOptions: chosen } = await choose("thinking", "high");
    expect(chosen.map(({ id, currentValue }) => [id, currentValue])).toEqual([
      ["model", "anthropic/claude-sonnet-5-5"],
      ["thinking", "high"],
    ]);
    await expect(choose("model", "openai/gpt-6.1-sol")).rejects.toThrow("There is no model openai/gpt-6.1-sol");
    await choose("model", "demo/script");
    await context.request("session/prompt", { sessionId, prompt: say("repeat: chosen") });
  });
  expect(textOf(updates, "agent_message_chunk")).toBe("chosen");
});

test("a model call that fails is an error with a sentence, and asks nobody to sign in", async () => {
  const where = place();
  const { use } = await editor(where, undefined, { flags: ["--model", "anthropic/claude-sonnet-5-5"] });
  await use(async (context) => {
    const { sessionId } = await context.request("session/new", { cwd: where.cwd, mcpServers: [] });
    await expect(context.request("session/prompt", { sessionId, prompt: say("hi") })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("There is no API key for Anthropic. Set ANTHROPIC_API_KEY"),
    });
  });
});

test("a fault that is no extension's ends the mode, however many sessions have extensions", async () => {
  const where = place();
  mkdirSync(join(where.base, "config/extensions"), { recursive: true });
  writeFileSync(
    join(where.base, "config/extensions/stranger.mjs"),
    "export default (rondo) => rondo.onEvent(({ type }) => void (type === 'agent_start' && setImmediate(JSON.parse, '{')));",
  );
  const { use, end } = await editor(where);
  const prompted = use(async (context) => {
    await context.request("session/new", { cwd: where.cwd, mcpServers: [] });
    const { sessionId } = await context.request("session/new", { cwd: where.cwd, mcpServers: [] });
    await context.request("session/prompt", { sessionId, prompt: say("repeat: on") });
  });
  await prompted.catch(() => undefined);
  expect(await end()).toBe(1);
});

test("a cancelled prompt ends as cancelled, and the session goes on", async () => {
  const where = place();
  const { use, updates } = await editor(where, () => "once");
  await use(async (context) => {
    const { sessionId } = await context.request("session/new", { cwd: where.cwd, mcpServers: [] });
    const running = context.request("session/prompt", { sessionId, prompt: say("run sleep 60") });
    await expect
      .poll(() => updates.some(({ sessionUpdate }) => sessionUpdate === "tool_call"), { timeout: 20_000 })
      .toBe(true);
    await context.notify("session/cancel", { sessionId });
    expect((await running).stopReason).toBe("cancelled");
    expect((await context.request("session/prompt", { sessionId, prompt: say("repeat: on") })).stopReason).toBe(
      "end_turn",
    );
  });
  expect(textOf(updates, "agent_message_chunk")).toContain("on");
});

test("prompt templates are commands, the editor's servers give tools, and what cannot be is told in a sentence", async () => {
  const where = place();
  mkdirSync(join(where.base, "config/prompts"), { recursive: true });
  writeFileSync(
    join(where.base, "config/prompts/say.md"),
    "---\ndescription: Says it\nargument-hint: <what>\n---\nrepeat: $1",
  );
  const { use, updates } = await editor(where, () => "once");
  const server = fileURLToPath(new URL("../../mcp/example-server.mjs", import.meta.url));
  await use(async (context) => {
    const mcpServers: McpServer[] = [{ name: "files", command: process.execPath, args: [server], env: [] }];
    const { sessionId } = await context.request("session/new", { cwd: where.cwd, mcpServers });
    await context.request("session/prompt", { sessionId, prompt: say("/say well") });
    await expect(context.request("session/prompt", { sessionId: "none", prompt: say("x") })).rejects.toThrow(
      "There is no open session none.",
    );
    await expect(context.request("session/new", { cwd: "relative", mcpServers: [] })).rejects.toThrow(
      "is no absolute path",
    );
  });
  expect(textOf(updates, "agent_message_chunk")).toBe("well");
  expect(updates).toContainEqual({
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "say", description: "Says it", input: { hint: "<what>" } }],
  });
});

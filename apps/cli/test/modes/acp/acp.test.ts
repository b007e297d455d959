// ACP mode over real pipes, driven by the client side of the official SDK.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
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
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import { expect, onTestFinished, test } from "vitest";
import { commandLine } from "../../command.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";

type Update = SessionNotification["update"];

/** An editor with the command behind it: what it was told, and how it answers questions. */
async function editor(
  place: { base: string; cwd: string },
  answer: (request: RequestPermissionRequest) => string | undefined = () => "no",
) {
  const [program = "", ...first] = await commandLine();
  const { base } = place;
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: base,
    RONDO_DATA: join(base, "data"),
    RONDO_CONFIG: join(base, "config"),
    TMPDIR: base,
  };
  const child: ChildProcess = spawn(program, [...first, "--mode", "acp", "--model", "demo"], {
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

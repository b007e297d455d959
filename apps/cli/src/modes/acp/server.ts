// ACP mode: an editor talks to the command through the Agent Client Protocol on standard input and output. Sessions are those of
// the command itself: kept in files, loaded by their ids. The official SDK frames and checks what is sent.
import { Readable, Writable } from "node:stream";
import {
  type AgentContext,
  agent,
  type McpServer,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import type { AskPerson } from "../../permissions/gate.ts";
import type { SessionSummary } from "../../session/session-folder.ts";
import type { McpServerSettings } from "../../settings/settings-schema.ts";
import { AcpSession, CallQuestions, type Editor, type OpenedSession, PromptFailure } from "./acp-session.ts";

/** What an editor wants of a session. */
export interface SessionWish {
  /** Absolute path of the workspace. */
  root: string;
  /** Servers that the editor brings along. */
  mcpServers: Record<string, McpServerSettings>;
  /** The session to go on with; absent for a new one. */
  sessionId?: string;
}

/** What ACP mode works with. */
export interface AcpServerOptions {
  input: Readable;
  output: Writable;
  /** Opens a session. Rejects with an error for people. */
  open: (wish: SessionWish, askPerson: AskPerson) => Promise<OpenedSession>;
  list: (root: string) => SessionSummary[];
  /** Ends the mode. */
  signal: AbortSignal;
}

/** A session that the editor takes up again. */
interface ReopenedSession {
  sessionId: string;
  cwd: string;
  mcpServers?: McpServer[];
}

/** The protocol's code for a failure that is nobody's mistake; -32000 would ask the person to sign in. */
const INTERNAL_ERROR = -32603;

/** Serves until the input ends or the signal aborts. `sessions` are those that are open, for whoever must close them at once. */
export async function serveAcp(
  { input, output, open, list, signal }: AcpServerOptions,
  sessions: Map<string, AcpSession>,
): Promise<void> {
  const sessionOf = (id: string): AcpSession => {
    const session = sessions.get(id);
    if (!session) throw RequestError.invalidParams(undefined, `There is no open session ${id}.`);
    return session;
  };
  const openSession = async (wish: SessionWish, editor: Editor): Promise<AcpSession> => {
    const questions = new CallQuestions();
    const opened = new AcpSession(await forPeople(() => open(wish, questions.ask)), editor, questions);
    sessions.set(opened.id, opened);
    return opened;
  };
  const reopenSession = ({ sessionId, cwd, mcpServers = [] }: ReopenedSession, editor: Editor): Promise<AcpSession> => {
    sessions.get(sessionId)?.close();
    sessions.delete(sessionId);
    return openSession({ root: cwd, mcpServers: readServers(mcpServers), sessionId }, editor);
  };
  const connection = agent({ name: "rondo" })
    .onRequest("initialize", ({ params }) => ({
      protocolVersion: Math.min(params.protocolVersion, PROTOCOL_VERSION),
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    }))
    .onRequest("authenticate", () => ({}))
    .onRequest("session/new", async ({ params, client }) => {
      const opened = await openSession(
        { root: params.cwd, mcpServers: readServers(params.mcpServers) },
        editorOf(client),
      );
      // The editor knows the session only when it has the answer.
      setImmediate(() => void opened.announceCommands().catch(() => {}));
      return { sessionId: opened.id, configOptions: opened.options };
    })
    .onRequest("session/load", async ({ params, client }) => {
      const opened = await reopenSession(params, editorOf(client));
      await opened.replay();
      await opened.announceCommands();
      return { configOptions: opened.options };
    })
    .onRequest("session/resume", async ({ params, client }) => {
      const opened = await reopenSession(params, editorOf(client));
      await opened.announceCommands();
      return { configOptions: opened.options };
    })
    .onRequest("session/set_config_option", ({ params }) =>
      forPeople(async () => {
        const session = sessionOf(params.sessionId);
        session.choose(params.configId, params.value);
        return { configOptions: session.options };
      }),
    )
    .onRequest("session/list", ({ params }) => ({
      sessions: (params.cwd ? list(params.cwd) : []).map(({ id, title, changedAt }) => ({
        sessionId: id,
        cwd: params.cwd ?? "",
        title,
        updatedAt: new Date(changedAt).toISOString(),
      })),
    }))
    .onRequest("session/close", ({ params }) => {
      sessionOf(params.sessionId).close();
      sessions.delete(params.sessionId);
      return {};
    })
    .onRequest("session/prompt", ({ params }) => forPeople(() => sessionOf(params.sessionId).prompt(params.prompt)))
    .onNotification("session/cancel", ({ params }) => sessions.get(params.sessionId)?.cancel())
    .connect(ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>));
  const stop = () => void connection.close();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  await connection.closed.catch(() => {});
  signal.removeEventListener("abort", stop);
  for (const session of sessions.values()) session.close();
}

function editorOf(client: AgentContext): Editor {
  return {
    update: (sessionId, update) => client.notify("session/update", { sessionId, update }),
    requestPermission: (request) => client.request("session/request_permission", request),
  };
}

/** An error of ours becomes one of the protocol, with the sentence that is meant for the person. */
async function forPeople<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw error instanceof PromptFailure
      ? new RequestError(INTERNAL_ERROR, message)
      : RequestError.invalidParams(undefined, message);
  }
}

function readServers(servers: McpServer[]): Record<string, McpServerSettings> {
  const pairs = (list: { name: string; value: string }[]) =>
    Object.fromEntries(list.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    servers.flatMap((server): [string, McpServerSettings][] => {
      if ("command" in server)
        return [[server.name, { command: server.command, args: server.args, env: pairs(server.env) }]];
      return server.type === "http" ? [[server.name, { url: server.url, headers: pairs(server.headers) }]] : [];
    }),
  );
}

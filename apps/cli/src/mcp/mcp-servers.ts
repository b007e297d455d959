// Servers of the Model Context Protocol: connects to those that are configured, lists their tools, and ends them. One that does not
// answer is left out with a sentence about it. The official SDK is loaded when the first server is.

import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { AnyAgentTool } from "@rondo/agent";
import type { McpServerSettings } from "../settings/settings-schema.ts";
import { createMcpTool, type ListedTool } from "./mcp-tool.ts";
import { hideSecrets } from "./secrets.ts";

/** What servers are told about us. */
const CLIENT = { name: "rondo", version: "0.1.0" };
const CONNECT_MS = 15_000;
const PAGES_MAX = 20;
const TOOLS_MAX = 200;
/** What the SDK says when the other side has gone ("ErrorCode.ConnectionClosed"). */
const CLOSED = -32000;

/** The servers of a session. */
export interface McpServers {
  tools: AnyAgentTool[];
  /** What was left out and why. */
  problems: string[];
  /** Ends the connections and the programs. Synchronous, for the end of the process; may be called several times. */
  close: () => void;
}

interface Connection {
  name: string;
  tools: AnyAgentTool[];
}

/** Connects to all servers at once. Never rejects. */
export async function connectMcpServers(servers: Record<string, McpServerSettings>, root: string): Promise<McpServers> {
  const closers: (() => void)[] = [];
  const problems: string[] = [];
  const connections = await Promise.all(
    Object.entries(servers).map(async ([name, settings]): Promise<Connection> => {
      try {
        const { tools, isCut } = await connect(name, settings, root, closers);
        if (isCut)
          problems.push(
            `The MCP server ${name} has more than ${TOOLS_MAX} tools; those after ${tools.at(-1)?.name} are left out.`,
          );
        return { name, tools };
      } catch (error) {
        problems.push(`The MCP server ${name} is left out: ${describeProblem(error, settings)}`);
        return { name, tools: [] };
      }
    }),
  );
  const tools = new Map<string, AnyAgentTool>();
  for (const tool of connections.flatMap((connection) => connection.tools))
    if (tools.has(tool.name)) problems.push(`There are two MCP tools ${tool.name}; the second is left out.`);
    else tools.set(tool.name, tool);
  const close = () => {
    for (const closer of closers.splice(0)) closer();
  };
  return { tools: [...tools.values()], problems, close };
}

function describeProblem(error: unknown, settings: McpServerSettings): string {
  const { command } = settings;
  if (command !== undefined && (error as NodeJS.ErrnoException).code === "ENOENT")
    return `its command ${command} was not found. Is it installed, and on the PATH?`;
  if (command !== undefined && (error as { code?: unknown }).code === CLOSED)
    return `its command ${command} ended before it had answered. Run it by hand to see why.`;
  const reason = error instanceof Error ? error.message : String(error);
  return hideSecrets(settings)(reason.split("\n")[0] ?? "");
}

async function connect(
  name: string,
  settings: McpServerSettings,
  root: string,
  closers: (() => void)[],
): Promise<{ tools: AnyAgentTool[]; isCut: boolean }> {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const client = new Client(CLIENT);
  // Messages that are no protocol are the server's mistake; each call that suffers from it fails by itself.
  client.onerror = () => {};
  await client.connect(await openTransport(settings, root, closers), { timeout: CONNECT_MS });
  closers.push(() => void client.close().catch(() => {}));
  const listed = await listTools(client);
  const tools = listed.slice(0, TOOLS_MAX).map((tool) => createMcpTool(client, name, tool, settings));
  return { tools, isCut: listed.length > TOOLS_MAX };
}

async function openTransport(
  { command, args = [], env, url, headers }: McpServerSettings,
  root: string,
  closers: (() => void)[],
): Promise<Transport> {
  if ((command === undefined) === (url === undefined)) throw new Error("it needs either a command or a url.");
  if (url !== undefined) {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { ...(headers && { headers }) },
    }) as Transport;
  }
  const { StdioClientTransport, getDefaultEnvironment } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const transport = new StdioClientTransport({
    command: command ?? "",
    args,
    cwd: root,
    env: { ...getDefaultEnvironment(), ...env },
    stderr: "ignore",
  });
  closers.push(() => endProgram(transport.pid));
  return transport;
}

/** The SDK would wait for seconds, which nobody has at the end of the process. */
function endProgram(pid: number | null): void {
  if (pid === null) return;
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}

/** All tools, or one more than are taken. */
async function listTools(client: Client): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: CONNECT_MS });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined || tools.length > TOOLS_MAX) break;
  }
  return tools;
}

// A tool of an MCP server as a tool of the agent: its name tells the server, its output is bounded, and it goes through the same
// permissions as every other tool.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { AgentToolResult, AnyAgentTool } from "@rondo/agent";
import { type ImageContent, type TextContent, Type } from "@rondo/ai";
import type { McpServerSettings } from "../settings/settings-schema.ts";
import { RESULT_BYTES_MAX } from "../tools/result.ts";
import { hideSecrets } from "./secrets.ts";

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
}

/** One part of what a server answers. */
interface AnswerPart {
  type: string;
  text?: unknown;
  data?: unknown;
  mimeType?: unknown;
  uri?: unknown;
  resource?: { uri?: unknown; text?: unknown; blob?: unknown; mimeType?: unknown };
}

const CALL_MS = 60_000;
/** The shortest limit on names among the APIs. */
const NAME_CHARACTERS_MAX = 64;
const DESCRIPTION_CHARACTERS_MAX = 4000;
const REASON_CHARACTERS_MAX = 500;

/** Makes the tool. */
export function createMcpTool(
  client: Client,
  server: string,
  listed: ListedTool,
  settings: McpServerSettings,
): AnyAgentTool {
  const { timeoutMs = CALL_MS } = settings;
  const hide = hideSecrets(settings);
  return {
    name: mcpToolName(server, listed.name),
    label: `${server}: ${listed.title ?? listed.name}`,
    description: (listed.description ?? "").slice(0, DESCRIPTION_CHARACTERS_MAX),
    parameters: Type.Unsafe(listed.inputSchema),
    async execute(_toolCallId, params, signal): Promise<AgentToolResult> {
      const request = { name: listed.name, arguments: params as Record<string, unknown> };
      const options = { timeout: timeoutMs, ...(signal && { signal }) };
      const answer = await client.callTool(request, undefined, options).catch((error: unknown) => {
        throw new Error(`The MCP server ${server} failed: ${hide(shortReason(error))}`);
      });
      const parts = Array.isArray(answer.content) ? (answer.content as AnswerPart[]) : [];
      const content = boundText(parts.map(readPart));
      const empty = { type: "text" as const, text: "(The server answered with nothing.)" };
      return { content: content.length > 0 ? content : [empty], details: undefined, isError: answer.isError === true };
    },
  };
}

/** Servers send whole pages along with their errors. */
function shortReason(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason.length > REASON_CHARACTERS_MAX ? `${reason.slice(0, REASON_CHARACTERS_MAX)}…` : reason;
}

/** The name under which the model and the permission rules know a tool. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`.replace(/[^\w-]/g, "_").slice(0, NAME_CHARACTERS_MAX);
}

function readPart(part: AnswerPart): TextContent | ImageContent {
  const { type, text, data, mimeType, uri, resource } = part;
  if (type === "text") return { type: "text", text: String(text) };
  // What kind it really is, and whether models take it, is looked at where all results go through.
  if (type === "image" && typeof data === "string") return { type: "image", data, mimeType: String(mimeType) };
  if (type === "resource" && typeof resource?.blob === "string" && String(resource.mimeType).startsWith("image/"))
    return { type: "image", data: resource.blob, mimeType: String(resource.mimeType) };
  if (type === "resource" && typeof resource?.text === "string") return { type: "text", text: resource.text };
  return { type: "text", text: `(${type} ${String(uri ?? resource?.uri ?? mimeType ?? "")}, which cannot be shown)` };
}

/** All text together stays within the limit of a result. */
function boundText(parts: (TextContent | ImageContent)[]): (TextContent | ImageContent)[] {
  let left = RESULT_BYTES_MAX;
  return parts.flatMap((part): (TextContent | ImageContent)[] => {
    if (part.type !== "text") return [part];
    const { length } = part.text;
    if (left <= 0) return [];
    // A pair of surrogates is not cut in two.
    const shown = part.text.slice(0, left).replace(/[\ud800-\udbff]$/, "");
    const text = length > left ? `${shown}\n[… cut here, of ${length} characters]` : part.text;
    left -= length;
    return [{ type: "text", text }];
  });
}

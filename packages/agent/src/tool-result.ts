// Makes a proper result out of whatever a tool or a hook gave back, and the message that carries it into the history.
// Invariant: content is a list of text and image blocks, and the message is plain JSON.
import type { ImageContent, TextContent, ToolCall, ToolResultMessage, Usage } from "@rondo/ai";
import { toPlainJson } from "./plain-json.ts";
import type { AfterToolCallResult, AgentToolResult } from "./types.ts";

/** How a call came out. */
export interface ToolOutcome {
  toolCall: ToolCall;
  result: AgentToolResult;
  isError: boolean;
}

/** A call that failed or was not run, told to the model in one text. */
export function errorOutcome(toolCall: ToolCall, text: string): ToolOutcome {
  return { toolCall, result: { content: [{ type: "text", text }], details: {} }, isError: true };
}

/** What a tool returned, mended where it is no result: text alone is taken as content, nothing at all is an error. */
export function toolOutcome(toolCall: ToolCall, returned: unknown): ToolOutcome {
  if (typeof returned === "string") return { toolCall, result: textResult(returned), isError: false };
  if (typeof returned !== "object" || returned === null)
    return errorOutcome(toolCall, `The tool "${toolCall.name}" returned no result.`);
  const result = returned as AgentToolResult;
  const content = contentOf(result.content);
  if (!content) return errorOutcome(toolCall, `The tool "${toolCall.name}" returned a result without content.`);
  return { toolCall, result: withUsage({ ...result, content }, result.usage), isError: result.isError === true };
}

/** Lays the fields that a hook gave over those of the tool. */
export function overrideOutcome(outcome: ToolOutcome, override: AfterToolCallResult | undefined): ToolOutcome {
  if (!override) return outcome;
  const { content, details, usage, terminate, isError } = override;
  let result: AgentToolResult = { ...outcome.result };
  if (content !== undefined) result.content = contentOf(content) ?? [];
  if (details !== undefined) result.details = details;
  if (usage !== undefined) result = withUsage(result, usage);
  if (terminate !== undefined) result.terminate = terminate;
  return { ...outcome, result, isError: typeof isError === "boolean" ? isError : outcome.isError };
}

/** With a usage that can be added up and saved; without one if this is none. */
function withUsage({ usage: _usage, ...result }: AgentToolResult, given: unknown): AgentToolResult {
  const usage = toPlainJson(given) as Usage | undefined;
  if (typeof usage !== "object" || usage === null || Array.isArray(usage)) return result;
  const cost = typeof usage.cost === "object" && usage.cost !== null ? usage.cost : {};
  return { ...result, usage: { ...usage, cost } };
}

/** The message that answers a call. */
export function toolResultMessage(outcome: ToolOutcome, timestamp: number): ToolResultMessage {
  const { toolCall, result, isError } = outcome;
  const details = toPlainJson(result.details);
  return {
    role: "toolResult",
    toolCallId: toolCall.id,
    toolName: toolCall.name,
    content: toPlainJson(result.content) as ToolResultMessage["content"],
    ...(details === undefined ? {} : { details }),
    ...(result.usage ? { usage: result.usage } : {}),
    isError,
    timestamp,
  };
}

function textResult(text: string): AgentToolResult {
  return { content: [{ type: "text", text }], details: {} };
}

/** The blocks that a model can read, or undefined if this is no content at all. */
function contentOf(value: unknown): (TextContent | ImageContent)[] | undefined {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value) ? value.filter(isBlock) : undefined;
}

function isBlock(value: unknown): value is TextContent | ImageContent {
  const block = (value ?? {}) as Record<string, unknown>;
  if (block["type"] === "text") return typeof block["text"] === "string";
  return block["type"] === "image" && typeof block["data"] === "string" && typeof block["mimeType"] === "string";
}

// Estimates how many tokens a conversation takes, on the safe side: what the provider reported where it did, a count of
// characters for the rest. Knows no tokenizer, so the numbers decide when to compact and nothing finer.
import type { AssistantMessage, Tool } from "@rondo/ai";
import { toPlainJson } from "./plain-json.ts";
import type { AgentMessage } from "./types.ts";
import { tokensOf } from "./usage.ts";

/** English text and code run at about four characters a token with every common tokenizer. */
const LATIN_CHARACTERS_PER_TOKEN = 4;
/** Anthropic's documented most for one image (1,568 pixels, width × height / 750); others count less. */
const IMAGE_TOKENS = 1_600;
/** Role, separators and the like. */
const MESSAGE_OVERHEAD_TOKENS = 4;

/** What an estimate is made for. */
export interface EstimatedContext {
  messages: AgentMessage[];
  systemPrompt?: string | undefined;
  tools?: Tool[] | undefined;
}

/** Tokens of a text: four Latin characters are one, any other character is one by itself. */
export function estimateTextTokens(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x24f) others++;
  return Math.ceil((text.length - others) / LATIN_CHARACTERS_PER_TOKEN) + others;
}

/** Tokens of one message, its images, thinking, calls and their arguments included. */
export function estimateMessageTokens(message: AgentMessage): number {
  const { content } = message as { content?: unknown };
  const blocks = Array.isArray(content) ? content : [content];
  return MESSAGE_OVERHEAD_TOKENS + blocks.reduce((sum: number, block) => sum + estimateBlockTokens(block), 0);
}

/**
 * Tokens of a whole context. The newest answer with a reported usage stands for everything up to it; only what came after
 * is estimated. Without one, everything is: system prompt and tools too.
 *
 * @param reportedFrom index of the first message whose report may be trusted, for contexts that were shortened since
 */
export function estimateContextTokens(context: EstimatedContext, reportedFrom = 0): number {
  const { messages } = context;
  const reported = messages.findLastIndex((message, index) => index >= reportedFrom && reportedTokens(message) > 0);
  const rest = messages.slice(reported + 1).reduce((sum, message) => sum + estimateMessageTokens(message), 0);
  if (reported >= 0) return reportedTokens(messages[reported] as AgentMessage) + rest;
  const tools = (context.tools ?? []).map(({ name, description, parameters }) => ({ name, description, parameters }));
  const fixed = estimateTextTokens(context.systemPrompt ?? "");
  return fixed + (tools.length > 0 ? estimateTextTokens(jsonOf(tools)) : 0) + rest;
}

function reportedTokens(message: AgentMessage): number {
  if (message.role !== "assistant") return 0;
  const { stopReason, usage } = message as AssistantMessage;
  return stopReason === "error" || stopReason === "aborted" ? 0 : (tokensOf(usage) ?? 0);
}

function estimateBlockTokens(block: unknown): number {
  if (typeof block === "string") return estimateTextTokens(block);
  const { type, text, thinking } = (block ?? {}) as { type?: unknown; text?: unknown; thinking?: unknown };
  if (type === "image") return IMAGE_TOKENS;
  if (typeof text === "string") return estimateTextTokens(text);
  if (typeof thinking === "string") return estimateTextTokens(thinking);
  return estimateTextTokens(jsonOf(block));
}

function jsonOf(value: unknown): string {
  return JSON.stringify(toPlainJson(value)) ?? "";
}

// Prepared messages → the messages of a Messages request. Results of tools come first in the user turn after their calls.
import type { RequestInput } from "../../protocol.ts";
import type { AssistantMessage, ImageContent, Message, TextContent, ToolResultMessage } from "../../types.ts";

/** A content block of the wire, open to cache marks. */
export type WireContent = Record<string, unknown> & { type: string };
export interface WireMessage {
  role: "user" | "assistant";
  content: WireContent[];
}

/** Maps the messages, with consecutive ones of one role merged into a turn, with their thinking or without. */
export function anthropicMessagesOf(
  { messages }: RequestInput,
  wireName: (name: string) => string,
  withThinking: boolean,
): WireMessage[] {
  const turns: WireMessage[] = [];
  for (const message of messages) {
    const content = contentOf(message, wireName).filter((block) => withThinking || !isThinking(block));
    if (content.length === 0) continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) for (const block of content) last.content.push(block);
    else turns.push({ role, content });
  }
  return turns;
}

/** Whether a block is thinking, shown or withheld. */
export const isThinking = ({ type }: WireContent): boolean => type === "thinking" || type === "redacted_thinking";

function contentOf(message: Message, wireName: (name: string) => string): WireContent[] {
  if (message.role === "assistant") return assistantContent(message, wireName);
  if (message.role === "toolResult") return [toolResult(message)];
  return typeof message.content === "string" ? textBlocks(message.content) : message.content.flatMap(block);
}

function assistantContent(message: AssistantMessage, wireName: (name: string) => string): WireContent[] {
  return message.content.flatMap((content) => assistantBlock(content, wireName));
}

function assistantBlock(
  content: AssistantMessage["content"][number],
  wireName: (name: string) => string,
): WireContent[] {
  switch (content.type) {
    case "text":
      return textBlocks(content.text);
    case "thinking":
      // Without its signature the API takes no thinking back.
      if (content.thinkingSignature === undefined) return [];
      return content.redacted
        ? [{ type: "redacted_thinking", data: content.thinkingSignature }]
        : [{ type: "thinking", thinking: content.thinking, signature: content.thinkingSignature }];
    case "toolCall":
      return [{ type: "tool_use", id: content.id, name: wireName(content.name), input: content.arguments }];
  }
}

/** A result that is marked as an error takes text alone (Messages API, 2025), so one with images says it in words. */
function toolResult(message: ToolResultMessage): WireContent {
  const content = message.content.flatMap(block);
  const inWords = message.isError && content.some(({ type }) => type !== "text");
  if (inWords) content.unshift({ type: "text", text: "The tool failed:" });
  return {
    type: "tool_result",
    tool_use_id: message.toolCallId,
    ...(content.length > 0 && { content }),
    ...(message.isError && !inWords && { is_error: true }),
  };
}

function block(content: TextContent | ImageContent): WireContent[] {
  if (content.type === "text") return textBlocks(content.text);
  const source = { type: "base64", media_type: content.mimeType, data: content.data };
  return [{ type: content.mimeType === "application/pdf" ? "document" : "image", source }];
}

/** The API refuses text blocks that are empty or blank. */
function textBlocks(text: string): WireContent[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

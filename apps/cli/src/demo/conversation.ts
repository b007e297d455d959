// What the demo script sees of a conversation, and what it answers: no more than any wire API carries, so that the same script
// can sit behind the loop directly or behind a server of any API.
import type { Context, Message } from "@rondo/ai";

/** A tool call that the script makes. */
export interface DemoToolCall {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** One answer of the script. */
export interface DemoReply {
  content: ({ type: "thinking"; thinking: string } | { type: "text"; text: string } | DemoToolCall)[];
}

/** One message of the conversation. */
export type DemoMessage =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; toolCalls: { id: string; name: string; arguments: Record<string, unknown> }[] }
  | { role: "toolResult"; toolCallId: string; toolName: string; text: string; isError: boolean };

/** The conversation so far, and the tools on offer. */
export interface DemoConversation {
  messages: DemoMessage[];
  tools: { name: string }[];
}

/** The part of a context that the script reads. */
export function readConversation(context: Context): DemoConversation {
  return { messages: context.messages.map(readMessage), tools: context.tools ?? [] };
}

function readMessage(message: Message): DemoMessage {
  const text =
    typeof message.content === "string"
      ? message.content
      : message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (message.role === "user") return { role: "user", text };
  if (message.role === "toolResult") {
    const { toolCallId, toolName, isError } = message;
    return { role: "toolResult", toolCallId, toolName, text, isError };
  }
  const toolCalls = message.content.flatMap((block) => (block.type === "toolCall" ? block : []));
  return { role: "assistant", text, toolCalls };
}

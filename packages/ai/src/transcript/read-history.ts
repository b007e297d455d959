// The border: takes a history as somebody handed it in, from a file or from code without types, and keeps what is a
// message. Never throws, never changes its input.
import { isObject } from "../tools/json-values.ts";
import type { AssistantMessage, Message, ToolCall, ToolResultMessage, UserMessage } from "../types.ts";
import type { Note } from "./report.ts";

/** The message, with content that has the right shape, or undefined if it is none. */
export function readMessage(value: unknown, note: Note): Message | undefined {
  if (isObject(value)) {
    const message = value as unknown as Message;
    if (message.role === "user") return withContent<UserMessage>(message, isInputBlock, note);
    if (message.role === "assistant") return withContent<AssistantMessage>(message, isAssistantBlock, note);
    if (message.role === "toolResult") {
      if (typeof message.toolCallId === "string") return withContent<ToolResultMessage>(message, isInputBlock, note);
      note("message_invalid", "dropped", "A tool result without the id of its call was dropped.");
      return undefined;
    }
    const role = value["role"];
    if (role === "system" || role === "developer") {
      const where = "the system prompt stands in the context's systemPrompt, not among the messages";
      note("message_invalid", "dropped", `A message with the role ${role} was left out: ${where}.`);
      return undefined;
    }
  }
  note("message_invalid", "dropped", "What is no user, assistant or tool result message was dropped.");
  return undefined;
}

function withContent<M extends Message>(message: M, isBlock: (block: unknown) => boolean, note: Note): M {
  const content: unknown = message.content;
  if (typeof content === "string") {
    return message.role === "user" ? message : { ...message, content: [{ type: "text", text: content }] };
  }
  if (!Array.isArray(content)) return { ...message, content: [] };
  if (content.every(isBlock)) return message;
  note("block_invalid", "dropped", "Content that is of no known kind was dropped.");
  return { ...message, content: content.filter(isBlock) };
}

function isInputBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  if (block["type"] === "text") return typeof block["text"] === "string";
  return block["type"] === "image" && typeof block["data"] === "string";
}

function isAssistantBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  if (block["type"] === "text") return typeof block["text"] === "string";
  if (block["type"] === "thinking") return typeof block["thinking"] === "string";
  return block["type"] === "toolCall" && isCall(block as unknown as ToolCall);
}

function isCall(call: ToolCall): boolean {
  return typeof call.id === "string" && typeof call.name === "string" && call.name.trim() !== "";
}

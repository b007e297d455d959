// Marks where the prompt cache may break, for servers that pass them on to Anthropic's models: on the last tool, the system prompt
// and the last two user messages, which makes four, the most that Anthropic takes.
import type { ChatMessage, ContentPart } from "./messages.ts";

const MARKED_USER_MESSAGES = 2;

/** Marks a body in place. A mark stands on the last text of a message. */
export function markCacheBreakpoints(body: Record<string, unknown>, retention: "short" | "long"): void {
  const mark = retention === "long" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
  const messages = body["messages"] as ChatMessage[];
  const tool = (body["tools"] as Record<string, unknown>[] | undefined)?.at(-1);
  if (tool) tool["cache_control"] = mark;
  const system = messages.filter((message) => message.role === "system" || message.role === "developer");
  const users = messages.filter((message) => message.role === "user").slice(-MARKED_USER_MESSAGES);
  for (const message of [...system, ...users]) {
    const parts: ContentPart[] =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : (message.content ?? []);
    message.content = parts;
    const text = parts.findLast((part) => part.type === "text");
    if (text) text["cache_control"] = mark;
  }
}

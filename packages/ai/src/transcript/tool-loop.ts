// Questions about the end of a prepared transcript that request builders of several APIs ask.
import type { ImageContent, Message, TextContent, UserMessage } from "../types.ts";

/**
 * Whether thinking may be on for the next request: false while a tool loop is under way whose last answer does not begin with
 * signed thinking. Anthropic refuses such a request, and a signature cannot be made up.
 */
export function currentToolLoopHasSignedThinking(messages: readonly Message[]): boolean {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  if (last < 0 || messages[last + 1]?.role !== "toolResult") return true;
  const message = messages[last];
  const first = message?.role === "assistant" ? message.content[0] : undefined;
  return first?.type === "thinking" && first.thinkingSignature !== undefined && first.thinkingSignature !== "";
}

/** Makes one message of user messages that follow each other, for APIs that want the roles to alternate. */
export function joinUserMessages(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (message.role === "user" && before?.role === "user") {
      joined[joined.length - 1] = { ...before, content: [...blocksOf(before), ...blocksOf(message)] };
    } else joined.push(message);
  }
  return joined;
}

function blocksOf(message: UserMessage): (TextContent | ImageContent)[] {
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

// Questions about the end of a prepared transcript that request builders of several APIs ask.
import type { Message } from "../types.ts";

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

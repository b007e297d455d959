// Questions about the end of a prepared transcript that request builders of several APIs ask.
import type { Message } from "../types.ts";

/**
 * Whether thinking may be on for the next request: false while a tool loop is under way in which no answer has signed thinking.
 * Anthropic refuses such a request, and a signature cannot be made up. One answer is enough: models often think before the first call
 * of a loop only, and to turn thinking off in the middle of it would be refused as well (BerriAI/litellm#18926).
 */
export function currentToolLoopHasSignedThinking(messages: readonly Message[]): boolean {
  let inLoop = false;
  for (const [index, message] of [...messages.entries()].reverse()) {
    if (message.role !== "assistant") continue;
    if (messages[index + 1]?.role !== "toolResult") break;
    inLoop = true;
    if (message.content.some((block) => block.type === "thinking" && block.thinkingSignature)) return true;
  }
  return !inLoop;
}

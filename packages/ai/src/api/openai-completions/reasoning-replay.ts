// Reasoning of earlier answers, in the field in which a server wants its own back.
import type { AssistantMessage, Quirks } from "../../types.ts";

/** The fields to add to an assistant message; none where the server wants no reasoning. */
export function replayedReasoning(
  message: AssistantMessage,
  field: Quirks["reasoningReplayField"],
): Record<string, unknown> {
  if (field === undefined) return {};
  if (field === "reasoning_details") {
    const details = message.content.flatMap(detailsOf);
    return details.length > 0 ? { reasoning_details: details } : {};
  }
  const thinking = message.content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : [])).join("\n\n");
  return thinking === "" ? {} : { [field]: thinking };
}

/** The decoder keeps all details of an answer as a JSON array on one of its blocks. */
function detailsOf(block: AssistantMessage["content"][number]): unknown[] {
  const signature =
    block.type === "thinking"
      ? block.thinkingSignature
      : block.type === "toolCall"
        ? block.thoughtSignature
        : block.textSignature;
  if (!signature?.startsWith("[")) return [];
  try {
    const details: unknown = JSON.parse(signature);
    return Array.isArray(details) ? details : [];
  } catch {
    return []; // Not ours: somebody else's opaque data.
  }
}

// What a server gave with earlier answers and wants back: its reasoning, in the field that it names, and opaque data on calls.
import { isObject } from "../../tools/json-values.ts";
import type { AssistantMessage, Quirks, ToolCall } from "../../types.ts";

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

/** The opaque data that came with a call and that its server wants back. */
export function replayedExtra(call: ToolCall): Record<string, unknown> {
  const kept = parsed(call.thoughtSignature);
  return isObject(kept) && isObject(kept["extra_content"]) ? { extra_content: kept["extra_content"] } : {};
}

/** The decoder keeps all details of an answer as a JSON array on one of its blocks. */
function detailsOf(block: AssistantMessage["content"][number]): unknown[] {
  const details = parsed(
    block.type === "thinking"
      ? block.thinkingSignature
      : block.type === "toolCall"
        ? block.thoughtSignature
        : block.textSignature,
  );
  return Array.isArray(details) ? details : [];
}

/** What the decoder kept as JSON; undefined for anybody else's opaque data. */
function parsed(signature: string | undefined): unknown {
  if (!signature || !/^[[{]/.test(signature)) return undefined;
  try {
    return JSON.parse(signature);
  } catch {
    return undefined;
  }
}

// What of an assistant turn the target may read. Signed thinking is passed on byte for byte or not at all; a signature
// goes only to the API, provider and model that made it; of a failed turn remains what a person saw.
import { isObject } from "../tools/json-values.ts";
import type { AssistantMessage, Model, TextContent, ThinkingContent, ToolCall } from "../types.ts";
import { cleanArguments, cleanText } from "./clean-text.ts";
import type { Note } from "./report.ts";
import type { TargetRules } from "./target-rules.ts";

type Block = AssistantMessage["content"][number];

/** The content of a turn for `model`; empty if nothing is left. Calls keep their ids here. */
export function assistantContent(message: AssistantMessage, model: Model, rules: TargetRules, note: Note): Block[] {
  const own = message.api === model.api && message.provider === model.provider && message.model === model.id;
  const failed = message.stopReason === "error" || message.stopReason === "aborted";
  const blocks: Block[] = [];
  for (const block of message.content) {
    const kept =
      block.type === "text"
        ? keptText(block, own && !failed, note)
        : block.type === "thinking"
          ? keptThinking(block, own, failed, note)
          : keptCall(block, own, failed, note);
    if (kept) blocks.push(kept);
  }
  const ordered = rules.callsEndTheTurn ? textBeforeCalls(blocks, note) : blocks;
  return withoutTrailingThinking(ordered, rules.thinkingMayEndTheTurn, note);
}

function keptText(block: TextContent, signed: boolean, note: Note): TextContent | undefined {
  const text = cleanText(block.text);
  if (text.trim() === "") {
    note("blank_text", "dropped", "Blank text was dropped.");
    return undefined;
  }
  if (block.textSignature !== undefined && !signed) {
    note(
      "signature_foreign",
      "dropped",
      "The signature of a text was dropped: only its own model can read it, and only whole.",
    );
    return { type: "text", text };
  }
  if (text === block.text) return block;
  note("text_repaired", "rewritten", "Characters that no API takes were replaced.");
  return { ...block, text };
}

function keptThinking(block: ThinkingContent, own: boolean, failed: boolean, note: Note): ThinkingContent | undefined {
  if (!own) {
    note("thinking_foreign", "dropped", "Thinking was dropped: another model did it.");
    return undefined;
  }
  const thinking = block.thinkingSignature ? block.thinking : cleanText(block.thinking);
  if (failed || (thinking.trim() === "" && !block.thinkingSignature)) {
    note("thinking_unfinished", "dropped", "Thinking was dropped: the turn failed, or nothing was thought.");
    return undefined;
  }
  return thinking === block.thinking ? block : { ...block, thinking };
}

function keptCall(call: ToolCall, own: boolean, failed: boolean, note: Note): ToolCall | undefined {
  const malformed = call.malformedArguments !== undefined || !isObject(call.arguments);
  if (malformed && failed) {
    note(
      "call_unfinished",
      "dropped",
      `A call of ${call.name} was dropped: the turn failed before the call was whole.`,
    );
    return undefined;
  }
  const { malformedArguments: _raw, thoughtSignature, ...rest } = call;
  const name = cleanText(call.name);
  const args = malformed ? {} : cleanArguments(call.arguments);
  const keepSignature = own && thoughtSignature !== undefined;
  if (malformed)
    note("call_malformed", "rewritten", `A call of ${name} had malformed arguments and is shown with none.`);
  if (thoughtSignature !== undefined && !own) {
    note("signature_foreign", "dropped", "The signature of a call was dropped: only its own model can read it.");
  } else if (!malformed && name === call.name && args === call.arguments) return call;
  if (!malformed && (name !== call.name || args !== call.arguments)) {
    note("text_repaired", "rewritten", "Characters that no API takes were replaced.");
  }
  return { ...rest, name, arguments: args, ...(keepSignature ? { thoughtSignature } : {}) };
}

/** Thinking that leads to nothing is refused by those who demand what follows it, and no answer is of thinking alone. */
function withoutTrailingThinking(blocks: Block[], maySignedStay: boolean, note: Note): Block[] {
  const last = blocks.findLastIndex((block) => block.type !== "thinking");
  const kept = blocks.filter((block, index) => {
    return (
      index <= last || (maySignedStay && last >= 0 && block.type === "thinking" && Boolean(block.thinkingSignature))
    );
  });
  if (kept.length === blocks.length) return blocks;
  note("thinking_unfinished", "dropped", "Thinking at the end of a turn was dropped: nothing follows from it.");
  return kept;
}

/** Text after a call moves before the first call; thinking and calls keep their order among themselves. */
function textBeforeCalls(blocks: Block[], note: Note): Block[] {
  const firstCall = blocks.findIndex((block) => block.type === "toolCall");
  const isLate = (block: Block, index: number) => firstCall >= 0 && index > firstCall && block.type === "text";
  const late = blocks.filter(isLate);
  if (late.length === 0) return blocks;
  note("text_moved", "rewritten", "Text after a tool call was moved before it.");
  return [...blocks.slice(0, firstCall), ...late, ...blocks.slice(firstCall).filter((block) => block.type !== "text")];
}

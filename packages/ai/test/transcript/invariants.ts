// What every prepared transcript keeps, whatever the history was.

import { targetRules } from "../../src/transcript/target-rules.ts";
import type { Message, Model, ToolCall } from "../../src/types.ts";

/** The invariants that a transcript breaks; empty if none. */
export function brokenInvariants(messages: readonly Message[], model: Model): string[] {
  const broken: string[] = [];
  const ids = new Set<string>();
  const rules = targetRules(model);
  if (messages.length > 0 && messages[0]?.role !== "user") broken.push("does not begin with a user message");
  if (messages.at(-1)?.role === "assistant") broken.push("ends with an answer");
  for (const [index, message] of messages.entries()) {
    const blocks =
      typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
    if (blocks.every((block) => block.type === "thinking")) broken.push(`message ${index} is empty`);
    if (blocks.some((block) => block.type === "text" && block.text.trim() === ""))
      broken.push(`message ${index} has blank text`);
    if (message.role === "toolResult") {
      const before = messages.slice(0, index).findLast((other) => other.role !== "toolResult");
      const known =
        before?.role === "assistant" &&
        before.content.some((block) => block.type === "toolCall" && block.id === message.toolCallId);
      if (!known) broken.push(`result ${index} has no call`);
    }
    for (const block of blocks) {
      if (block.type === "image" && !model.input.includes(block.mimeType === "application/pdf" ? "pdf" : "image"))
        broken.push(`message ${index} has an image`);
    }
    if (message.role !== "assistant") continue;
    if (messages[index + 1]?.role === "assistant") broken.push(`answers ${index} and ${index + 1} are neighbours`);
    if (blocks.at(-1)?.type === "thinking" && !rules.thinkingMayEndTheTurn)
      broken.push(`answer ${index} ends with thinking`);
    const own = message.api === model.api && message.provider === model.provider && message.model === model.id;
    const foreign = message.content.some(
      (block) => block.type === "thinking" || (block.type === "toolCall" && block.thoughtSignature),
    );
    if (!own && foreign) broken.push(`answer ${index} has thinking of another model`);
    const calls = message.content.filter((block): block is ToolCall => block.type === "toolCall");
    const results = messages.slice(index + 1, index + 1 + calls.length);
    for (const [at, call] of calls.entries()) {
      if (!rules.callId.test(call.id)) broken.push(`call id ${call.id} is not of the right form`);
      if (ids.has(call.id)) broken.push(`call id ${call.id} is not unique`);
      ids.add(call.id);
      const result = results[at];
      if (result?.role !== "toolResult" || result.toolCallId !== call.id)
        broken.push(`call ${call.id} has no result in its place`);
    }
  }
  const unsigned = messages.map((message) =>
    message.role === "assistant"
      ? {
          ...message,
          content: message.content.filter((block) => block.type !== "thinking" || !block.thinkingSignature),
        }
      : message,
  );
  const json = JSON.stringify(unsigned);
  if (/\\ud[89a-f]/.test(json.replaceAll("\\\\", ""))) broken.push("has half a surrogate pair");
  if (json.replaceAll("\\\\", "").includes("\\u0000")) broken.push("has a NUL");
  return broken;
}

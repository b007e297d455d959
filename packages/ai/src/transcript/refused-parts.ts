// Takes out of a message what a provider has refused, for a history that must go on without it.
import type { AssistantMessage, ImageContent, Message, TextContent } from "../types.ts";

/** What a provider may refuse of a history that was prepared by its own rules. */
export type RefusedPart = "thinking" | "images";

const OMITTED: TextContent = { type: "text", text: "[image omitted: the provider refused it]" };

/** The message without a part; the same object if it has none. */
export function withoutPart(message: Message, part: RefusedPart): Message {
  return part === "thinking" ? withoutThinking(message) : withoutImages(message);
}

/** Without thinking and without the signatures of what followed from it. */
function withoutThinking(message: Message): Message {
  if (message.role !== "assistant" || !Array.isArray(message.content)) return message;
  const content = message.content.flatMap((block): AssistantMessage["content"] => {
    if (block?.type === "thinking") return [];
    if (block?.type === "text" && block.textSignature !== undefined) return [{ type: block.type, text: block.text }];
    if (block?.type !== "toolCall" || block.thoughtSignature === undefined) return [block];
    const { thoughtSignature: _signature, ...call } = block;
    return [call];
  });
  const same =
    content.length === message.content.length && content.every((block, index) => block === message.content[index]);
  return same ? message : { ...message, content };
}

function withoutImages(message: Message): Message {
  if (message.role === "assistant" || !Array.isArray(message.content)) return message;
  const content = message.content as (TextContent | ImageContent)[];
  if (!content.some((block) => block?.type === "image")) return message;
  return { ...message, content: content.map((block) => (block?.type === "image" ? OMITTED : block)) };
}

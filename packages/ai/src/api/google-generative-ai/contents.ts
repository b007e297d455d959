// Prepared messages → Gemini's contents. Signatures go back on exactly the part that carried them.
import type { RequestInput } from "../../protocol.ts";
import type { AssistantMessage, ImageContent, Message, Model, TextContent, ToolResultMessage } from "../../types.ts";

type WirePart = Record<string, unknown>;
interface WireContent {
  role: "user" | "model";
  parts: WirePart[];
}

/** Maps the messages, with consecutive ones of one role merged, since the API wants the roles to alternate. */
export function googleContentsOf({ messages, model }: RequestInput, wireName: (name: string) => string): WireContent[] {
  const contents: WireContent[] = [];
  for (const message of messages) {
    const parts = partsOf(message, model, wireName);
    if (parts.length === 0) continue;
    const role = message.role === "assistant" ? "model" : "user";
    const last = contents.at(-1);
    if (last?.role === role) for (const part of parts) last.parts.push(part);
    else contents.push({ role, parts });
  }
  return contents.map((content) => ({ ...content, parts: responsesFirst(content.parts) }));
}

function partsOf(message: Message, model: Model, wireName: (name: string) => string): WirePart[] {
  if (message.role === "assistant") return modelParts(message, model, wireName);
  if (message.role === "toolResult") return resultParts(message, wireName);
  return typeof message.content === "string" ? textPart(message.content) : message.content.flatMap(inputPart);
}

function modelParts(message: AssistantMessage, model: Model, wireName: (name: string) => string): WirePart[] {
  // Where signatures are checked, the first call of a step must have one; a foreign call gets the documented stand-in.
  const firstCall = message.content.find((content) => content.type === "toolCall");
  return message.content.flatMap((content) =>
    modelPart(content, wireName, content === firstCall ? model.quirks?.thoughtSignatureStandIn : undefined),
  );
}

function modelPart(
  content: AssistantMessage["content"][number],
  wireName: (name: string) => string,
  standIn: string | undefined,
): WirePart[] {
  switch (content.type) {
    case "text":
      return textPart(content.text, content.textSignature);
    case "thinking":
      if (!content.thinking && !content.thinkingSignature) return [];
      return content.thinking
        ? [{ text: content.thinking, thought: true, ...signature(content.thinkingSignature) }]
        : [{ text: "", ...signature(content.thinkingSignature) }];
    case "toolCall": {
      const functionCall = { id: content.id, name: wireName(content.name), args: content.arguments };
      return [{ functionCall, ...signature(content.thoughtSignature ?? standIn) }];
    }
  }
}

const signature = (value: string | undefined): WirePart => (value ? { thoughtSignature: value } : {});

/** The text of a result is its output; images follow as parts of their own. */
function resultParts(message: ToolResultMessage, wireName: (name: string) => string): WirePart[] {
  const text = message.content.flatMap((content) => (content.type === "text" ? [content.text] : [])).join("\n");
  const images = message.content.filter((content) => content.type === "image").flatMap(inputPart);
  const shown = text || (images.length > 0 ? "(see the attached image)" : "(no output)");
  const functionResponse = {
    id: message.toolCallId,
    name: wireName(message.toolName),
    response: message.isError ? { error: shown } : { output: shown },
  };
  return [{ functionResponse }, ...images];
}

/** The answers to calls come first in a turn, whatever else is in it. */
function responsesFirst(parts: WirePart[]): WirePart[] {
  const isResponse = (part: WirePart): boolean => "functionResponse" in part;
  return [...parts.filter(isResponse), ...parts.filter((part) => !isResponse(part))];
}

function inputPart(content: TextContent | ImageContent): WirePart[] {
  if (content.type === "text") return textPart(content.text);
  return [{ inlineData: { mimeType: content.mimeType, data: content.data } }];
}

const textPart = (text: string, textSignature?: string): WirePart[] =>
  text === "" && !textSignature ? [] : [{ text, ...signature(textSignature) }];

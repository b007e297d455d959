// Prepared messages → the messages of a Chat Completions request. Images of tool results go into one user message after the results
// of a turn, since a tool message takes text alone and must stand directly after its call.
import type { RequestInput } from "../../protocol.ts";
import type { AssistantMessage, ImageContent, Message, TextContent, ToolResultMessage } from "../../types.ts";
import { replayedExtra, replayedReasoning } from "./reasoning-replay.ts";

/** A message of the wire, open to cache marks. */
export interface ChatMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  content: string | null | ContentPart[];
  [field: string]: unknown;
}

export type ContentPart = Record<string, unknown> & { type: string };

/** Stands between tool results and a user message, for servers whose templates demand an answer there. */
const BRIDGE: ChatMessage = { role: "assistant", content: "I have read the results of the tools." };

/** Maps the system prompt and the messages. */
export function chatMessagesOf(
  input: RequestInput,
  systemPrompt: string,
  wireName: (name: string) => string,
): ChatMessage[] {
  const { model, messages } = input;
  const wire: ChatMessage[] = [];
  if (systemPrompt) {
    const role = model.reasoning ? (model.quirks?.systemRole ?? "system") : "system";
    wire.push({ role, content: systemPrompt });
  }
  let images: ImageContent[] = [];
  const push = (message: ChatMessage): void => {
    if (model.quirks?.assistantAfterToolResult && message.role === "user" && wire.at(-1)?.role === "tool")
      wire.push(BRIDGE);
    wire.push(message);
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      const answer = assistantMessage(message, input, wireName);
      if (answer) push(answer);
    } else if (message.role === "user") {
      push({ role: "user", content: userContent(message.content) });
    } else {
      push(toolMessage(message, model.quirks?.toolResultName ? wireName(message.toolName) : undefined));
      images.push(...message.content.filter((block) => block.type === "image"));
      if (images.length > 0 && !isToolResult(messages[index + 1])) {
        push({
          role: "user",
          content: [{ type: "text", text: "Images from the tool results:" }, ...images.map(filePart)],
        });
        images = [];
      }
    }
  }
  return wire;
}

const isToolResult = (message: Message | undefined): boolean => message?.role === "toolResult";

function userContent(content: string | (TextContent | ImageContent)[]): ChatMessage["content"] {
  if (typeof content === "string") return content;
  const [first, ...others] = content;
  // A plain string is what every server takes; small ones, and many chat templates, know no parts.
  if (first?.type === "text" && others.length === 0) return first.text;
  return content.map((block) => (block.type === "text" ? { type: "text", text: block.text } : filePart(block)));
}

function filePart(image: ImageContent): ContentPart {
  const url = `data:${image.mimeType};base64,${image.data}`;
  return image.mimeType === "application/pdf"
    ? { type: "file", file: { filename: "document.pdf", file_data: url } }
    : { type: "image_url", image_url: { url } };
}

function toolMessage(message: ToolResultMessage, name: string | undefined): ChatMessage {
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return {
    role: "tool",
    tool_call_id: message.toolCallId,
    ...(name !== undefined && { name }),
    content: texts.length > 0 ? texts.join("\n") : "(see the image below)",
  };
}

/** Undefined if nothing is left that this API can express. */
function assistantMessage(
  message: AssistantMessage,
  { model }: RequestInput,
  wireName: (name: string) => string,
): ChatMessage | undefined {
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
  if (texts.length === 0 && calls.length === 0) return undefined;
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("\n\n") : null,
    ...replayedReasoning(message, model.quirks?.reasoningReplayField),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: "function",
        function: { name: wireName(call.name), arguments: JSON.stringify(call.arguments) },
        ...replayedExtra(call),
      })),
    }),
  };
}

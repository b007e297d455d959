// Prepared messages → the input items of a Responses request, in their own order. Reasoning goes back to the model that did it,
// whole, and only together with what followed it; ids go along only where such reasoning does, since the API looks for it otherwise.
import type { RequestInput } from "../../protocol.ts";
import { isObject } from "../../tools/json-values.ts";
import type { AssistantMessage, ImageContent, TextContent, ToolResultMessage } from "../../types.ts";

type Item = Record<string, unknown>;

/** Longest id of an item that the API takes; GitHub Copilot's are longer. */
const ITEM_ID = /^[a-z]+_[a-zA-Z0-9_-]{1,58}$/;

/** Maps the system prompt and the messages. */
export function inputItemsOf(
  { model, messages }: RequestInput,
  systemPrompt: string,
  wireName: (name: string) => string,
): Item[] {
  const items: Item[] = [];
  if (systemPrompt) {
    const role = model.reasoning ? (model.quirks?.systemRole ?? "system") : "system";
    items.push({ role, content: systemPrompt });
  }
  for (const message of messages) {
    if (message.role === "assistant") for (const item of assistantItems(message, wireName)) items.push(item);
    else if (message.role === "user") items.push({ role: "user", content: inputParts(message.content) });
    else items.push(toolOutput(message));
  }
  return items;
}

function inputParts(content: string | (TextContent | ImageContent)[]): Item[] {
  if (typeof content === "string") return [{ type: "input_text", text: content }];
  return content.map((block) => (block.type === "text" ? { type: "input_text", text: block.text } : filePart(block)));
}

function filePart(image: ImageContent): Item {
  const url = `data:${image.mimeType};base64,${image.data}`;
  return image.mimeType === "application/pdf"
    ? { type: "input_file", filename: "document.pdf", file_data: url }
    : { type: "input_image", detail: "auto", image_url: url };
}

function toolOutput(message: ToolResultMessage): Item {
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const output = texts.length === message.content.length ? texts.join("\n") : inputParts(message.content);
  return { type: "function_call_output", call_id: message.toolCallId, output };
}

function assistantItems(message: AssistantMessage, wireName: (name: string) => string): Item[] {
  const items: Item[] = [];
  let withIds = false;
  for (const [index, block] of message.content.entries()) {
    if (block.type === "thinking") {
      const follower = message.content.slice(index + 1).find((next) => next.type !== "thinking");
      const reasoning = follower && reasoningItem(block.thinkingSignature);
      withIds = reasoning !== undefined;
      if (reasoning) items.push(reasoning);
    } else if (block.type === "text") {
      items.push(messageItem(block, withIds));
    } else {
      const id = withIds && ITEM_ID.test(block.thoughtSignature ?? "") ? { id: block.thoughtSignature } : {};
      const { id: callId, name, arguments: args } = block;
      items.push({
        type: "function_call",
        ...id,
        call_id: callId,
        name: wireName(name),
        arguments: JSON.stringify(args),
      });
    }
  }
  return items;
}

/** The reasoning as the server sent it, without what only its answers have. */
function reasoningItem(signature: string | undefined): Item | undefined {
  const item = parsedObject(signature);
  if (item?.["type"] !== "reasoning") return undefined;
  const { status: _status, content, ...rest } = item;
  return Array.isArray(content) && content.length > 0 ? { ...rest, content } : rest;
}

function messageItem(block: TextContent, withIds: boolean): Item {
  const signature = parsedObject(block.textSignature);
  const { id, phase } = signature ?? {};
  const phased = typeof phase === "string" ? { phase } : {};
  if (!withIds || typeof id !== "string" || !ITEM_ID.test(id))
    return { role: "assistant", content: block.text, ...phased };
  return {
    type: "message",
    id,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: block.text, annotations: [] }],
    ...phased,
  };
}

/** What the decoder kept as JSON; undefined for anybody else's opaque data. */
function parsedObject(signature: string | undefined): Item | undefined {
  if (!signature?.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(signature);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

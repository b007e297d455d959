// Anthropic's Messages API as a server speaks it: streaming events out, request bodies in.
import { asObject, asObjects, asText, type JsonObject, joinTextParts } from "./request-body.ts";
import {
  formatEvents,
  type ScriptedBlock,
  type ScriptedReply,
  type ServerSentEvent,
  stopReasonOf,
  usageOf,
  type WireMessage,
  type WireRequest,
  words,
} from "./scripted-reply.ts";

const STOP_REASONS = { stop: "end_turn", length: "max_tokens", toolUse: "tool_use" } as const;

/** The response body of a reply. Usage comes in two parts: the prompt first, the output with the stop reason. */
export function encodeAnthropicMessages(reply: ScriptedReply, request: Pick<WireRequest, "model">): string {
  const { input, output, cacheRead } = usageOf(reply);
  const events: ServerSentEvent[] = [];
  const push = (data: JsonObject & { type: string }) => events.push({ event: data.type, data: JSON.stringify(data) });
  push({
    type: "message_start",
    message: {
      id: "msg_01RondoScripted",
      type: "message",
      role: "assistant",
      model: request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: input,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cacheRead,
        output_tokens: 1,
      },
    },
  });
  reply.content.forEach((block, index) => {
    push({ type: "content_block_start", index, content_block: emptyBlock(block) });
    if (index === 0) push({ type: "ping" });
    for (const delta of deltasOf(block)) push({ type: "content_block_delta", index, delta });
    push({ type: "content_block_stop", index });
  });
  const stop_reason = STOP_REASONS[stopReasonOf(reply)];
  push({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } });
  push({ type: "message_stop" });
  return formatEvents(events);
}

function emptyBlock(block: ScriptedBlock): JsonObject {
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  if (block.type === "text") return { type: "text", text: "" };
  return { type: "tool_use", id: block.id, name: block.name, input: {} };
}

function deltasOf(block: ScriptedBlock): JsonObject[] {
  if (block.type === "text") return words(block.text).map((text) => ({ type: "text_delta", text }));
  if (block.type === "thinking") {
    const deltas: JsonObject[] = words(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking }));
    return [...deltas, { type: "signature_delta", signature: block.signature ?? "c2lnbmVkIGJ5IGEgc2NyaXB0" }];
  }
  const json = JSON.stringify(block.arguments);
  // The real server opens with an empty piece, and sends nothing else for a call without arguments.
  const pieces = json === "{}" ? [""] : ["", ...words(json)];
  return pieces.map((partial_json) => ({ type: "input_json_delta", partial_json }));
}

/** Reads a request body. */
export function readAnthropicMessages(body: unknown): WireRequest {
  const { model, system, messages, tools } = asObject(body);
  const toolNames = new Map<string, string>();
  return {
    api: "anthropic-messages",
    model: asText(model),
    systemPrompt: joinTextParts(system),
    messages: asObjects(messages).flatMap((message) => readMessage(message, toolNames)),
    tools: asObjects(tools).map((tool) => ({
      name: asText(tool["name"]),
      description: asText(tool["description"]),
      parameters: tool["input_schema"],
    })),
  };
}

function readMessage(message: JsonObject, toolNames: Map<string, string>): WireMessage[] {
  const blocks = typeof message["content"] === "string" ? [] : asObjects(message["content"]);
  const text = joinTextParts(message["content"]);
  if (message["role"] === "assistant") {
    const toolCalls = blocks
      .filter((block) => block["type"] === "tool_use")
      .map((block) => ({ id: asText(block["id"]), name: asText(block["name"]), arguments: asObject(block["input"]) }));
    for (const { id, name } of toolCalls) toolNames.set(id, name);
    return [{ role: "assistant", text, toolCalls }];
  }
  const results = blocks
    .filter((block) => block["type"] === "tool_result")
    .map((block): WireMessage => {
      const toolCallId = asText(block["tool_use_id"]);
      return {
        role: "toolResult",
        toolCallId,
        toolName: toolNames.get(toolCallId) ?? "",
        text: joinTextParts(block["content"]),
        isError: block["is_error"] === true,
      };
    });
  return text === "" ? results : [...results, { role: "user", text }];
}

// OpenAI's Responses API as a server speaks it: streaming events out, request bodies in. Each output item is announced,
// filled and closed by events of its own, and the last event repeats the whole response.
import { asObject, asObjects, asText, type JsonObject, joinTextParts, parseArguments } from "./request-body.ts";
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

type Push = (type: string, fields: JsonObject) => void;

/** The response body of a reply. Thinking travels as a reasoning summary, its signature as `encrypted_content`. */
export function encodeOpenaiResponses(reply: ScriptedReply, request: Pick<WireRequest, "model">): string {
  const events: ServerSentEvent[] = [];
  const push: Push = (type, fields) => {
    events.push({ event: type, data: JSON.stringify({ type, sequence_number: events.length, ...fields }) });
  };
  const response = {
    id: "resp_RondoScripted",
    object: "response",
    created_at: 1_764_000_000,
    model: request.model,
    error: null,
    incomplete_details: null,
  };
  push("response.created", { response: { ...response, status: "in_progress", output: [], usage: null } });
  push("response.in_progress", { response: { ...response, status: "in_progress", output: [], usage: null } });
  const output = reply.content.map((block, index) => pushItem(push, block, index));
  const usage = encodeUsage(reply);
  if (stopReasonOf(reply) === "length") {
    const incomplete_details = { reason: "max_output_tokens" };
    push("response.incomplete", { response: { ...response, status: "incomplete", incomplete_details, output, usage } });
  } else push("response.completed", { response: { ...response, status: "completed", output, usage } });
  return formatEvents(events);
}

function encodeUsage(reply: ScriptedReply): JsonObject {
  const { input, output, cacheRead, reasoning } = usageOf(reply);
  return {
    input_tokens: input + cacheRead,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + cacheRead + output,
  };
}

/** Sends one output item; gives it back as the last event will repeat it. */
function pushItem(push: Push, block: ScriptedBlock, output_index: number): JsonObject {
  const announce = (item: JsonObject) => push("response.output_item.added", { output_index, item });
  const close = (item: JsonObject) => {
    push("response.output_item.done", { output_index, item });
    return item;
  };
  if (block.type === "thinking") {
    const id = `rs_${output_index}`;
    const place = { item_id: id, output_index, summary_index: 0 };
    const part = { type: "summary_text", text: block.thinking };
    const encrypted_content = block.signature ?? null;
    announce({ id, type: "reasoning", summary: [], encrypted_content });
    push("response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } });
    for (const delta of words(block.thinking)) push("response.reasoning_summary_text.delta", { ...place, delta });
    push("response.reasoning_summary_text.done", { ...place, text: block.thinking });
    push("response.reasoning_summary_part.done", { ...place, part });
    return close({ id, type: "reasoning", summary: [part], encrypted_content });
  }
  if (block.type === "text") {
    const id = `msg_${output_index}`;
    const place = { item_id: id, output_index, content_index: 0 };
    const part = { type: "output_text", text: block.text, annotations: [], logprobs: [] };
    const item = { id, type: "message", role: "assistant" };
    announce({ ...item, status: "in_progress", content: [] });
    push("response.content_part.added", { ...place, part: { ...part, text: "" } });
    for (const delta of words(block.text)) push("response.output_text.delta", { ...place, delta, logprobs: [] });
    push("response.output_text.done", { ...place, text: block.text, logprobs: [] });
    push("response.content_part.done", { ...place, part });
    return close({ ...item, status: "completed", content: [part] });
  }
  const id = `fc_${output_index}`;
  const json = JSON.stringify(block.arguments);
  const item = { id, type: "function_call", call_id: block.id, name: block.name };
  announce({ ...item, status: "in_progress", arguments: "" });
  const place = { item_id: id, output_index };
  for (const delta of words(json)) push("response.function_call_arguments.delta", { ...place, delta });
  push("response.function_call_arguments.done", { ...place, name: block.name, arguments: json });
  return close({ ...item, status: "completed", arguments: json });
}

/** Reads a request body. This API marks no tool result as an error. */
export function readOpenaiResponses(body: unknown): WireRequest {
  const { model, instructions, input, tools } = asObject(body);
  const items = typeof input === "string" ? [{ role: "user", content: input }] : asObjects(input);
  const isSystem = (item: JsonObject) => item["role"] === "system" || item["role"] === "developer";
  const systemTexts = items.filter(isSystem).map((item) => joinTextParts(item["content"]));
  return {
    api: "openai-responses",
    model: asText(model),
    systemPrompt: [asText(instructions), ...systemTexts].filter((text) => text !== "").join("\n"),
    messages: readItems(items.filter((item) => !isSystem(item))),
    tools: asObjects(tools).map((tool) => ({
      name: asText(tool["name"]),
      description: asText(tool["description"]),
      parameters: tool["parameters"],
    })),
  };
}

/** Text and calls are items of their own here; neighbours of one answer are put together again. */
function readItems(items: JsonObject[]): WireMessage[] {
  const messages: WireMessage[] = [];
  const toolNames = new Map<string, string>();
  const currentAnswer = () => {
    const last = messages.at(-1);
    if (last?.role === "assistant") return last;
    const answer = { role: "assistant" as const, text: "", toolCalls: [] };
    messages.push(answer);
    return answer as Extract<WireMessage, { role: "assistant" }>;
  };
  for (const item of items) {
    const text = joinTextParts(item["content"]);
    if (item["type"] === "function_call") {
      const call = {
        id: asText(item["call_id"]),
        name: asText(item["name"]),
        arguments: parseArguments(item["arguments"]),
      };
      toolNames.set(call.id, call.name);
      currentAnswer().toolCalls.push(call);
    } else if (item["type"] === "function_call_output") {
      const toolCallId = asText(item["call_id"]);
      const toolName = toolNames.get(toolCallId) ?? "";
      messages.push({ role: "toolResult", toolCallId, toolName, text: joinTextParts(item["output"]), isError: false });
    } else if (item["role"] === "assistant") currentAnswer().text += text;
    else if (item["role"] === "user") messages.push({ role: "user", text });
  }
  return messages;
}

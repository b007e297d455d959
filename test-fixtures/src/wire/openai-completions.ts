// OpenAI's Chat Completions API as a server speaks it: streaming chunks out, request bodies in.
import { asObject, asObjects, asText, type JsonObject, joinTextParts, parseArguments } from "./request-body.ts";
import {
  formatEvents,
  type ScriptedReply,
  type ServerSentEvent,
  stopReasonOf,
  usageOf,
  type WireMessage,
  type WireRequest,
  words,
} from "./scripted-reply.ts";

const FINISH_REASONS = { stop: "stop", length: "length", toolUse: "tool_calls" } as const;

/**
 * The response body of a reply. Thinking travels as `reasoning_content`, as DeepSeek and most compatible servers send it;
 * OpenAI itself keeps it. Usage comes after the finish reason, in a chunk without choices.
 */
export function encodeOpenaiCompletions(reply: ScriptedReply, request: Pick<WireRequest, "model">): string {
  const events: ServerSentEvent[] = [];
  const pushChunk = (fields: JsonObject) => {
    const head = { id: "chatcmpl-RondoScripted", object: "chat.completion.chunk", created: 1_764_000_000 };
    events.push({ data: JSON.stringify({ ...head, model: request.model, ...fields }) });
  };
  const pushDelta = (delta: JsonObject, finish_reason: string | null = null) =>
    pushChunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null });

  pushDelta({ role: "assistant", content: "", refusal: null });
  let callIndex = 0;
  for (const block of reply.content) {
    if (block.type === "thinking") for (const word of words(block.thinking)) pushDelta({ reasoning_content: word });
    if (block.type === "text") for (const word of words(block.text)) pushDelta({ content: word });
    if (block.type !== "toolCall") continue;
    const index = callIndex++;
    const call = { index, id: block.id, type: "function", function: { name: block.name, arguments: "" } };
    pushDelta({ tool_calls: [call] });
    for (const piece of words(JSON.stringify(block.arguments)))
      pushDelta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  pushDelta({}, FINISH_REASONS[stopReasonOf(reply)]);
  const { input, output, cacheRead, reasoning } = usageOf(reply);
  pushChunk({
    choices: [],
    usage: {
      prompt_tokens: input + cacheRead,
      completion_tokens: output,
      total_tokens: input + cacheRead + output,
      prompt_tokens_details: { cached_tokens: cacheRead },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  });
  events.push({ data: "[DONE]" });
  return formatEvents(events);
}

/** Reads a request body. This API marks no tool result as an error. */
export function readOpenaiCompletions(body: unknown): WireRequest {
  const { model, messages, tools } = asObject(body);
  const all = asObjects(messages);
  const isSystem = (message: JsonObject) => message["role"] === "system" || message["role"] === "developer";
  const toolNames = new Map<string, string>();
  return {
    api: "openai-completions",
    model: asText(model),
    systemPrompt: all
      .filter(isSystem)
      .map((message) => joinTextParts(message["content"]))
      .join("\n"),
    messages: all.filter((message) => !isSystem(message)).map((message) => readMessage(message, toolNames)),
    tools: asObjects(tools).map((tool) => {
      const definition = asObject(tool["function"]);
      return {
        name: asText(definition["name"]),
        description: asText(definition["description"]),
        parameters: definition["parameters"],
      };
    }),
  };
}

function readMessage(message: JsonObject, toolNames: Map<string, string>): WireMessage {
  const text = joinTextParts(message["content"]);
  if (message["role"] === "tool") {
    const toolCallId = asText(message["tool_call_id"]);
    return { role: "toolResult", toolCallId, toolName: toolNames.get(toolCallId) ?? "", text, isError: false };
  }
  if (message["role"] !== "assistant") return { role: "user", text };
  const toolCalls = asObjects(message["tool_calls"]).map((call) => {
    const { name, arguments: argumentText } = asObject(call["function"]);
    return { id: asText(call["id"]), name: asText(name), arguments: parseArguments(argumentText) };
  });
  for (const { id, name } of toolCalls) toolNames.set(id, name);
  return { role: "assistant", text, toolCalls };
}

// Google's Generative Language API as a server speaks it: streamed responses out, request bodies in. A function call comes
// whole in one part; ids are optional on this wire, so a call without one is matched to its result by name and order.
import { asObject, asObjects, asText, type JsonObject } from "./request-body.ts";
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

/** The response body of a reply. Each chunk repeats the usage; a signature rides on the last part of its block. */
export function encodeGoogleGenerativeAi(reply: ScriptedReply, request: Pick<WireRequest, "model">): string {
  const { input, output, cacheRead, reasoning } = usageOf(reply);
  const usageMetadata = {
    promptTokenCount: input + cacheRead,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + cacheRead + output,
  };
  const events: ServerSentEvent[] = [];
  const push = (parts: JsonObject[], finish: JsonObject = {}) => {
    const candidate = { content: { role: "model", parts }, index: 0, ...finish };
    const chunk = { candidates: [candidate], usageMetadata, modelVersion: request.model, responseId: "RondoScripted" };
    events.push({ data: JSON.stringify(chunk) });
  };
  let signature: string | undefined;
  for (const block of reply.content) {
    if (block.type === "thinking") {
      signature = block.signature;
      for (const text of words(block.thinking)) push([{ text, thought: true }]);
    } else if (block.type === "text") for (const text of words(block.text)) push([{ text }]);
    else {
      // Gemini signs the part that follows the thoughts.
      const signed = signature === undefined ? {} : { thoughtSignature: signature };
      signature = undefined;
      push([{ functionCall: { id: block.id, name: block.name, args: block.arguments }, ...signed }]);
    }
  }
  push([{ text: "" }], { finishReason: stopReasonOf(reply) === "length" ? "MAX_TOKENS" : "STOP" });
  return formatEvents(events);
}

/** Reads a request body; the model's name comes from the path. */
export function readGoogleGenerativeAi(body: unknown, model: string): WireRequest {
  const { systemInstruction, contents, tools } = asObject(body);
  return {
    api: "google-generative-ai",
    model,
    systemPrompt: textOf(partsOf(asObject(systemInstruction))),
    messages: readContents(asObjects(contents)),
    tools: asObjects(tools)
      .flatMap((tool) => asObjects(tool["functionDeclarations"]))
      .map((declaration) => ({
        name: asText(declaration["name"]),
        description: asText(declaration["description"]),
        parameters: declaration["parametersJsonSchema"] ?? declaration["parameters"],
      })),
  };
}

const partsOf = (content: JsonObject) => asObjects(content["parts"]);
const textOf = (parts: JsonObject[]) =>
  parts
    .filter((part) => part["thought"] !== true)
    .map((part) => asText(part["text"]))
    .join("");

function readContents(contents: JsonObject[]): WireMessage[] {
  const messages: WireMessage[] = [];
  /** Calls that have no result yet, oldest first. */
  let open: { id: string; name: string }[] = [];
  let callCount = 0;
  for (const content of contents) {
    const parts = partsOf(content);
    const text = textOf(parts);
    if (content["role"] === "model") {
      const toolCalls = parts
        .filter((part) => part["functionCall"] !== undefined)
        .map((part) => asObject(part["functionCall"]))
        .map((call) => {
          callCount++;
          return {
            id: asText(call["id"]) || `call_${callCount}`,
            name: asText(call["name"]),
            arguments: asObject(call["args"]),
          };
        });
      open = [...open, ...toolCalls];
      messages.push({ role: "assistant", text, toolCalls });
      continue;
    }
    for (const part of parts) {
      if (part["functionResponse"] === undefined) continue;
      const { id, name: toolName, response } = asObject(part["functionResponse"]);
      const call =
        open.find((candidate) => candidate.id === id) ?? open.find((candidate) => candidate.name === toolName);
      open = open.filter((candidate) => candidate !== call);
      const { output, error } = asObject(response);
      const result = { toolCallId: call?.id ?? "", toolName: asText(toolName), isError: error !== undefined };
      messages.push({ role: "toolResult", text: asText(error ?? output), ...result });
    }
    if (text !== "") messages.push({ role: "user", text });
  }
  return messages;
}

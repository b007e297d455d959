// A conversation with everything in it, for tests that compare whole request bodies.
import { Type } from "@sinclair/typebox";
import type { ApiProtocol, RequestInput, RequestOptions } from "../../src/protocol.ts";
import type { AssistantMessage, Message, Model, Tool } from "../../src/types.ts";
import { testModel } from "./decoding.ts";

export const PNG = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" } as const;
export const PDF = { type: "image", mimeType: "application/pdf", data: "JVBERi0=" } as const;

export const READ: Tool = {
  name: "read",
  description: "Reads a file.",
  parameters: Type.Object({ path: Type.String() }),
};

export const readParameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

/** An answer of the model of these tests. */
export function answer(api: string, content: AssistantMessage["content"]): AssistantMessage {
  const { provider, id } = testModel(api);
  return {
    role: "assistant",
    content,
    api,
    provider,
    model: id,
    usage: { cost: {} },
    stopReason: "stop",
    timestamp: 0,
  };
}

export function call(id: string, path: string, thoughtSignature?: string): AssistantMessage["content"][number] {
  return { type: "toolCall", id, name: "read", arguments: { path }, ...(thoughtSignature && { thoughtSignature }) };
}

export function result(toolCallId: string, content: Extract<Message, { role: "toolResult" }>["content"]): Message {
  return { role: "toolResult", toolCallId, toolName: "read", content, isError: false, timestamp: 0 };
}

export const user = (content: Extract<Message, { role: "user" }>["content"]): Message => ({
  role: "user",
  content,
  timestamp: 0,
});

/** An input with one prompt, or with the given messages. */
export function input(api: string, more: Partial<RequestInput> = {}, model: Partial<Model> = {}): RequestInput {
  return {
    model: testModel(api, model),
    systemPrompt: undefined,
    messages: [user("Hi")],
    tools: [],
    options: {},
    ...more,
  };
}

/** What options add to or change in the smallest request, and what is said about them. */
export function effectOf(protocol: ApiProtocol, options: RequestOptions, model: Partial<Model> = {}, tools = [READ]) {
  const plain = protocol.buildRequest(input(protocol.api, { tools }, model)).body;
  const { body, diagnostics } = protocol.buildRequest(input(protocol.api, { tools, options }, model));
  const more = Object.entries(body).filter(([name, value]) => JSON.stringify(plain[name]) !== JSON.stringify(value));
  return { body: Object.fromEntries(more), said: diagnostics.map(({ code, message }) => `${code}: ${message}`) };
}

/** The diagnostic of an option that was left out. */
export const ignored = (option: string, why = "it is not supported there"): string[] => [
  `option_ignored: The option ${option} was left out for model-1: ${why}.`,
];

/** The diagnostic of an option that was sent otherwise. */
export const changed = (option: string, how: string): string[] => [
  `option_changed: The option ${option} was changed: ${how}.`,
];

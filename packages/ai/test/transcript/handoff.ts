// Requests for any model out of any history, and the judgement of strict servers on them.
import {
  checkAnthropicMessagesRequest,
  checkGoogleGenerativeAiRequest,
  checkOpenaiCompletionsRequest,
  checkOpenaiResponsesRequest,
} from "@rondo/test-fixtures";
import { Type } from "@sinclair/typebox";
import { buildAnthropicRequest } from "../../src/api/anthropic-messages/request.ts";
import { buildGoogleRequest } from "../../src/api/google-generative-ai/request.ts";
import { buildChatRequest } from "../../src/api/openai-completions/request.ts";
import { buildResponsesRequest } from "../../src/api/openai-responses/request.ts";
import type { BuiltRequest, RequestInput, RequestOptions } from "../../src/protocol.ts";
import { prepareTranscript } from "../../src/transcript/prepare.ts";
import type { KnownApi, Message, Model, Tool } from "../../src/types.ts";

interface Destination {
  build: (input: RequestInput) => BuiltRequest;
  check: (body: unknown, model: Model) => string[];
  /** The field of the body that holds the conversation. */
  conversation: string;
}

const DESTINATIONS: Record<KnownApi, Destination> = {
  "anthropic-messages": {
    build: buildAnthropicRequest,
    check: (body) => checkAnthropicMessagesRequest(body),
    conversation: "messages",
  },
  "openai-completions": {
    build: buildChatRequest,
    check: (body, { quirks = {} }) =>
      checkOpenaiCompletionsRequest(
        { ...(body as object), stream: true },
        {
          cacheControl: quirks.supportsCacheControl === true,
          toolName: quirks.toolResultName === true,
          assistantFields: quirks.reasoningReplayField ? [quirks.reasoningReplayField] : [],
          ...(quirks.shortToolCallIds && { callId: /^[a-zA-Z0-9]{9}$/ }),
        },
      ),
    conversation: "messages",
  },
  "openai-responses": {
    build: buildResponsesRequest,
    check: (body) => checkOpenaiResponsesRequest(body),
    conversation: "input",
  },
  "google-generative-ai": {
    build: buildGoogleRequest,
    check: (body, { quirks = {} }) =>
      checkGoogleGenerativeAiRequest(body, { requiresThoughtSignatures: quirks.thoughtSignatureStandIn !== undefined }),
    conversation: "contents",
  },
};

const destinationOf = (model: Model): Destination => DESTINATIONS[model.api as KnownApi];

/** Tools of the kinds that real tool lists have. */
export const TOOLS: Tool[] = [
  { name: "read", description: "Reads a file", parameters: Type.Object({ path: Type.String() }) },
  {
    name: "my.server/tool name",
    description: "",
    parameters: Type.Union([Type.Object({ a: Type.Number() }), Type.Object({ b: Type.String() })]),
  },
  {
    name: "t".repeat(80),
    description: "Walks",
    parameters: Type.Recursive((This) => Type.Object({ nodes: Type.Array(This) })),
  },
  { name: "3d", description: "Draws", parameters: Type.Object({}) },
];

/** The body of the request that asks `model` to go on with a history. */
export function requestBody(
  messages: readonly Message[],
  model: Model,
  options: RequestOptions,
): Record<string, unknown> {
  const prepared = prepareTranscript(messages, model).messages;
  return destinationOf(model).build({ model, systemPrompt: "Be brief.", messages: prepared, tools: TOOLS, options })
    .body;
}

/** What a strict server would refuse in that request. */
export function violations(messages: readonly Message[], model: Model, options: RequestOptions): string[] {
  return destinationOf(model).check(requestBody(messages, model, options), model);
}

/**
 * The conversation in that request, block by block (some APIs gather the blocks of neighbouring messages into one), without
 * the marks that say where a cache may end.
 */
export function conversationOf(messages: readonly Message[], model: Model, options: RequestOptions): string[] {
  const list = requestBody(messages, model, options)[destinationOf(model).conversation] as Record<string, unknown>[];
  return list.flatMap((message) => {
    const { content, parts, cache_control: _mark, ...rest } = message;
    const blocks = [content ?? parts].flat();
    return blocks.map((block) =>
      JSON.stringify([rest, block], (key, value: unknown) => (key === "cache_control" ? undefined : value)),
    );
  });
}

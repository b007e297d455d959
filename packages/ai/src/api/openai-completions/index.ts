// OpenAI's Chat Completions API and the many servers that speak it, through the official SDK.
import type { ApiProtocol, SendRequest } from "../../protocol.ts";
import { openaiClient } from "../../wire/openai-client.ts";
import { ChatDecoder } from "./decode.ts";
import { buildChatRequest } from "./request.ts";

async function send(request: SendRequest): Promise<unknown> {
  const client = await openaiClient(request);
  const body = { ...request.body, stream: true } as unknown as Parameters<typeof client.chat.completions.create>[0];
  return client.chat.completions.create(body, { signal: request.signal }).asResponse();
}

/** The `openai-completions` protocol. */
export const openaiCompletions: ApiProtocol = {
  api: "openai-completions",
  address: { endpoint: /\/chat\/completions$/, version: "/v1", sdkAddsVersion: false },
  buildRequest: buildChatRequest,
  send,
  createDecoder: (input) => new ChatDecoder(input),
};

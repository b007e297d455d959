// OpenAI's Responses API and the servers that speak it, through the official SDK.
import type { ApiProtocol, SendRequest } from "../../protocol.ts";
import { openaiClient } from "../../wire/openai-client.ts";
import { ResponsesDecoder } from "./decode.ts";
import { buildResponsesRequest } from "./request.ts";

async function send(request: SendRequest): Promise<unknown> {
  const client = await openaiClient(request);
  const body = { ...request.body, stream: true } as unknown as Parameters<typeof client.responses.create>[0];
  return client.responses.create(body, { signal: request.signal }).asResponse();
}

/** The `openai-responses` protocol. */
export const openaiResponses: ApiProtocol = {
  api: "openai-responses",
  address: { endpoint: /\/responses$/, version: "/v1", sdkAddsVersion: false },
  buildRequest: buildResponsesRequest,
  send,
  createDecoder: (input) => new ResponsesDecoder(input),
};

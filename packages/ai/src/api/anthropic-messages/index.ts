// Anthropic's Messages API and its compatible servers, through the official SDK.
import type { ApiProtocol, SendRequest } from "../../protocol.ts";
import { browserConsent } from "../../wire/browser.ts";
import { DELAY_MAX_MS } from "../../wire/timeout.ts";
import { AnthropicDecoder } from "./decode.ts";
import { buildAnthropicRequest } from "./request.ts";

/** The wire as it was from 2023-06-01 until SDK 1.0 (2026-10-21), which is what compatible servers speak. */
const LEGACY_VERSION = "2023-06-01";

async function send(request: SendRequest): Promise<unknown> {
  const { default: Anthropic } = await import("@anthropic-ai/sdk");
  const legacy = request.model.quirks?.anthropicLegacyAuth === true;
  const client = new Anthropic({
    apiKey: request.apiKey,
    authToken: null,
    baseURL: request.baseUrl,
    fetch: request.fetch,
    maxRetries: 0,
    logLevel: "off",
    timeout: DELAY_MAX_MS,
    ...browserConsent(),
    ...(legacy && {
      defaultHeaders: { "anthropic-version": LEGACY_VERSION, "x-api-key": request.apiKey, authorization: null },
    }),
  });
  // Not client.messages.create, which prints a warning for models that will be retired.
  return client.post("/v1/messages", { body: { ...request.body, stream: true }, signal: request.signal }).asResponse();
}

/** The `anthropic-messages` protocol. */
export const anthropicMessages: ApiProtocol = {
  api: "anthropic-messages",
  address: { endpoint: /\/messages$/, version: "/v1", sdkAddsVersion: true },
  buildRequest: buildAnthropicRequest,
  send,
  createDecoder: (input) => new AnthropicDecoder(input),
};

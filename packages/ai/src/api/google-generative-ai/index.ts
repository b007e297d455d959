// Google's Gemini API through the official SDK.
import type { ApiProtocol, SendRequest } from "../../protocol.ts";
import { GoogleDecoder } from "./decode.ts";
import { buildGoogleRequest } from "./request.ts";

/**
 * The SDK gives no way to send a body of our own, so it builds the request for the model with no content, and the body is put in
 * its place on the way out. Address, headers and authentication stay the SDK's.
 */
async function send(request: SendRequest): Promise<unknown> {
  // The build for browsers, since the one for Node looks for keys in the environment by itself and prints when it finds two.
  const { GoogleGenAI } = await import("@google/genai/web");
  const body = JSON.stringify(request.body);
  const withBody: typeof globalThis.fetch = (input, init) => request.fetch(input, { ...init, body });
  const client = new GoogleGenAI({
    apiKey: request.apiKey,
    vertexai: false,
    apiVersion: "",
    httpOptions: { baseUrl: request.baseUrl, apiVersion: "", fetch: withBody },
  });
  return client.models.generateContentStream({
    model: request.model.id,
    contents: " ",
    config: { abortSignal: request.signal },
  });
}

/** The `google-generative-ai` protocol. */
export const googleGenerativeAi: ApiProtocol = {
  api: "google-generative-ai",
  address: { endpoint: /\/models(\/[^/]*)?$/, version: "/v1beta", sdkAddsVersion: false },
  buildRequest: buildGoogleRequest,
  send,
  createDecoder: (input) => new GoogleDecoder(input),
};

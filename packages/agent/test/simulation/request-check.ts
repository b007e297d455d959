// What strict servers would say to a history: it is sent, as far as the body of the request, through the model layer's
// public entry for each wire protocol.
import { type KnownApi, type Message, type Model, streamSimple } from "@rondo/ai";
import {
  checkAnthropicMessagesRequest,
  checkGoogleGenerativeAiRequest,
  checkOpenaiCompletionsRequest,
  checkOpenaiResponsesRequest,
} from "@rondo/test-fixtures";

const CHECKS: Record<KnownApi, (body: unknown) => string[]> = {
  "anthropic-messages": (body) => checkAnthropicMessagesRequest(body),
  // The SDK adds `stream` after the hook has seen the body.
  "openai-completions": (body) => checkOpenaiCompletionsRequest({ ...(body as object), stream: true }),
  "openai-responses": (body) => checkOpenaiResponsesRequest(body),
  "google-generative-ai": (body) => checkGoogleGenerativeAiRequest(body),
};

export const APIS = Object.keys(CHECKS) as KnownApi[];

/** What a server of this API would refuse in a request with this history. */
export async function requestViolations(messages: Message[], api: KnownApi): Promise<string[]> {
  const model: Model = {
    id: "strict",
    name: "strict",
    api,
    provider: "strict",
    baseUrl: "http://127.0.0.1:9/",
    reasoning: false,
    input: ["text"],
    cost: {},
    maxTokens: 1_000,
  };
  let body: unknown;
  const onPayload = (payload: unknown) => {
    body = structuredClone(payload);
    throw new Error("This is as far as the request goes.");
  };
  const answer = await streamSimple(model, { messages }, { apiKey: "none", onPayload }).result();
  return body === undefined ? [`no request was built: ${answer.errorMessage}`] : CHECKS[api](body);
}

// Puts the published rules of the four APIs in front of a replay server, so that it refuses what the real ones would refuse.
import type { ReplayHandler } from "../replay-server.ts";
import { checkAnthropicMessagesRequest } from "./anthropic-messages.ts";
import { checkGoogleGenerativeAiRequest, type GoogleOptions } from "./google-generative-ai.ts";
import { type CompletionsExtras, checkOpenaiCompletionsRequest } from "./openai-completions.ts";
import { checkOpenaiResponsesRequest } from "./openai-responses.ts";

/** What the rules of an API depend on. */
export interface StrictOptions {
  completions?: CompletionsExtras;
  google?: GoogleOptions;
}

/** Answers like `handler`, but with status 400 and the list of violations where a request breaks the rules of its API. */
export function strict(handler: ReplayHandler, options: StrictOptions = {}): ReplayHandler {
  return (request) => {
    const violations = checkRequest(request.path, request.body, options);
    if (violations.length === 0) return handler(request);
    return {
      status: 400,
      body: JSON.stringify({ error: { type: "invalid_request_error", message: violations.join("; ") } }),
    };
  };
}

function checkRequest(path: string, body: unknown, options: StrictOptions): string[] {
  const { pathname } = new URL(path, "http://localhost");
  if (pathname.endsWith("/messages")) return checkAnthropicMessagesRequest(body);
  if (pathname.endsWith("/chat/completions")) return checkOpenaiCompletionsRequest(body, options.completions);
  if (pathname.endsWith("/responses")) return checkOpenaiResponsesRequest(body);
  if (/:(?:stream)?generateContent$/i.test(pathname)) return checkGoogleGenerativeAiRequest(body, options.google);
  return [`No API has the path ${path}.`];
}

// The four wire APIs under one roof: which path belongs to which, and how to read and write each.
import { encodeAnthropicMessages, readAnthropicMessages } from "./anthropic-messages.ts";
import { encodeGoogleGenerativeAi, readGoogleGenerativeAi } from "./google-generative-ai.ts";
import { encodeOpenaiCompletions, readOpenaiCompletions } from "./openai-completions.ts";
import { encodeOpenaiResponses, readOpenaiResponses } from "./openai-responses.ts";
import type { ScriptedReply, WireApi, WireRequest } from "./scripted-reply.ts";

/** The response body of a scripted reply on one API. */
export function encodeReply(api: WireApi, reply: ScriptedReply, request: Pick<WireRequest, "model">): string {
  switch (api) {
    case "anthropic-messages":
      return encodeAnthropicMessages(reply, request);
    case "openai-completions":
      return encodeOpenaiCompletions(reply, request);
    case "openai-responses":
      return encodeOpenaiResponses(reply, request);
    case "google-generative-ai":
      return encodeGoogleGenerativeAi(reply, request);
  }
}

/**
 * Reads a request by its path, whatever comes before the API's own part of it.
 *
 * @returns undefined if no API has such a path
 */
export function readRequest(path: string, body: unknown): WireRequest | undefined {
  const { pathname } = new URL(path, "http://localhost");
  if (pathname.endsWith("/messages")) return readAnthropicMessages(body);
  if (pathname.endsWith("/chat/completions")) return readOpenaiCompletions(body);
  if (pathname.endsWith("/responses")) return readOpenaiResponses(body);
  const gemini = /\/models\/([^/]+):streamGenerateContent$/.exec(pathname);
  return gemini ? readGoogleGenerativeAi(body, decodeURIComponent(gemini[1]!)) : undefined;
}

// Gemini's finish reasons. The list grows with each release; the numbers are the protobuf enum, which some proxies send.
import { detailsOf } from "../../error-kinds.ts";
import { ModelError } from "../../errors.ts";

/** https://ai.google.dev/api/generate-content#FinishReason, November 2026, in the order of the enum. */
const REASON_OF_NUMBER = [
  "FINISH_REASON_UNSPECIFIED",
  "STOP",
  "MAX_TOKENS",
  "SAFETY",
  "RECITATION",
  "OTHER",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MALFORMED_FUNCTION_CALL",
];
const FILTERED = new Set([
  "CONTENT_FILTER",
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);
/** The model produced something that the server could not use; another attempt often succeeds. */
const BROKEN = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MALFORMED_RESPONSE",
  "MISSING_THOUGHT_SIGNATURE",
  "OTHER",
  "NO_IMAGE",
  "IMAGE_OTHER",
]);

/** What a finish reason means: how the message ends, or the error that ends it. An unknown one is an ordinary stop. */
export function finishOf(raw: string, message: string | undefined): "stop" | "length" | ModelError {
  const reason = /^\d+$/.test(raw) ? (REASON_OF_NUMBER[Number(raw)] ?? raw) : raw.toUpperCase();
  const why = message ? `: ${message}` : "";
  if (reason === "MAX_TOKENS" || reason === "LENGTH") return "length"; // The latter from gateways to other APIs.
  if (FILTERED.has(reason)) {
    return new ModelError(
      `Gemini stopped because of its content policy (${reason})${why}. Rephrase the request.`,
      detailsOf("content_filter", { code: reason }),
    );
  }
  if (BROKEN.has(reason)) {
    return new ModelError(
      `Gemini could not complete the answer (${reason})${why}. Try again.`,
      detailsOf("malformed_response", { code: reason }),
    );
  }
  return "stop";
}

// The ways in which a response body with status 200 turns out not to be a whole answer.
import { detailsOf } from "../error-kinds.ts";
import { ModelError } from "../errors.ts";
import { type ErrorPlace, errorFromPayload, isErrorPayload } from "./error-body.ts";
import { excerpt } from "./redact.ts";

/** The stream broke off. Whether anything had come decides how it is told. */
export function endedEarly(provider: string, hadContent: boolean): ModelError {
  return hadContent
    ? new ModelError(
        `${provider} ended the stream before the answer was complete. What arrived is kept; try again.`,
        detailsOf("truncated"),
      )
    : new ModelError(
        `${provider} answered with an empty stream. Try again.`,
        detailsOf("truncated", { code: "empty_stream" }),
      );
}

export function malformedFrame(provider: string, data: string, cause: unknown): ModelError {
  return new ModelError(
    `${provider} sent an event that is not valid JSON: ${excerpt(data, 120)}`,
    detailsOf("malformed_response"),
    { cause },
  );
}

/** A body that was no event stream: an error as bare JSON, or a page of a proxy. */
export function errorFromStray(text: string, place: ErrorPlace): ModelError {
  const looksLikeJson = text.startsWith("{") || text.startsWith("[");
  if (looksLikeJson) {
    try {
      const payload: unknown = JSON.parse(text);
      if (isErrorPayload(payload)) return errorFromPayload(payload, place);
    } catch {
      // Damaged JSON is reported like any other body that is no stream.
    }
  }
  const type = place.headers?.get("content-type") ?? "no content type";
  return new ModelError(
    `${place.provider} answered with something that is no event stream (status ${place.status}, ${type}): ${excerpt(text)}. Check the base URL and any proxy.`,
    detailsOf("malformed_response", { status: place.status ?? 200 }),
  );
}

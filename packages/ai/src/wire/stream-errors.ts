// The ways in which a response body with status 200 turns out not to be a whole answer.
import { detailsOf } from "../error-kinds.ts";
import { ModelError } from "../errors.ts";
import { type ErrorPlace, errorFromPayload, isErrorPayload } from "./error-body.ts";
import { excerpt, redact } from "./redact.ts";

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

/** An event that is no JSON object, or not one that this API sends. */
export function malformedFrame(place: ErrorPlace, data: string, cause?: unknown): ModelError {
  return new ModelError(
    `${place.provider} sent an event that cannot be read: ${excerpt(redact(data, place.secrets), 120)}. Try again.`,
    detailsOf("malformed_response"),
    { cause },
  );
}

/** Text outside any event: an error as bare JSON, the page of a proxy, or an event that was damaged on its way. */
export function errorFromStray(text: string, frames: number, place: ErrorPlace): ModelError {
  if (text.startsWith("{") || text.startsWith("[")) {
    try {
      const payload: unknown = JSON.parse(text);
      if (isErrorPayload(payload)) return errorFromPayload(payload, place);
    } catch {
      // Damaged JSON is reported like any other body that is no stream.
    }
  }
  if (frames > 0) return malformedFrame(place, text);
  const type = place.headers?.get("content-type") ?? "no content type";
  const shown = excerpt(redact(text, place.secrets));
  return new ModelError(
    `${place.provider} answered with something that is no event stream (status ${place.status}, ${type}): ${shown}. Check the base URL and any proxy.`,
    detailsOf("malformed_response", { status: place.status ?? 200 }),
  );
}

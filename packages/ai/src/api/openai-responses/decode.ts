// Events of the Responses API → builder calls. The last event holds the whole response, from which what the others left out is taken.

import { argumentText } from "../../decoding/argument-text.ts";
import { noteUnkept } from "../../decoding/unkept-content.ts";
import type { DecoderInput, FrameDecoder } from "../../protocol.ts";
import { isObject } from "../../tools/json-values.ts";
import { isErrorPayload } from "../../wire/error-body.ts";
import type { ResponseObject, ResponsesEvent } from "./events.ts";
import { OpenItems } from "./open-items.ts";
import { outcomeOf, terminalStatus } from "./outcome.ts";
import { reportedUsage } from "./usage.ts";

export class ResponsesDecoder implements FrameDecoder {
  readonly #input: DecoderInput;
  readonly #items: OpenItems;

  constructor(input: DecoderInput) {
    this.#input = input;
    this.#items = new OpenItems(input.builder, input.toolNames);
  }

  frame(payload: unknown, eventName: string): boolean {
    if (!isObject(payload)) {
      if (isErrorPayload(payload)) throw this.#input.error(payload);
      return false;
    }
    const event: ResponsesEvent = payload;
    const type = event.type ?? eventName;
    // Nearly every event is a delta with nothing else in it.
    if (!payload["error"] && !event.response && this.#delta(event, type)) return event.delta !== "";
    if (isErrorPayload(payload)) throw this.#input.error(payload);
    if (payload["object"] === "response" && event.type === undefined) {
      this.#response(payload as ResponseObject, `response.${String(payload["status"])}`); // A server that does not stream.
      return true;
    }
    if (event.response || terminalStatus(type, undefined)) this.#response(event.response ?? {}, type);
    else if (!this.#delta(event, type)) this.#whole(event, type);
    // The state of the response and deltas of nothing keep a connection alive while the model is not heard of.
    return type.startsWith("response.") && !event.response && event.delta !== "";
  }

  /** The last event ends the message; a body without it was cut. */
  end(): void {
    const { builder, model } = this.#input;
    if (model.quirks?.endsWithoutStopReason && builder.hasContent) builder.finish("stop");
  }

  /** Takes a delta of an item; returns whether the event is one. */
  #delta(event: ResponsesEvent, type: string): boolean {
    const index = event.output_index;
    switch (type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#items.forDelta("message", index).text(event.content_index ?? 0, textOfDelta(event.delta));
        return true;
      case "response.function_call_arguments.delta":
        this.#items.forDelta("function_call", index).arguments(argumentText(event.delta));
        return true;
      case "response.reasoning_summary_text.delta":
        this.#items.forDelta("reasoning", index).text("summary", event.summary_index ?? 0, textOfDelta(event.delta));
        return true;
      case "response.reasoning_text.delta":
        this.#items.forDelta("reasoning", index).text("content", event.content_index ?? 0, textOfDelta(event.delta));
        return true;
      default:
        return false;
    }
  }

  /** Takes what begins or is whole. */
  #whole(event: ResponsesEvent, type: string): void {
    const index = event.output_index;
    switch (type) {
      case "response.output_item.added":
        if (event.item) this.#items.begin(event.item, index);
        break;
      case "response.output_item.done":
        if (event.item?.type === "image_generation_call") noteUnkept(this.#input.builder, "a picture");
        if (event.item) this.#items.end(event.item, index);
        break;
      case "response.output_text.done":
      case "response.refusal.done":
        this.#items.forWhole("message", index)?.wholeText(event.content_index ?? 0, wholeOf(event));
        break;
      case "response.reasoning_summary_text.done":
        this.#items.forWhole("reasoning", index)?.wholeText("summary", event.summary_index ?? 0, wholeOf(event));
        break;
      case "response.reasoning_text.done":
        this.#items.forWhole("reasoning", index)?.wholeText("content", event.content_index ?? 0, wholeOf(event));
        break;
      case "response.function_call_arguments.done":
        this.#items.forWhole("function_call", index)?.wholeArguments(argumentText(event.arguments));
        break;
    }
  }

  #response(response: ResponseObject, type: string): void {
    const { builder, error, providerName } = this.#input;
    builder.identify(response.id, response.model);
    if (isObject(response.usage)) builder.usage(reportedUsage(response.usage));
    const status = terminalStatus(type, response.status);
    if (status === undefined) return;
    if (Array.isArray(response.output)) this.#items.complete(response.output);
    if (isErrorPayload(response)) throw error(response);
    const outcome = outcomeOf(status, response.incomplete_details?.reason ?? undefined, providerName);
    if ("failure" in outcome) builder.fail(outcome.failure.details, outcome.failure.message, outcome.raw);
    else builder.finish(outcome.stop, outcome.raw);
  }
}

/** A delta of text. One of the wrong type is damage: without it the answer would have a hole. */
function textOfDelta(delta: unknown): string {
  if (typeof delta === "string") return delta;
  if (delta === undefined || delta === null) return "";
  throw new TypeError(`The delta is a ${typeof delta}.`);
}

/** The text of a part that is whole. */
const wholeOf = ({ text, refusal }: ResponsesEvent): string => text ?? refusal ?? "";

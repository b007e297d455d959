// Thinking outside of the text. Servers put it into one of several fields, some into two at once: the first that has any is
// believed. Reasoning details are collected as they are, since some servers want them back; they are shown only where no field is used.
import { textOf } from "../../decoding/text-of.ts";
import { isObject } from "../../tools/json-values.ts";
import type { ChatDelta, ReasoningDetail } from "./chunk.ts";

export class Reasoning {
  /** Whether one of the fields has had text: then the details repeat it. */
  #inField = false;
  readonly #details: ReasoningDetail[] = [];

  /** Takes the reasoning of a delta; returns what of it is to be shown. */
  read(delta: ChatDelta): string {
    const shown = Array.isArray(delta.reasoning_details) ? this.#readDetails(delta.reasoning_details) : "";
    const field = textOf(delta.reasoning_content) || textOf(delta.reasoning) || textOf(delta.reasoning_text);
    if (field !== "") this.#inField = true;
    return this.#inField ? field : shown;
  }

  #readDetails(given: unknown[]): string {
    const details = given.filter((detail): detail is ReasoningDetail => isObject(detail));
    for (const detail of details) this.#collect(detail);
    return details.map((detail) => textOf(detail.text ?? detail.summary)).join("");
  }

  /** All details as JSON, to be kept beside the answer; undefined if there were none. */
  signature(): string | undefined {
    return this.#details.length === 0 ? undefined : JSON.stringify(this.#details);
  }

  /** Pieces of one detail come one after another with the same type and index. */
  #collect(detail: ReasoningDetail): void {
    const last = this.#details.at(-1);
    const continues =
      last !== undefined &&
      last.type === detail.type &&
      last.index === detail.index &&
      (last.id ?? detail.id) === (detail.id ?? last.id);
    if (!continues) {
      this.#details.push({ ...detail });
      return;
    }
    for (const [name, value] of Object.entries(detail)) {
      const before = last[name];
      const grows = PIECES.has(name) && typeof before === "string" && typeof value === "string";
      if (value !== null && value !== undefined) last[name] = grows ? before + value : value;
    }
  }
}

/** The fields of a detail that come in pieces. */
const PIECES = new Set(["text", "summary", "data"]);

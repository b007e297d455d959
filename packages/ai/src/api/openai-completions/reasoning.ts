// Thinking outside of the text. Servers put it into one of several fields, some into two at once: the first that has any is
// believed. Reasoning details are collected as they are, since some servers want them back; they are shown only where no field is used.
import { isObject } from "../../tools/json-values.ts";
import type { ChatDelta, ReasoningDetail } from "./chunk.ts";

const FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;

export class Reasoning {
  /** Whether one of the fields has had text: then the details repeat it. */
  #inField = false;
  readonly #details: ReasoningDetail[] = [];

  /** Takes the reasoning of a delta; returns what of it is to be shown. */
  read(delta: ChatDelta): string {
    const details = Array.isArray(delta.reasoning_details) ? delta.reasoning_details.filter(isObject) : [];
    for (const detail of details) this.#collect(detail);
    const field = FIELDS.find((name) => typeof delta[name] === "string" && delta[name] !== "");
    if (field !== undefined) this.#inField = true;
    if (this.#inField) return field === undefined ? "" : (delta[field] ?? "");
    return details.map(shownText).join("");
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

function shownText(detail: ReasoningDetail): string {
  const text = detail.text ?? detail.summary;
  return typeof text === "string" ? text : "";
}

// JSON mode: one event a line on standard output. Deltas come without the growing message, so that the output is as long as
// what was said; message_end has each message whole.
import type { AgentEvent } from "@rondo/agent";
import type { AssistantMessageEvent, Model } from "@rondo/ai";
import type { Output } from "../terminal/output.ts";

/** Version of the lines. It rises when a reader of the old ones would break. */
export const JSON_VERSION = 1;

/** The first line of the output. */
export function sessionLine(model: Model, root: string): string {
  return formatLine({
    type: "session",
    version: JSON_VERSION,
    model: `${model.provider}/${model.id}`,
    workspace: root,
  });
}

/** Makes a listener that writes a run as lines of JSON. */
export function createJsonWriter(output: Output): (event: AgentEvent) => Promise<void> {
  return (event) => output.write(formatLine(withoutPartials(event)));
}

/** The event without what grows with each one. */
export function withoutPartials(event: AgentEvent): object {
  if (event.type === "message_start" && event.message.role === "assistant") {
    const { role, provider, model } = event.message;
    return { type: event.type, message: { role, provider, model } };
  }
  if (event.type !== "message_update") return event;
  const { type, assistantMessageEvent, retry } = event;
  return { type, event: withoutPartial(assistantMessageEvent), ...(retry && { retry }) };
}

function withoutPartial(event: AssistantMessageEvent): object {
  if (event.type === "done" || event.type === "error") return { type: event.type, reason: event.reason };
  const { partial: _partial, ...rest } = event;
  return rest;
}

/** One line. U+2028 and U+2029 are escaped, since some readers take them for line ends. */
export function formatLine(value: object): string {
  return `${JSON.stringify(value)
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029")}\n`;
}

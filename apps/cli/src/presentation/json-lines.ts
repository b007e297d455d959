// Events as lines of JSON, for every mode that writes them. Deltas come without the growing message, so that the output is as
// long as what was said; message_end has each message whole.
import type { AgentEvent } from "@rondo/agent";
import type { AssistantMessageEvent } from "@rondo/ai";

/** The event without what grows with each one. */
export function withoutPartials(event: AgentEvent): object {
  if (event.type === "message_start" && event.message.role === "assistant") {
    const { role, provider, model } = event.message;
    return { type: event.type, message: { role, provider, model } };
  }
  // The partial result of a tool is all that it has printed so far; the whole comes with tool_execution_end.
  if (event.type === "tool_execution_update") {
    const { type, toolCallId, toolName } = event;
    return { type, toolCallId, toolName };
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

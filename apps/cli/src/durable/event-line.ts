// Events of durable runs in the form of JSON mode's lines. Full messages are in `message_end` alone.
import type { RunEvent } from "@rondo/durable";

/** The event as it is written. */
export function eventLine(event: RunEvent): object {
  switch (event.type) {
    case "message_start":
      return { type: event.type, message: { role: event.role } };
    case "message_update": {
      const { type, assistantMessageEvent, retry } = event;
      return { type, ...(assistantMessageEvent && { event: assistantMessageEvent }), ...(retry && { retry }) };
    }
    case "tool_execution_update": {
      const { type, toolCallId, toolName } = event;
      return { type, toolCallId, toolName };
    }
    default:
      return event;
  }
}

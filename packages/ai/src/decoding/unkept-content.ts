// Answers that are no text: a message has no place for them, and the caller is told so once for each kind.
import type { MessageBuilder } from "../message-builder.ts";

/** Notes that the model answered with something that is not kept, such as `a picture`. */
export function noteUnkept(builder: MessageBuilder, what: string): void {
  const message = `The model answered with ${what}, which a message cannot hold; it was left out.`;
  if (builder.message.diagnostics?.some((known) => known.message === message)) return;
  builder.diagnose({ code: "content_left_out", message });
}

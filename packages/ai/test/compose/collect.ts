// Reads a stream to its end.
import type { AssistantMessage, AssistantMessageEvent, AssistantMessageEventStream } from "@rondo/ai";

export async function collect(
  stream: AssistantMessageEventStream,
): Promise<{ events: AssistantMessageEvent[]; message: AssistantMessage }> {
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  return { events, message: await stream.result() };
}

export const typesOf = (events: readonly AssistantMessageEvent[]): string[] => events.map((event) => event.type);

// What a scripted model says and what it was asked, in a form that belongs to no wire API. The encoders turn a reply into the
// bytes of one API; the readers turn a request body of one API into this form. Knows nothing of the packages under test.

/** The wire APIs that the replay server speaks. */
export type WireApi = "anthropic-messages" | "openai-completions" | "openai-responses" | "google-generative-ai";

/** One block of a scripted reply, in the order in which it is sent. */
export type ScriptedBlock =
  | { type: "thinking"; thinking: string; signature?: string }
  | { type: "text"; text: string }
  | { type: "toolCall"; id: string; name: string; arguments: Record<string, unknown> };

/** A whole answer of a scripted model. */
export interface ScriptedReply {
  content: ScriptedBlock[];
  /** Default: `toolUse` if there are tool calls, else `stop`. */
  stopReason?: "stop" | "length" | "toolUse";
  /** Tokens. Default: one per four characters of the reply, and 100 of input. */
  usage?: { input: number; output: number; cacheRead?: number; reasoning?: number };
}

/** One message of a request, without what only its API has. */
export type WireMessage =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; toolCalls: { id: string; name: string; arguments: Record<string, unknown> }[] }
  | { role: "toolResult"; toolCallId: string; toolName: string; text: string; isError: boolean };

/** A request body, without what only its API has. */
export interface WireRequest {
  api: WireApi;
  model: string;
  systemPrompt: string;
  messages: WireMessage[];
  tools: { name: string; description: string; parameters: unknown }[];
}

/** One server-sent event: `event` is absent on APIs that name none. */
export interface ServerSentEvent {
  event?: string;
  data: string;
}

/** The stop reason of a reply, by the rule that its default follows. */
export function stopReasonOf(reply: ScriptedReply): "stop" | "length" | "toolUse" {
  return reply.stopReason ?? (reply.content.some((block) => block.type === "toolCall") ? "toolUse" : "stop");
}

/** The token counts of a reply, guessed from its length where the script does not say. */
export function usageOf(reply: ScriptedReply): { input: number; output: number; cacheRead: number; reasoning: number } {
  const count = (text: string) => Math.ceil(text.length / 4);
  let output = 0;
  let reasoning = 0;
  for (const block of reply.content) {
    if (block.type === "thinking") reasoning += count(block.thinking);
    else output += count(block.type === "text" ? block.text : JSON.stringify(block.arguments));
  }
  return { input: 100, output: output + reasoning, cacheRead: 0, reasoning, ...reply.usage };
}

/** Cuts text into word-sized deltas, as models send them: each word keeps the space before it. */
export function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** The bytes of a list of events. */
export function formatEvents(events: ServerSentEvent[]): string {
  return events.map(({ event, data }) => `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`).join("");
}

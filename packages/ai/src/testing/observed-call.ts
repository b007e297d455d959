// Runs one call to its end and says what is wrong with it, whatever it was. A call that does not end is a fault, not a test that hangs.
import type { AssistantMessageEventStream } from "../event-stream.ts";
import type { AssistantMessage, AssistantMessageEvent } from "../types.ts";
import { checkEventGrammar } from "./event-grammar.ts";

/** Far beyond every deadline of the tests. */
const HANG_MS = 30_000;

/** A call that has ended. */
export interface ObservedCall {
  events: AssistantMessageEvent[];
  /** What `result()` resolved with. */
  message: AssistantMessage;
  /** What is wrong with it; empty for a good call. */
  faults: string[];
}

export interface ObserveOptions {
  /** Texts that may appear nowhere. */
  secrets?: readonly string[];
  /** The answer was damaged on purpose; see `GrammarOptions`. */
  damaged?: boolean;
  /** Called for each event with its number. Returning `leave` ends the loop. */
  onEvent?: (event: AssistantMessageEvent, index: number) => "leave" | undefined;
}

/** Reads a stream to its end, or until `onEvent` leaves it. */
export async function observe(
  stream: AssistantMessageEventStream,
  { secrets = [], damaged = false, onEvent }: ObserveOptions = {},
): Promise<ObservedCall> {
  const events: AssistantMessageEvent[] = [];
  let left = false;
  const read = async (): Promise<AssistantMessage> => {
    for await (const event of stream) {
      events.push(event);
      if (onEvent?.(event, events.length - 1) === "leave") {
        left = true;
        break;
      }
    }
    return stream.result();
  };
  const message = await withHangGuard(read());
  const terminal = events.at(-1);
  const isTold = terminal?.type === "done" || terminal?.type === "error";
  // Whoever leaves early has not heard all that the message holds.
  const faults = left ? [] : checkEventGrammar(events, { damaged });
  if (isTold && (terminal.type === "done" ? terminal.message : terminal.error) !== message)
    faults.push("result() is not the message of the terminal event");
  const text = JSON.stringify([events.map((event) => ({ ...event, partial: undefined })), message]);
  if (secrets.some((secret) => text.includes(secret))) faults.push("a key is in the events or the message");
  return { events, message, faults };
}

async function withHangGuard<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const guard = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The call did not end within ${HANG_MS / 1000} s.`)), HANG_MS);
  });
  try {
    return await Promise.race([work, guard]);
  } finally {
    clearTimeout(timer);
  }
}

/** All text and thinking of a message, in order. */
export function visibleTextOf(message: AssistantMessage): string {
  return message.content
    .map((block) => (block.type === "text" ? block.text : block.type === "thinking" ? block.thinking : ""))
    .join("");
}

/** Events as they compare between two runs of one body: without the live message, times, and ids that the body does not hold. */
export function comparableEvents(events: readonly AssistantMessageEvent[], body: string): unknown[] {
  return events.map((event) => {
    if (event.type === "done" || event.type === "error") return { type: event.type, reason: event.reason };
    const shown = { ...event, partial: undefined };
    if (event.type !== "toolcall_end" || body.includes(event.toolCall.id)) return shown;
    return { ...shown, toolCall: { ...event.toolCall, id: "made up" } };
  });
}

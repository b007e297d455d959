// Saves a conversation whose history a provider refuses although it keeps the rules: a signature that is no longer valid, an image that
// the server cannot read. Without it every later call would be refused as well, for good.
import { type RefusedPart, withoutPart } from "../transcript/refused-parts.ts";
import type { AssistantMessage, Context, Message } from "../types.ts";
import { type Attempt, relay } from "./relay.ts";
import type { StreamFunction } from "./stream-function.ts";

/** How providers name what they refuse; there is no code for it. */
const WORDING: Record<RefusedPart, RegExp> = {
  thinking: /signature|thinking|thought|encrypted|reasoning/i,
  images: /image/i,
};
const PARTS: readonly RefusedPart[] = ["thinking", "images"];

/**
 * A stream function that asks once more without the thinking, or without the images, of the history when a provider refuses them
 * as invalid, or the request as too large, and nothing of an answer has been delivered. The message that comes of it says so in its diagnostics. Messages that were
 * refused are sent without that part from then on, as long as they are the same objects. The history itself is never changed.
 */
export function withHistoryRecovery(streamFn: StreamFunction): StreamFunction {
  const refused: Record<RefusedPart, WeakSet<Message>> = { thinking: new WeakSet(), images: new WeakSet() };
  return (model, context, options) =>
    relay(model, options, async (front) => {
      let current = PARTS.reduce(
        (reduced, part) => without(reduced, part, (message) => refused[part].has(message)),
        context,
      );
      let failed = await front.attempt(streamFn, model, current, options);
      for (const part of PARTS) {
        if (failed === undefined || front.signal.aborted || !isRefusal(failed, part)) continue;
        const reduced = without(current, part, () => true);
        if (reduced === current) continue;
        current = reduced;
        failed = await front.attempt(streamFn, model, current, options, (event) => {
          if (event.type === "start") note(event.partial, part);
          // Before the consumer hears of it, since it may call again at once.
          else if (event.type !== "error")
            for (const message of context.messages.filter(isMessage)) refused[part].add(message);
        });
      }
      if (failed !== undefined) front.deliver(failed);
    });
}

function isRefusal({ message, delivered }: Attempt, part: RefusedPart): boolean {
  if (delivered) return false;
  const { kind, status } = message.error ?? {};
  // A request of too many bytes: images weigh most, and without them there may be no need to compact.
  if (part === "images" && status === 413 && kind === "context_overflow") return true;
  if (kind !== "invalid_request") return false;
  return WORDING[part].test(message.error?.providerMessage ?? message.errorMessage ?? "");
}

const isMessage = (value: unknown): value is Message => typeof value === "object" && value !== null;

/** The context without a part of the messages that are chosen; the same object if that changes nothing. */
function without(context: Context, part: RefusedPart, isChosen: (message: Message) => boolean): Context {
  if (!Array.isArray(context?.messages)) return context;
  const messages = context.messages.map((message) =>
    isMessage(message) && isChosen(message) ? withoutPart(message, part) : message,
  );
  return messages.every((message, index) => message === context.messages[index]) ? context : { ...context, messages };
}

function note(message: AssistantMessage, part: RefusedPart): void {
  const pronoun = part === "thinking" ? "it" : "them";
  const sentence = `The provider refused the ${part} of the history, so the answer was made without ${pronoun}.`;
  message.diagnostics = [...(message.diagnostics ?? []), { code: "history_reduced", message: sentence }];
}

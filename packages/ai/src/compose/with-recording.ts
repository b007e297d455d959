// Keeps what a model answers, so that tests can play it again without a key and without a network.
import { secretsOf } from "../secrets.ts";
import type { AssistantMessage, AssistantMessageEvent } from "../types.ts";
import type { Cassette, RecordedEvent } from "./cassette.ts";
import { relay } from "./relay.ts";
import { keyOf, meaningOf, withoutSecrets } from "./request-meaning.ts";
import type { StreamFunction } from "./stream-function.ts";

/**
 * A stream function that adds each call to a cassette once it has ended. Keys, headers and the address are not kept, and keys that stand
 * in texts are taken out. Calls that were aborted or left, and requests that cannot be made, are not recorded.
 */
export function withRecording(streamFn: StreamFunction, cassette: Cassette): StreamFunction {
  return (model, context, options) =>
    relay(model, options, async (front) => {
      const events: RecordedEvent[] = [];
      let message: AssistantMessage | undefined;
      const keep = (event: AssistantMessageEvent): void => {
        if (event.type === "done") message = event.message;
        else if (event.type === "error") message = event.error;
        else if (event.type !== "start") events.push(withoutPartial(event));
      };
      // Taken before the call, since the history may have grown when it ends.
      const request = tryTo(() => meaningOf(model, context, options));
      const failed = await front.attempt(streamFn, model, context, options, keep);
      if (request && message && message.stopReason !== "aborted" && !front.signal.aborted) {
        const secrets = secretsOf(model, options, {});
        const kept = withoutSecrets({ events, message }, secrets) as {
          events: RecordedEvent[];
          message: AssistantMessage;
        };
        cassette.recordings.push({ key: keyOf(request), request, ...kept });
      }
      if (failed) front.deliver(failed);
    });
}

function withoutPartial(event: Exclude<AssistantMessageEvent, { type: "start" | "done" | "error" }>): RecordedEvent {
  const { partial: _partial, ...rest } = event;
  return structuredClone(rest);
}

function tryTo<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined; // The inner function says what is wrong with the request.
  }
}

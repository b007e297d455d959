// A stream function whose calls are recorded steps: live, the caller streams along while the call runs; on replay it gets
// the recorded message at once. Invariant: the message at the end of the stream is the recorded one.
import type { StreamFn } from "@rondo/agent";
import { type AssistantMessage, type AssistantMessageEvent, AssistantMessageEventStream, type Model } from "@rondo/ai";
import type { Recorder } from "./recorder.ts";

/** Names the steps of one model, in the order of its calls. */
export type StepNames = () => string;

/**
 * Records each call under the next name. `onMessage` sees every final message, recorded or new, before the caller does.
 * An engine's failure comes out of the stream's iteration, so that the loop can pass it on.
 */
export function recordedModel(
  recorder: Recorder,
  nextName: StepNames,
  streamFn: StreamFn,
  onMessage: (message: AssistantMessage) => void = () => {},
): StreamFn {
  return (model, context, options) => {
    const out = new StepStream();
    const call = new AbortController();
    out.onCancel(() => call.abort());
    const signal = options?.signal ? AbortSignal.any([options.signal, call.signal]) : call.signal;
    let live = false;
    const work = () => {
      live = true;
      return speak(out, model, () => streamFn(model, context, { ...options, signal }));
    };
    recorder.run(nextName(), work).then(
      (message) => {
        onMessage(message);
        if (!live) out.push({ type: "start", partial: message });
        out.push(terminalEvent(message));
      },
      (error: unknown) => out.fail(error),
    );
    return out;
  };
}

/** Makes the call and passes its events on, all but the terminal one. Gives the final message, whatever happens. */
async function speak(
  out: AssistantMessageEventStream,
  model: Model,
  start: () => ReturnType<StreamFn>,
): Promise<AssistantMessage> {
  try {
    const stream = await start();
    for await (const event of stream) {
      if (event.type === "done") return event.message;
      if (event.type === "error") return event.error;
      out.push(event);
      await out.room();
    }
    return await stream.result();
  } catch (error) {
    return failedMessage(model, error);
  }
}

function failedMessage(model: Model, error: unknown): AssistantMessage {
  const errorMessage = error instanceof Error && error.message !== "" ? error.message : "The model call failed.";
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { cost: {} },
    stopReason: "error",
    errorMessage,
    error: { kind: "unknown", retryable: false },
    timestamp: Date.now(),
  };
}

function terminalEvent(message: AssistantMessage): AssistantMessageEvent {
  const { stopReason } = message;
  if (stopReason === "error" || stopReason === "aborted") return { type: "error", reason: stopReason, error: message };
  return { type: "done", reason: stopReason, message };
}

/** A stream that can also fail: with what an engine threw, which is no matter of the conversation. */
class StepStream extends AssistantMessageEventStream {
  #failure: { error: unknown } | undefined;

  fail(error: unknown): void {
    this.#failure = { error };
    this.end();
  }

  override [Symbol.asyncIterator](): AsyncIterator<AssistantMessageEvent> {
    const iterator = super[Symbol.asyncIterator]();
    return {
      next: async () => {
        const next = await iterator.next();
        if (this.#failure) throw this.#failure.error;
        return next;
      },
      return: async () => (await iterator.return?.()) ?? { value: undefined, done: true },
    };
  }
}

// The demo script in the form of a model and a stream function: word-sized deltas, the events of any other model, no network.
import { setTimeout as delay } from "node:timers/promises";
import {
  AssistantMessageEventStream,
  type Context,
  MessageBuilder,
  type Model,
  type SimpleStreamOptions,
} from "@rondo/ai";
import { type DemoReply, readConversation } from "./conversation.ts";
import { demoReply } from "./script.ts";

/** The built-in demo: a script and no language model. Costs nothing, needs no network. */
export const DEMO_MODEL: Model = {
  id: "script",
  name: "Demo script (no language model)",
  api: "rondo-demo",
  provider: "demo",
  baseUrl: "",
  reasoning: true,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/**
 * Makes the stream function of the demo.
 *
 * @param pauseMs pause after each word, to look like a stream on a terminal; 0 for none
 */
export function createDemoStream(pauseMs: number) {
  return (model: Model, context: Context, options?: SimpleStreamOptions): AssistantMessageEventStream => {
    const stream = new AssistantMessageEventStream();
    const abort = new AbortController();
    stream.onCancel(() => abort.abort());
    const signal = options?.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal;
    const builder = new MessageBuilder(stream, {
      model,
      // The script counts its calls through the conversation, so its ids are unique by themselves.
      usedToolCallIds: () => new Set(),
      newToolCallId: () => "demo_call",
      now: () => Date.now(),
    });
    const pace = async () => {
      signal.throwIfAborted();
      if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
    };
    void play(builder, demoReply(readConversation(context)), pace).catch((error: unknown) => {
      if (signal.aborted) builder.fail({ kind: "aborted", retryable: false });
      else builder.fail({ kind: "unknown", retryable: false }, `The demo script failed: ${error}`);
    });
    return stream;
  };
}

async function play(builder: MessageBuilder, reply: DemoReply, pace: () => Promise<void>): Promise<void> {
  builder.start();
  for (const block of reply.content) {
    if (block.type === "toolCall") {
      const call = builder.openToolCall(block.id, block.name);
      for (const word of words(JSON.stringify(block.arguments))) call.append(word);
      call.end();
      continue;
    }
    const open = block.type === "text" ? builder.openText() : builder.openThinking();
    for (const word of words(block.type === "text" ? block.text : block.thinking)) {
      await pace();
      open.append(word);
    }
    open.end();
  }
  builder.usage({ input: 0, output: 0 });
  builder.finish("stop");
}

function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

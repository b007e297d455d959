// Feeds frames to a decoder as the driver does, and tells what came of it in a form that tables can compare whole.
import { expect, test } from "vitest";
import { detailsOf } from "../../src/error-kinds.ts";
import { AssistantMessageEventStream } from "../../src/event-stream.ts";
import { MessageBuilder } from "../../src/message-builder.ts";
import type { ApiProtocol } from "../../src/protocol.ts";
import type { AssistantMessage, AssistantMessageEvent, Model, Quirks } from "../../src/types.ts";

export function testModel(api: string, more: Partial<Model> = {}): Model {
  return {
    id: "model-1",
    name: "Model 1",
    api,
    provider: "server",
    baseUrl: "http://127.0.0.1:9/v1",
    reasoning: true,
    input: ["text", "image", "pdf"],
    cost: {},
    ...more,
  };
}

export interface Decoded {
  /** One line per event; the last says how it ended, `open` where the decoder did not end it. */
  events: string[];
  message: AssistantMessage;
}

export interface DecodeOptions {
  quirks?: Quirks;
  toolNames?: string[];
  /** Ids that the conversation already holds. */
  usedToolCallIds?: string[];
}

/** Decodes a whole response. */
export function decode(protocol: ApiProtocol, frames: readonly unknown[], options: DecodeOptions = {}): Decoded {
  const model = testModel(protocol.api, { quirks: options.quirks ?? {} });
  const events: string[] = [];
  const stream = new AssistantMessageEventStream();
  const push = stream.push.bind(stream);
  stream.push = (event) => {
    events.push(line(event));
    push(event);
  };
  let ids = 0;
  const builder = new MessageBuilder(stream, {
    model,
    usedToolCallIds: () => new Set(options.usedToolCallIds),
    newToolCallId: () => `made_${++ids}`,
    now: () => 0,
  });
  const decoder = protocol.createDecoder({
    providerName: "Server",
    model,
    builder,
    toolNames: new Set(options.toolNames),
    error: (payload) => new Error(JSON.stringify(payload)),
  });
  try {
    for (const frame of frames) if (!builder.ended) decoder.frame(frame, "message");
    if (!builder.ended) decoder.end();
  } catch (error) {
    builder.fail(detailsOf("unknown"), `thrown ${(error as Error).message}`);
  }
  if (!builder.ended) events.push("open");
  return { events, message: builder.message };
}

/** One row of a table of decodings. */
export interface DecodeCase extends DecodeOptions {
  name: string;
  frames: unknown[];
  /** The whole list of events. */
  events: string[];
}

/** Runs a table: one test per row. */
export function testDecoding(protocol: ApiProtocol, cases: readonly DecodeCase[]): void {
  test.each(cases)("$name", ({ frames, events, ...options }) => {
    expect(decode(protocol, frames, options).events).toEqual(events);
  });
}

function line(event: AssistantMessageEvent): string {
  switch (event.type) {
    case "start":
      return "start";
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return `${event.type} ${event.contentIndex} ${JSON.stringify(event.delta)}`;
    case "text_end":
    case "thinking_end":
      return `${event.type} ${event.contentIndex} ${JSON.stringify(event.content)}`;
    case "toolcall_end": {
      const { id, name, arguments: args, malformedArguments: raw } = event.toolCall;
      const shown = raw === undefined ? JSON.stringify(args) : `malformed ${JSON.stringify(raw)}`;
      return `toolcall_end ${event.contentIndex} ${id} ${name} ${shown}`;
    }
    case "done":
      return `done ${event.reason}`;
    case "error":
      return `error ${event.error.error?.kind} ${event.error.errorMessage}`;
    default:
      return `${event.type} ${event.contentIndex}`;
  }
}

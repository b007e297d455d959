// An invented wire protocol, made by following docs/adding-a-provider.md: "parrot" streams one JSON object per event, its tool calls come
// whole, and {"bye": reason} ends the answer.
import type { ApiProtocol, DecoderInput, FrameDecoder, Message } from "@rondo/ai";

interface ParrotFrame {
  say?: string;
  ponder?: string;
  use?: { id?: string; tool?: string; with?: unknown };
  bye?: "done" | "full";
  spent?: { in?: number; out?: number };
  squawk?: string;
  error?: unknown;
}

class ParrotDecoder implements FrameDecoder {
  readonly #input: DecoderInput;
  #bye: "done" | "full" | undefined;

  constructor(input: DecoderInput) {
    this.#input = input;
  }

  frame(payload: unknown): boolean {
    const { builder, error } = this.#input;
    const { say, ponder, use, bye, spent, error: failure } = payload as ParrotFrame;
    if (failure) throw error(payload);
    builder.appendThinking(ponder ?? "");
    builder.appendText(say ?? "");
    if (use) builder.openToolCall(use.id, use.tool).end(JSON.stringify(use.with ?? {}));
    if (spent) builder.usage({ input: spent.in as number, output: spent.out as number });
    if (bye) this.#bye = bye;
    return [say, ponder, use, bye, spent].some((field) => field !== undefined);
  }

  end(): void {
    if (this.#bye === undefined) return;
    this.#input.builder.finish(this.#bye === "full" ? "length" : "stop", this.#bye);
  }
}

const textOf = ({ content }: Message): string =>
  typeof content === "string" ? content : content.map((block) => (block.type === "text" ? block.text : "")).join("");

export const parrot: ApiProtocol = {
  api: "parrot",
  address: { endpoint: /\/talk$/, version: "", sdkAddsVersion: false },
  buildRequest: ({ model, messages, tools, options }) => ({
    body: {
      bird: model.id,
      heard: messages.map((message) => ({ from: message.role, words: textOf(message) })),
      ...(tools.length > 0 && { toys: tools.map(({ name, parameters }) => ({ name, takes: parameters })) }),
    },
    diagnostics:
      options.temperature === undefined ? [] : [{ code: "option_ignored", message: "Parrots have no temperature." }],
  }),
  send: ({ body, apiKey, baseUrl, fetch, signal }) =>
    fetch(`${baseUrl}/talk`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(body),
      signal,
    }),
  createDecoder: (input) => new ParrotDecoder(input),
};

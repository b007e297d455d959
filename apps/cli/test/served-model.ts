// A model behind a local server that speaks its wire format, for runs of the command.
import { createServer } from "node:net";
import { type ReplayHandler, type ScriptedReply, startReplayServer } from "@rondo/test-fixtures";
import { onTestFinished } from "vitest";

/** Starts a server that goes away with the test. */
export async function serve(handler: ReplayHandler) {
  const server = await startReplayServer(handler, { chunks: { seed: 5 } });
  onTestFinished(() => server.close());
  return server;
}

/** Flags for a model behind a local server. */
export const through = (url: string, model = "anthropic/claude-sonnet-5-5") => [
  "--model",
  model,
  "--base-url",
  url,
  "--api-key",
  "k",
];

/** A reply of text alone. */
export const text = (answer: string): ScriptedReply => ({ content: [{ type: "text", text: answer }] });

/** A response body of the Messages API with this text, in deltas of a few kilobytes. */
export function anthropicText(answer: string): string {
  const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const at = { index: 0 };
  const deltas = answer.match(/.{1,5000}/gs) ?? [];
  return [
    event({
      type: "message_start",
      ...{
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "x",
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
    }),
    event({ type: "content_block_start", ...at, ...{ content_block: { type: "text", text: "" } } }),
    ...deltas.map((part) =>
      event({ type: "content_block_delta", ...at, ...{ delta: { type: "text_delta", text: part } } }),
    ),
    event({ type: "content_block_stop", ...at }),
    event({
      type: "message_delta",
      ...{ delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
    }),
    event({ type: "message_stop" }),
  ].join("");
}

/** A port of this machine at which nobody listens. */
export async function closedPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

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

/** A port of this machine at which nobody listens. */
export async function closedPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

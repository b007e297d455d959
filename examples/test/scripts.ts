// What the tests of the examples share: models of the catalog that are served by a local server, and what programs print.
import { getModel, type Model } from "@rondo/ai";
import {
  type ReplayServer,
  replayScript,
  type ScriptedBlock,
  type ScriptedReply,
  startReplayServer,
  type WireRequest,
} from "@rondo/test-fixtures";

/** A reply that is a text. */
export const say = (text: string): ScriptedReply => ({ content: [{ type: "text", text }] });

/** A block that is a tool call. */
export const call = (id: string, name: string, args: Record<string, unknown>): ScriptedBlock => ({
  type: "toolCall",
  id,
  name,
  arguments: args,
});

/** Answers one request after the other from a list. */
export function inTurn(replies: ScriptedReply[]): (request: WireRequest) => ScriptedReply {
  const left = [...replies];
  return () => {
    const reply = left.shift();
    if (!reply) throw new Error("The program asked more often than the script answers.");
    return reply;
  };
}

/** Serves a script while `use` runs. */
export async function served(
  script: (request: WireRequest) => ScriptedReply,
  use: (server: ReplayServer) => Promise<void>,
): Promise<void> {
  const server = await startReplayServer(replayScript(script), { chunks: 11 });
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

/** A model of the catalog at another address. Local servers need no key. */
export const modelAt = (server: { url: string }, provider: string, id: string): Model => ({
  ...getModel(provider, id),
  baseUrl: server.url,
});

/** Keeps what a program prints. */
export function paper(): { lines: string[]; print: (line: string) => void } {
  const lines: string[] = [];
  return { lines, print: (line) => void lines.push(line) };
}

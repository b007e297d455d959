// A loopback HTTP server that plays wire recordings: fixed bodies or a script's replies, cut into chunks of any size, with any
// status and headers, and endings that real servers have on bad days. Every request is kept. It judges nothing by itself.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Chunking, cutIntoChunks } from "./chunks.ts";
import { encodeReply, readRequest } from "./wire/index.ts";
import type { ScriptedReply, WireRequest } from "./wire/scripted-reply.ts";

/** A request as the server got it. */
export interface RecordedRequest {
  method: string;
  /** Path with query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as text. */
  text: string;
  /** The body parsed; undefined if it is no JSON. */
  body: unknown;
}

/** What the server sends back. */
export interface ServedResponse {
  /** Default 200. */
  status?: number;
  /** Default: `content-type: text/event-stream` for status 200, else `application/json`. */
  headers?: Record<string, string>;
  body: string | Uint8Array;
  /** How the body is cut. Default: as the server was started with. */
  chunks?: Chunking;
  /** `end` closes the body properly, `reset` breaks the connection after it, `stall` leaves it open. Default `end`. */
  ending?: "end" | "reset" | "stall";
}

/** Decides what to send back. A throw becomes status 500 with its message. */
export type ReplayHandler = (request: RecordedRequest) => ServedResponse | Promise<ServedResponse>;

/** A running server. */
export interface ReplayServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  url: string;
  /** All requests so far, oldest first. */
  requests: RecordedRequest[];
  /** Ends the server and breaks connections that are still open. */
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback address. Default chunking: `whole`. */
export async function startReplayServer(
  handler: ReplayHandler,
  options: { chunks?: Chunking } = {},
): Promise<ReplayServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const request = await record(incoming);
      requests.push(request);
      await send(await answer(handler, request), outgoing, options.chunks ?? "whole");
    })().catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Serves a list of responses in order; one request more than there are responses is answered with status 500. */
export function replayInOrder(responses: ServedResponse[]): ReplayHandler {
  let next = 0;
  return () => {
    const response = responses[next++];
    if (!response)
      throw new Error(`Request number ${next} came, but only ${responses.length} responses were scripted.`);
    return response;
  };
}

/** Serves a script on all four APIs: the path tells the API, the script answers in no API's terms. */
export function replayScript(reply: (request: WireRequest) => ScriptedReply | ServedResponse): ReplayHandler {
  return ({ path, body }) => {
    const request = readRequest(path, body);
    if (!request) return { status: 404, body: JSON.stringify({ error: { message: `No API has the path ${path}.` } }) };
    const answer = reply(request);
    return "content" in answer ? { body: encodeReply(request.api, answer, request) } : answer;
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { method: incoming.method ?? "", path: incoming.url ?? "", headers: incoming.headers, text, body };
}

async function answer(handler: ReplayHandler, request: RecordedRequest): Promise<ServedResponse> {
  try {
    return await handler(request);
  } catch (error) {
    return { status: 500, body: JSON.stringify({ error: { message: String(error) } }) };
  }
}

async function send(response: ServedResponse, outgoing: ServerResponse, chunks: Chunking): Promise<void> {
  const { status = 200, ending = "end" } = response;
  const contentType = status === 200 ? "text/event-stream; charset=utf-8" : "application/json";
  outgoing.writeHead(status, { "content-type": contentType, "cache-control": "no-cache", ...response.headers });
  outgoing.flushHeaders();
  const bytes = typeof response.body === "string" ? Buffer.from(response.body) : response.body;
  for (const chunk of cutIntoChunks(bytes, response.chunks ?? chunks)) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
    // A turn of the event loop between writes keeps them apart on the wire.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (ending === "end") outgoing.end();
  if (ending === "reset") outgoing.socket?.resetAndDestroy();
}

// A server on the loopback address that behaves as servers do on bad days. The first part of a request's path names the situation. It
// counts the responses that are open, so that a test can say whether a socket outlived its stream.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServedMaterial, SITUATIONS, type SituationName } from "./situations.ts";

/** A running hostile server. */
export interface HostileServer {
  /** Base address of one situation, without a slash at the end. */
  url(situation: SituationName): string;
  /** How many requests came. */
  readonly requests: number;
  /** How many responses are neither finished nor broken off. */
  readonly open: number;
  /** Resolves when no response is open any more. */
  settled(): Promise<void>;
  /** Ends the server and breaks connections that are still open. */
  close(): Promise<void>;
}

/**
 * Starts a hostile server on a free port.
 *
 * @param material the wire of the API under test: a good answer to be broken in every way, and its words for common failures
 */
export async function hostileServer(material: ServedMaterial): Promise<HostileServer> {
  const open = new Set<object>();
  let requests = 0;
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    requests++;
    open.add(response);
    response.once("close", () => {
      open.delete(response);
      if (open.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    });
    // A client that breaks off is what most situations expect.
    response.on("error", () => {});
    request.on("error", () => {});
    request.resume();
    request.once("end", () => {
      const name = (request.url ?? "").split("/")[1] ?? "";
      const situation = Object.hasOwn(SITUATIONS, name) ? SITUATIONS[name as SituationName] : undefined;
      if (situation === undefined) response.writeHead(404).end();
      else situation.serve({ request, response, material });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: (situation) => `http://127.0.0.1:${port}/${situation}`,
    get requests() {
      return requests;
    },
    get open() {
      return open.size;
    },
    settled: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}

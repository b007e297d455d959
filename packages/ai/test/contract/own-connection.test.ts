// A protocol that sends over a connection of its own: what the network does to it is no fault of the request.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createModelLayer } from "@rondo/ai";
import { expect, test } from "vitest";
import { testModel } from "../api/decoding.ts";
import { parrot } from "./parrot/parrot.ts";

/** An address where nobody listens any more. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

async function failing(send: (baseUrl: string) => Promise<Response>, host: string) {
  const own = { ...parrot, send: ({ baseUrl }: { baseUrl: string }) => send(baseUrl) };
  const { completeSimple } = createModelLayer({ apis: { parrot: own }, env: {} });
  const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };
  const model = { ...testModel("parrot"), provider: "aviary", baseUrl: `http://${host}` };
  const { error, errorMessage } = await completeSimple(model, context, { apiKey: "k" });
  return [error?.kind, error?.code, error?.retryable, errorMessage];
}

test("a refused connection is one of the network", async () => {
  const host = await closedAddress();
  expect(await failing((baseUrl) => globalThis.fetch(`${baseUrl}/talk`), host)).toEqual([
    "network",
    "ECONNREFUSED",
    true,
    `aviary (${host}) refused the connection. Is the server running, and is the address right?`,
  ]);
});

test.each<[error: Error, kind: string, code: string]>([
  [new Error("Connection error.", { cause: { code: "ECONNRESET" } }), "network", "ECONNRESET"],
  [new TypeError("fetch failed", { cause: { code: "ENETDOWN" } }), "network", "ENETDOWN"],
  [
    Object.assign(new Error("bad bytes"), { code: "HPE_INVALID_CONSTANT" }),
    "malformed_response",
    "HPE_INVALID_CONSTANT",
  ],
  [new TypeError("fetch failed", { cause: { code: "UND_ERR_INVALID_ARG" } }), "invalid_request", "bad_input"],
  [new TypeError("fetch failed", { cause: new Error("unknown scheme") }), "invalid_request", "bad_input"],
  [new TypeError("Cannot read properties of undefined"), "invalid_request", "bad_input"],
])("%s is of the kind %s (%s)", async (error, kind, code) => {
  expect((await failing(() => Promise.reject(error), "127.0.0.1:1")).slice(0, 2)).toEqual([kind, code]);
});

// A model that thinks for an hour before its first word is not cut off by the HTTP client's own limits; ours alone count.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createModelLayer } from "@rondo/ai";
import { afterEach, expect, test } from "vitest";
import { WIRES } from "../contract/wires.ts";

const DISPATCHER = Symbol.for("undici.globalDispatcher.1");
const globals = globalThis as unknown as Record<symbol, { dispatch(options: object, handler: object): boolean }>;
const original = globals[DISPATCHER];
afterEach(() => {
  if (original) globals[DISPATCHER] = original;
});

test.each(Object.values(WIRES))("$name sets no limits of undici's", async ({ model, basePath = "", fixtures }) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(fixtures["text"]);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await fetch(origin).then((response) => response.text()); // undici makes its dispatcher with the first request.
  const real = globals[DISPATCHER];
  const seen: object[] = [];
  if (real) {
    globals[DISPATCHER] = Object.create(real, {
      dispatch: {
        value: (options: object, handler: object) => {
          seen.push(options);
          return real.dispatch(options, handler);
        },
      },
    });
  }
  try {
    const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };
    const { complete } = createModelLayer({ env: {} });
    const message = await complete({ ...model, baseUrl: origin + basePath }, context, { apiKey: "test-key" });
    expect(message.stopReason).toBe("stop");
    expect(seen).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0 }]);
  } finally {
    if (real) globals[DISPATCHER] = real;
    server.closeAllConnections();
    server.close();
  }
});

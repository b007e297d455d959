// A model server in a process of its own, so that its work is not counted as that of its client. Every path answers; the first
// segment of the path says with what: /<settings as base64url JSON>/…
import { once } from "node:events";
import { createServer } from "node:http";
import { wireBody } from "./wire-bodies.mjs";

const bodies = new Map();

function bodyOf(settings) {
  const key = JSON.stringify(settings);
  if (!bodies.has(key)) {
    if (bodies.size > 20) bodies.clear();
    bodies.set(key, Buffer.from(wireBody(settings)));
  }
  return bodies.get(key);
}

/** Sends a body in pieces of `chunkBytes`, waiting where the socket is full. */
async function send(response, body, { chunkBytes = 65_536, pauseMs = 0 }) {
  const closed = once(response, "close");
  for (let start = 0; start < body.length && !response.destroyed; start += chunkBytes) {
    if (!response.write(body.subarray(start, start + chunkBytes)))
      await Promise.race([once(response, "drain"), closed]);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  response.end();
}

const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => {
    const [, encoded = ""] = request.url.split("/");
    const settings = JSON.parse(Buffer.from(encoded, "base64url").toString());
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    send(response, bodyOf(settings), settings);
    process.send?.({ requestAt: performance.timeOrigin + performance.now() });
  });
});
// A busy client comes back late, and must find its connection open.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
process.once("disconnect", () => process.exit());

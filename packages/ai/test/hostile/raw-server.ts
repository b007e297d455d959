// A loopback server below HTTP: it writes the bytes that it is told to, so that it can break every rule of framing.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** What goes out for one request. */
export interface RawAnswer {
  /** Written one after another. */
  bytes: readonly (string | Uint8Array)[];
  /** What follows: a clean end, a reset, or this text again and again until the client is gone. Default: a clean end. */
  after?: "reset" | { again: string };
}

const GAP_MS = 4;

/** Runs a call against a server that sends one answer. */
export async function withRawServer<T>(answer: RawAnswer, call: (origin: string) => Promise<T>): Promise<T> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let request = "";
    socket.on("data", (bytes) => {
      const before = request;
      request += bytes;
      if (!before.includes("\r\n\r\n") && request.includes("\r\n\r\n")) send(socket, answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await call(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

function send(socket: Socket, { bytes, after }: RawAnswer): void {
  for (const piece of bytes) socket.write(piece);
  if (after === undefined) socket.end();
  else if (after === "reset") setTimeout(() => socket.resetAndDestroy(), 5 * GAP_MS);
  else {
    const again = (): void => {
      if (socket.destroyed) return;
      socket.write(after.again);
      setTimeout(again, GAP_MS);
    };
    again();
  }
}

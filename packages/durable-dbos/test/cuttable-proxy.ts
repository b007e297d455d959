// A TCP proxy that can be cut like a cable: connections stay open on both sides and nothing passes any more.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CuttableProxy {
  port: number;
  cut(): void;
  heal(): void;
  close(): Promise<void>;
}

/** Forwards loopback connections to a host and port. */
export async function cuttableProxy({ host, port }: { host: string; port: number }): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from.setNoDelay(true));
    from.on("data", (data) => to.write(data));
    from.on("error", () => to.destroy()).on("close", () => to.destroy());
    if (isCut) from.pause();
  };
  const server = createServer((client) => {
    const target = connect(port, host);
    forward(client, target);
    forward(target, client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

// A client that never reads: what it is to be told waits in the pipe and not in the memory of the process, which is measured by the
// process itself. The model is not read on, and further requests are not taken, until there is room again.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { through } from "../../served-model.ts";
import { type BareProcess, DEMO, startBare } from "./connect.ts";

const MEGABYTE = 1_000_000;
/** Many times what sockets and pipes hold. */
const ANSWER_BYTES = 40 * MEGABYTE;
/** What may be on its way: the buffers of the system and of the streams. */
const ON_ITS_WAY_BYTES = 20 * MEGABYTE;
/** As many looks without any change mean that nothing moves any more. */
const LOOKS = 15;

/** The process tells on standard error, again and again, what it holds. */
const REPORT = `setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write("held " + JSON.stringify({ memory: heapUsed + external, unwritten: process.stdout.writableLength }) + "\\n");
}, 20).unref();`;
const REPORTING = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT)}` };

/** What a process holds. */
interface Held {
  memory: number;
  unwritten: number;
}

/** Follows the reports of a process. */
function reportsOf({ child }: BareProcess): { next: () => Promise<Held> } {
  let text = "";
  child.stderr.on("data", (part: string) => {
    text += part;
  });
  return {
    next: async () => {
      text = "";
      for (;;) {
        const report = /^held (.*)\n/m.exec(text)?.[1];
        if (report !== undefined) return JSON.parse(report) as Held;
        await delay(5);
      }
    },
  };
}

/** Resolves with a late report, when a number has not changed for some of them. */
async function whenStill(reports: { next: () => Promise<Held> }, progress: () => number): Promise<Held> {
  let last = -1;
  for (let still = 0; ; ) {
    const held = await reports.next();
    still = progress() === last ? still + 1 : 0;
    last = progress();
    if (still === LOOKS) return held;
  }
}

/** A model that says more than anybody reads; `sent` is how much of it was taken from it. */
async function endlessModel(): Promise<{ url: string; sent: () => number }> {
  let sent = 0;
  const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const say = async (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const message = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "x",
      content: [],
      usage: { input_tokens: 1 },
    };
    response.write(event({ type: "message_start", ...{ message } }));
    response.write(event({ type: "content_block_start", ...{ index: 0, content_block: { type: "text", text: "" } } }));
    const delta = { type: "text_delta", text: "x".repeat(2_000) };
    const part = event({ type: "content_block_delta", ...{ index: 0, delta } });
    while (sent < ANSWER_BYTES && !response.destroyed) {
      const isTaken = new Promise<void>((resolve) => response.write(part, () => resolve()));
      await isTaken;
      sent += part.length;
    }
  };
  const server = createServer((request, response) => {
    request.resume();
    void say(response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent };
}

test("events of an answer without end", async () => {
  const model = await endlessModel();
  const bare = await startBare(through(model.url), REPORTING);
  const reports = reportsOf(bare);
  await bare.line(({ type }) => type === "ready");
  const before = await reports.next();
  bare.child.stdout.pause();
  bare.send({ id: "1", type: "prompt", message: "say much" });
  while (model.sent() === 0) await delay(5);
  const held = await whenStill(reports, model.sent);
  expect(model.sent()).toBeLessThan(ON_ITS_WAY_BYTES);
  expect(held.unwritten).toBeLessThan(MEGABYTE);
  expect(held.memory - before.memory).toBeLessThan(ON_ITS_WAY_BYTES);
});

test("responses to requests without end", async () => {
  const bare = await startBare(DEMO, REPORTING);
  const reports = reportsOf(bare);
  await bare.line(({ type }) => type === "ready");
  const before = await reports.next();
  bare.child.stdout.pause();
  const { stdin } = bare.child;
  const request = `${JSON.stringify({ id: "1", type: "get_state" })}\n`;
  for (let written = 0; written < ANSWER_BYTES; written += MEGABYTE)
    stdin.write(request.repeat(MEGABYTE / request.length));
  const held = await whenStill(reports, () => stdin.writableLength);
  expect(stdin.writableLength).toBeGreaterThan(0);
  expect(held.unwritten).toBeLessThan(MEGABYTE);
  expect(held.memory - before.memory).toBeLessThan(ON_ITS_WAY_BYTES);
});

// A consumer that is slow makes the producer stop reading, so that memory stays flat; one that only wants the result holds nothing up.
import { createModelLayer, type Model, withRetry } from "@rondo/ai";
import { describe, expect, it } from "vitest";
import { serveBody } from "../../src/testing/served-bodies.ts";

const { streamSimple, completeSimple } = createModelLayer({ env: {} });
const FRAMES = 5_000;
const model: Model = {
  id: "m",
  name: "m",
  api: "google-generative-ai",
  provider: "p",
  baseUrl: "http://127.0.0.1:9",
  reasoning: false,
  input: ["text"],
  cost: {},
};
const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };

/** A body that counts the chunks that were taken from it. */
function longAnswer() {
  let taken = 0;
  const frame = (finishReason?: string): string =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: "x" }] }, finishReason }] })}\n\n`;
  const chunks = new Proxy([] as string[], {
    get: (_target, index) => {
      const number = Number(index);
      taken = Math.max(taken, number);
      return number < FRAMES ? frame() : number === FRAMES ? frame("STOP") : undefined;
    },
  });
  return { served: serveBody({ chunks }), taken: () => taken };
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe("backpressure", () => {
  for (const [name, streamFn] of Object.entries({ alone: streamSimple, "behind withRetry": withRetry(streamSimple) })) {
    it(`stops reading while the consumer does not (${name})`, async () => {
      const { served, taken } = longAnswer();
      const events = streamFn(model, context, { apiKey: "test-key", fetch: served.fetch })[Symbol.asyncIterator]();
      await events.next();
      while (taken() === 0) await turns(1);
      await turns(1_000);
      const unread = taken();
      expect(unread).toBeLessThan(600);
      let count = 1;
      while (!(await events.next()).done) count++;
      expect([count, taken()]).toEqual([FRAMES + 5, FRAMES + 1]);
    });
  }

  it("does not stop for somebody who only wants the result", async () => {
    const { served } = longAnswer();
    const stream = streamSimple(model, context, { apiKey: "test-key", fetch: served.fetch });
    expect((await stream.result()).content).toEqual([{ type: "text", text: "x".repeat(FRAMES + 1) }]);
  });

  it("keeps no events for complete", async () => {
    const { served } = longAnswer();
    const message = await completeSimple(model, context, { apiKey: "test-key", fetch: served.fetch });
    expect(message.content).toEqual([{ type: "text", text: "x".repeat(FRAMES + 1) }]);
  });
});

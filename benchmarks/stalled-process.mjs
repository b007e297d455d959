// A consumer that reads one event and then nothing for two seconds, while the server keeps sending.
import { customModel, streamSimple } from "@rondo/ai";

process.on("message", async ({ api, url }) => {
  const model = customModel({ id: "m", api, baseUrl: url, provider: "benchmark", name: "m" });
  const context = { messages: [{ role: "user", content: "Hello", timestamp: 0 }] };
  // A first stream, so that what is loaded once is not counted.
  await streamSimple(model, context, { apiKey: "none" })[Symbol.asyncIterator]().return();
  const events = streamSimple(model, context, { apiKey: "none" })[Symbol.asyncIterator]();
  await events.next();
  await events.next();
  await new Promise((resolve) => setTimeout(resolve, 500));
  globalThis.gc();
  const before = process.memoryUsage();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  globalThis.gc();
  const after = process.memoryUsage();
  const used = ({ heapUsed, external }) => heapUsed + external;
  process.send({ megabytes: (used(after) - used(before)) / 2 ** 20 });
  await events.return();
});

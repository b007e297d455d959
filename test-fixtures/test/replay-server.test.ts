import { readFileSync } from "node:fs";
import {
  type Chunking,
  cutIntoChunks,
  fixtureNames,
  loadFixture,
  type ReplayServer,
  replayInOrder,
  startReplayServer,
  type WireApi,
} from "@rondo/test-fixtures";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";

const APIS: WireApi[] = ["anthropic-messages", "openai-completions", "openai-responses", "google-generative-ai"];

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

test("every API has the same streams, and bodies of errors that are JSON", () => {
  for (const api of APIS) {
    const names = fixtureNames(api);
    expect(names.filter((name) => !name.endsWith(".json"))).toEqual([
      "empty-arguments",
      "error-mid-stream",
      "one-tool-call",
      "several-tool-calls",
      "text",
      "thinking",
    ]);
    for (const name of names.filter((name) => name.endsWith(".json")))
      expect(JSON.parse(Buffer.from(loadFixture(api, name)).toString())).toHaveProperty("error");
  }
});

test("chunks of any cut are the body again, and none is empty", () => {
  const chunking = fc.oneof(
    fc.constant<Chunking>("whole"),
    fc.integer({ min: 1, max: 50 }),
    fc.record({ seed: fc.integer(), maxBytes: fc.integer({ min: 1, max: 30 }) }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), chunking, (bytes, cut) => {
      const chunks = [...cutIntoChunks(bytes, cut)];
      expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes));
      expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
    }),
  );
});

test("a seed cuts the same way twice", () => {
  const bytes = new Uint8Array(500);
  const lengths = () => [...cutIntoChunks(bytes, { seed: 7 })].map((chunk) => chunk.length);
  expect(lengths()).toEqual(lengths());
});

test("responses come in order with their status and headers, requests are kept, and one too many is an error", async () => {
  const body = loadFixture("anthropic-messages", "text");
  server = await startReplayServer(
    replayInOrder([{ body }, { status: 429, headers: { "retry-after": "3" }, body: '{"error":{}}' }]),
    { chunks: { seed: 1 } },
  );
  const post = (path: string) => fetch(`${server?.url}${path}`, { method: "POST", body: '{"model":"m"}' });
  const first = await post("/v1/messages?beta=true");
  expect(Buffer.from(await first.arrayBuffer())).toEqual(Buffer.from(body));
  expect(first.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const second = await post("/v1/messages");
  expect([second.status, second.headers.get("retry-after"), await second.text()]).toEqual([429, "3", '{"error":{}}']);
  expect((await post("/v1/messages")).status).toBe(500);
  expect(server.requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    { method: "POST", path: "/v1/messages?beta=true", body: { model: "m" } },
    { method: "POST", path: "/v1/messages", body: { model: "m" } },
    { method: "POST", path: "/v1/messages", body: { model: "m" } },
  ]);
});

test("a reset breaks the body after its last byte", async () => {
  server = await startReplayServer(() => ({ body: "data: 1\n\n", ending: "reset" }));
  const response = await fetch(server.url, { method: "POST", body: "{}" });
  await expect(response.text()).rejects.toThrow();
});

test("a stall keeps the body open until the server closes", async () => {
  server = await startReplayServer(() => ({ body: "data: 1\n\n", ending: "stall" }));
  const response = await fetch(server.url, { method: "POST", body: "{}" });
  const reader = response.body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe("data: 1\n\n");
  const rest = expect(reader.read()).rejects.toThrow();
  await server.close();
  server = undefined;
  await rest;
});

test("fixtures are served from files, byte for byte", () => {
  const file = new URL("../wire/openai-responses/text.sse", import.meta.url);
  expect(Buffer.from(loadFixture("openai-responses", "text"))).toEqual(readFileSync(file));
});

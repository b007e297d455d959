import { pngOfSize, type ReplayServer, replayScript, startReplayServer, strict } from "@rondo/test-fixtures";
import { afterEach, expect, test } from "vitest";
import { withHistoryRecovery } from "../../src/compose/with-history-recovery.ts";
import { createModelLayer } from "../../src/stream.ts";
import type { Message } from "../../src/types.ts";
import { modelOf } from "../transcript/targets.ts";

const layer = createModelLayer({ env: {} });
const identity = { api: "anthropic-messages", provider: "anthropic", model: "claude" };

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A strict server that refuses every body in which a text occurs, with the words given. */
async function refusing(text: string, words: string, status = 400): Promise<ReplayServer> {
  const answer = strict(replayScript(() => ({ content: [{ type: "text", text: "Well." }] })));
  server = await startReplayServer((request) => {
    if (!request.text.includes(text)) return answer(request);
    return {
      status,
      body: JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: words } }),
    };
  });
  return server;
}

const history: Message[] = [
  {
    role: "user",
    content: [
      { type: "text", text: "Look." },
      { type: "image", data: pngOfSize(7, 7), mimeType: "image/png" },
    ],
    timestamp: 1,
  },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", thinkingSignature: "c3RhbGU=" },
      { type: "text", text: "I see." },
    ],
    ...identity,
    usage: { cost: {} },
    stopReason: "stop",
    timestamp: 2,
  },
  { role: "user", content: "And?", timestamp: 3 },
];

test.each([
  [
    "thinking",
    "c3RhbGU=",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "the thinking of the history, so the answer was made without it.",
  ],
  [
    "images",
    pngOfSize(7, 7),
    "messages.0.content.1.image.source: Could not process image",
    "the images of the history, so the answer was made without them.",
  ],
])("refused %s are left out once and from then on, and the caller is told", async (_part, text, words, told) => {
  const { url, requests } = await refusing(text, words);
  const ask = withHistoryRecovery(layer.streamSimple);
  const before = JSON.stringify(history);
  const options = { apiKey: "test", reasoning: "low" } as const;
  const first = await ask(modelOf(identity, { baseUrl: url }), { messages: history }, options).result();
  expect(first).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "Well." }] });
  expect(first.diagnostics).toEqual([{ code: "history_reduced", message: `The provider refused ${told}` }]);
  expect(requests.length).toBe(2);

  const longer: Message[] = [...history, first, { role: "user", content: "More.", timestamp: 4 }];
  const second = await ask(modelOf(identity, { baseUrl: url }), { messages: longer }, options).result();
  expect(second.stopReason).toBe("stop");
  expect(requests.length).toBe(3);
  expect(JSON.stringify(history)).toBe(before);
});

test("of a request that is too large the images are left out", async () => {
  const { url, requests } = await refusing(pngOfSize(7, 7), "Request exceeds the maximum size", 413);
  const ask = withHistoryRecovery(layer.stream);
  const message = await ask(modelOf(identity, { baseUrl: url }), { messages: history }, { apiKey: "test" }).result();
  expect(message.stopReason).toBe("stop");
  expect(message.diagnostics?.map(({ code }) => code)).toEqual(["history_reduced"]);
  expect(requests.length).toBe(2);
});

test("a limit of tokens per minute is no request that is too large, whatever its status", async () => {
  const { url, requests } = await refusing("Look.", "Request too large on tokens per minute (TPM): Limit 6000", 413);
  const ask = withHistoryRecovery(layer.stream);
  const message = await ask(modelOf(identity, { baseUrl: url }), { messages: history }, { apiKey: "test" }).result();
  expect(message.error?.kind).toBe("rate_limit");
  expect(requests.length).toBe(1);
});

test("a refusal of something else is passed on at once", async () => {
  const { url, requests } = await refusing("Look.", "max_tokens: must be at least 1");
  const message = await withHistoryRecovery(layer.stream)(
    modelOf(identity, { baseUrl: url }),
    { messages: history },
    { apiKey: "test" },
  ).result();
  expect(message).toMatchObject({ stopReason: "error", error: { kind: "invalid_request" } });
  expect(requests.length).toBe(1);
});

test("a refusal that remains is passed on after one more attempt", async () => {
  const { url, requests } = await refusing("Look.", "Invalid `signature` in `thinking` block");
  const message = await withHistoryRecovery(layer.stream)(
    modelOf(identity, { baseUrl: url }),
    { messages: history },
    { apiKey: "test" },
  ).result();
  expect(message.stopReason).toBe("error");
  expect(requests.length).toBe(2);
});

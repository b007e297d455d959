// What OpenAI's two APIs have in common, over a real socket.
import { describe, expect, test } from "vitest";
import { callServed } from "./served.ts";

describe.each([
  { api: "openai-completions", endpoint: "chat/completions" },
  { api: "openai-responses", endpoint: "responses" },
] as const)("$api", ({ api, endpoint }) => {
  test.each([
    { path: "", sentTo: `/v1/${endpoint}` },
    { path: "/", sentTo: `/v1/${endpoint}` },
    { path: "/v1", sentTo: `/v1/${endpoint}` },
    { path: "/api/v3/", sentTo: `/api/v3/${endpoint}` },
    { path: `/v1/${endpoint}`, sentTo: `/v1/${endpoint}` },
    { path: "/v1?version=2", sentTo: `/v1/${endpoint}?version=2` },
  ])('a base URL with the path "$path" leads to $sentTo', async ({ path, sentTo }) => {
    const { request } = await callServed(api, "text", { path });
    expect(request.path).toBe(sentTo);
  });

  test("one request is sent, as a stream, with the key and no organisation", async () => {
    const { request, requests } = await callServed(api, "text");
    expect(requests).toBe(1);
    expect(request.method).toBe("POST");
    expect(request.headers.authorization).toBe("Bearer test-key-1234");
    expect(Object.keys(request.headers).filter((name) => name.startsWith("openai-"))).toEqual([]);
    expect(request.body).toMatchObject({ model: "model-1", stream: true });
  });

  test("a caller's headers replace the SDK's and its body is sent as given", async () => {
    const { request } = await callServed(api, "text", {
      headers: { "User-Agent": "mine", Authorization: null },
      extraBody: { seed: 7 },
    });
    expect(request.headers["user-agent"]).toBe("mine");
    expect(request.headers.authorization).toBeUndefined();
    expect(request.body).toMatchObject({ seed: 7, stream: true });
  });

  test("an answer with text and a call arrives whole", async () => {
    const { message } = await callServed(api, "one-tool-call");
    const shown = message.content.map((block) =>
      block.type === "toolCall" ? [block.id, block.name, block.arguments] : block.type === "text" ? block.text : block,
    );
    expect(shown).toEqual([
      "I will read the file.",
      ["call_Rd8sA", "read", { path: "docs/über.md", offset: 1, limit: 20 }],
    ]);
    expect(message.stopReason).toBe("toolUse");
    expect(message.usage).toMatchObject({ input: 412, output: 58, cacheRead: 0, totalTokens: 470 });
  });

  test("an error in the middle of the stream keeps what came before it", async () => {
    const { message } = await callServed(api, "error-mid-stream");
    expect(message.stopReason).toBe("error");
    expect(message.content).toMatchObject([{ type: "text", text: "This answer is cut" }]);
    expect(message.error?.code).toBe("server_error");
  });
});

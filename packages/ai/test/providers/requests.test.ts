// What arrives at a server, for models of the catalog: address, and one way of signing in.
import { createCatalog, createModelLayer, customModel, type Model, type SimpleStreamOptions } from "@rondo/ai";
import { loadFixture, type RecordedRequest, startReplayServer, type WireApi } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";

const catalog = createCatalog();

async function sent(
  model: (url: string) => Model,
  env: Record<string, string>,
  options: SimpleStreamOptions = {},
): Promise<{ request: RecordedRequest | undefined; error: string | undefined }> {
  const server = await startReplayServer(() => ({ body: loadFixture(model("http://x").api as WireApi, "text") }));
  try {
    const layer = createModelLayer({ env: { ...env, TEST_SERVER: server.url } });
    const context = { messages: [{ role: "user" as const, content: "Hi", timestamp: 0 }] };
    const message = await layer.completeSimple(model(server.url), context, options);
    return { request: server.requests[0], error: message.errorMessage };
  } finally {
    await server.close();
  }
}

const at = (provider: string, id: string, path: string) => (url: string) => ({
  ...catalog.getModel(provider, id),
  baseUrl: url + path,
});

describe("addresses", () => {
  test.each([
    ["perplexity", "sonar", "", "/chat/completions"],
    ["deepseek", "deepseek-v4-pro", "", "/v1/chat/completions"],
    ["openai-chat", "gpt-4.1", "/v1", "/v1/chat/completions"],
    ["zai", "glm-5.3", "/api/paas/v4", "/api/paas/v4/chat/completions"],
    ["azure", "gpt-5", "/openai/v1", "/openai/v1/responses"],
    ["azure", "deepseek-v4-pro", "/openai/v1", "/openai/v1/chat/completions"],
    ["minimax", "MiniMax-M3", "/anthropic", "/anthropic/v1/messages"],
    [
      "google-vertex",
      "gemini-3.5-flash",
      "/v1/publishers/google",
      "/v1/publishers/google/models/gemini-3.5-flash:streamGenerateContent?alt=sse",
    ],
  ])("%s/%s at %s is asked at %s", async (provider, id, path, asked) => {
    const { request, error } = await sent(at(provider, id, path), {}, { apiKey: "test-key" });
    expect([request?.path, error]).toEqual([asked, undefined]);
  });

  test("a placeholder in the base URL is filled for the call and stays in the model", async () => {
    const model = customModel({ id: "m", baseUrl: "{TEST_SERVER:-http://127.0.0.1:9}/v1" });
    const { request, error } = await sent(() => model, {});
    expect([request?.path, error]).toEqual(["/v1/chat/completions", undefined]);
    expect(model.baseUrl).toBe("{TEST_SERVER:-http://127.0.0.1:9}/v1");
  });

  test("a setting that is missing is named before anything is sent", async () => {
    const { request, error } = await sent(() => catalog.getModel("cloudflare-workers-ai", "x"), {}, { apiKey: "k" });
    expect(request).toBeUndefined();
    expect(error).toContain("needs the environment variable CLOUDFLARE_ACCOUNT_ID, which is not set");
  });
});

describe("signing in", () => {
  const signs = (request: RecordedRequest | undefined) => ({
    authorization: request?.headers.authorization,
    "x-api-key": request?.headers["x-api-key"],
    "x-goog-api-key": request?.headers["x-goog-api-key"],
  });

  test.each([
    ["openai-chat", "gpt-4.1", { OPENAI_API_KEY: "k1" }, { authorization: "Bearer k1" }],
    ["minimax", "MiniMax-M3", { MINIMAX_API_KEY: "k1" }, { "x-api-key": "k1" }],
    ["google", "gemini-2.5-flash", { GOOGLE_API_KEY: "k2", GEMINI_API_KEY: "k1" }, { "x-goog-api-key": "k1" }],
    ["llama.cpp", "any", {}, {}],
    ["llama.cpp", "any", { OPENAI_API_KEY: "k1", GH_TOKEN: "k2" }, {}],
    ["llama.cpp", "any", { LLAMA_API_KEY: "k1" }, { authorization: "Bearer k1" }],
  ])("%s/%s with %j", async (provider, id, env, expected) => {
    const { request, error } = await sent(at(provider, id, "/v1"), env);
    expect(error).toBeUndefined();
    expect(signs(request)).toEqual({
      authorization: undefined,
      "x-api-key": undefined,
      "x-goog-api-key": undefined,
      ...expected,
    });
  });

  test("a server of one's own gets no key of a vendor", async () => {
    const model = (url: string) => customModel({ id: "m", baseUrl: `${url}/v1`, provider: "openai" });
    const { request } = await sent(model, { OPENAI_API_KEY: "k1" });
    expect(signs(request).authorization).toBeUndefined();
  });

  test("headers of a model are filled from the environment; a header of the call replaces them whatever its case", async () => {
    const model = (url: string) =>
      customModel({
        id: "m",
        baseUrl: url,
        headers: { Authorization: "Token {TEAM_TOKEN}", "X-Team": "red", "X-Gone": "1" },
      });
    const first = await sent(model, { TEAM_TOKEN: "t1" });
    expect([first.request?.headers.authorization, first.request?.headers["x-team"]]).toEqual(["Token t1", "red"]);
    const second = await sent(
      model,
      { TEAM_TOKEN: "t1" },
      { headers: { authorization: "Bearer own", "x-team": "blue", "x-gone": null } },
    );
    expect([
      second.request?.headers.authorization,
      second.request?.headers["x-team"],
      second.request?.headers["x-gone"],
    ]).toEqual(["Bearer own", "blue", undefined]);
  });
});

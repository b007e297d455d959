import { createCatalog, listModels, type ProviderRow } from "@rondo/ai";
import { type ReplayHandler, startReplayServer } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";

async function listed(
  provider: string,
  handler: ReplayHandler,
  options: { apiKey?: string; path?: string; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const server = await startReplayServer(handler);
  try {
    const { path = "/v1", ...rest } = options;
    const result = await listModels(provider, { baseUrl: server.url + path, env: {}, ...rest });
    const port = new URL(server.url).port;
    return { ...result, error: result.error?.replaceAll(port, "PORT"), request: server.requests[0] };
  } finally {
    await server.close();
  }
}

const json =
  (body: unknown): ReplayHandler =>
  () => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

describe("listModels", () => {
  test("a local server is asked without a key and says its models", async () => {
    const { models, request } = await listed(
      "ollama",
      json({ object: "list", data: [{ id: "qwen3:8b", object: "model" }, { id: "gpt-oss:20b" }] }),
    );
    expect(models?.map((model) => [model.provider, model.id, model.api, model.unlisted])).toEqual([
      ["ollama", "qwen3:8b", "openai-completions", true],
      ["ollama", "gpt-oss:20b", "openai-completions", true],
    ]);
    expect([request?.method, request?.path, request?.headers.authorization]).toEqual(["GET", "/v1/models", undefined]);
  });

  test.each([
    ["vllm", { id: "m", max_model_len: 32_768 }, 32_768],
    ["openrouter", { id: "m", context_length: 200_000 }, 200_000],
    ["lmstudio", { id: "m", loaded_context_length: 8_192 }, 8_192],
    ["llama.cpp", { id: "m", meta: { n_ctx_train: 131_072 } }, undefined],
  ])("%s: the window is what the server was started with", async (provider, model, window) => {
    const { models } = await listed(provider, json({ data: [model] }));
    expect(models?.map((each) => each.contextWindow)).toEqual([window]);
  });

  test.each([
    ["openai", "/v1", "/v1/models", "authorization", "Bearer secret"],
    ["openai", "", "/v1/models", "authorization", "Bearer secret"],
    ["openai", "/v1/chat/completions?x=1", "/v1/models?x=1", "authorization", "Bearer secret"],
    ["anthropic", "", "/v1/models?limit=1000", "x-api-key", "secret"],
    ["minimax", "/anthropic", "/anthropic/v1/models?limit=1000", "x-api-key", "secret"],
    ["google", "/v1beta", "/v1beta/models?pageSize=1000", "x-goog-api-key", "secret"],
  ])("%s at %s is asked at %s", async (provider, path, asked, header, value) => {
    const { request } = await listed(provider, json({ data: [] }), { path, apiKey: "secret" });
    expect([request?.path, request?.headers[header]]).toEqual([asked, value]);
  });

  test("a provider of a user's own is asked with its headers", async () => {
    const overrides = {
      providers: {
        team: { api: "openai-completions" as const, baseUrl: "http://x", headers: { "x-team": "{TEAM}" } },
      },
    };
    const row = createCatalog({ overrides }).getProvider("team") as ProviderRow;
    const server = await startReplayServer(json({ data: [{ id: "m" }] }));
    const { models } = await listModels(row, { baseUrl: server.url, env: { TEAM: "red" } });
    await server.close();
    expect(models?.map(({ provider, id, headers, keyEnv }) => ({ provider, id, headers, keyEnv }))).toEqual([
      { provider: "team", id: "m", headers: { "x-team": "{TEAM}" }, keyEnv: [] },
    ]);
    expect(server.requests[0]?.headers["x-team"]).toBe("red");
  });

  test("names and limits of Gemini are read in its own words", async () => {
    const body = { models: [{ name: "models/gemini-x", displayName: "Gemini X", inputTokenLimit: 1_000 }] };
    const { models } = await listed("google", json(body), { path: "/v1beta" });
    expect(models?.map(({ id, name, contextWindow }) => ({ id, name, contextWindow }))).toEqual([
      { id: "gemini-x", name: "Gemini X", contextWindow: 1_000 },
    ]);
  });

  test.each<[string, ReplayHandler, RegExp]>([
    ["a refusal", () => ({ status: 401, body: "{}" }), /answered with status 401/],
    ["a page", () => ({ headers: { "content-type": "text/html" }, body: "<html>" }), /ollama|Ollama/],
    ["another JSON", json({ hello: 1 }), /no list of models/],
    ["null", json(null), /no list of models/],
    ["odd entries", json({ data: [null, 1, { id: 5 }] }), /^$/],
  ])("%s is an error or an empty list, never a throw", async (_name, handler, expected) => {
    const { models, error } = await listed("ollama", handler);
    expect(error ?? "").toMatch(expected);
    if (error === undefined) expect(models).toEqual([]);
  });

  test("a server that is not there is an error that says so", async () => {
    const server = await startReplayServer(() => ({ body: "" }));
    await server.close();
    const { error } = await listModels("ollama", { baseUrl: server.url, env: {} });
    expect(error).toMatch(/refused the connection/);
  });

  test("a server that never answers is given up on", async () => {
    const never: ReplayHandler = () => new Promise(() => {});
    const { error } = await listed("ollama", never, { timeoutMs: 30 });
    expect(error).toBe("Ollama did not answer in time.");
  });

  test("an abort is an error", async () => {
    const { error } = await listed("ollama", json({ data: [] }), { signal: AbortSignal.abort() });
    expect(error).toBe("Asking Ollama for its models was aborted.");
  });

  test("a provider that is not known is an error", async () => {
    expect(await listModels("nobody")).toEqual({ error: 'There is no provider "nobody".' });
  });
});

// A catalog whose models stand on one page, for tests that must not change when the real one does.
import { type Catalog, createCatalog, type ModelEntry } from "@rondo/ai";

const MODELS: Record<string, (string | ModelEntry)[]> = {
  anthropic: [
    { id: "claude-opus-4-1", name: "Claude Opus 4.1", deprecated: true },
    { id: "claude-sonnet-4-5", name: "Claude Sonnet 4.5" },
    { id: "claude-sonnet-4-5-20250929", name: "Claude Sonnet 4.5" },
    { id: "claude-sonnet-5", name: "Claude Sonnet 5" },
    { id: "claude-opus-5-5", name: "Claude Opus 5.5" },
    { id: "claude-haiku-4-5", name: "Claude Haiku 4.5" },
  ],
  openai: ["gpt-5", "gpt-5-mini", "gpt-6.1-sol", "gpt-6-astra", "o3"],
  google: ["gemini-2.5-pro", "gemini-3.5-flash", "gemini-4-neon"],
  openrouter: [
    "anthropic/claude-sonnet-5",
    "anthropic/claude-opus-5.5",
    "meta/llama:free",
    "meta/llama:free:high",
    "meta/other:low",
    "openai/gpt-oss-120b",
    "qwen/qwen3-coder",
  ],
  groq: ["openai/gpt-oss-120b", "llama-3.3-70b-versatile"],
  cerebras: ["gpt-oss-120b"],
  azure: ["gpt-5"],
  moonshotai: ["kimi-k2.6"],
};

/** The catalog. Providers that are not in it have no models. */
export function smallCatalog(): Catalog {
  return createCatalog({
    data: (provider) => ({
      provider,
      sources: ["a test"],
      models: (MODELS[provider] ?? []).map((model) => (typeof model === "string" ? { id: model } : model)),
    }),
    overrides: {
      providers: {
        local: { api: "openai-completions", baseUrl: "http://127.0.0.1:1/v1", models: [{ id: "unsloth/qwen" }] },
      },
    },
  });
}

// Providers that serve models of others: clouds, gateways and hosts of open models. Quirks come from the vendors' API references and
// from facts of November 2026, unless a comment says otherwise.
import type { ProviderRow } from "../row.ts";
import { CHAT_COMPATIBLE, CHAT_PLAIN, MESSAGES_COMPATIBLE } from "./quirk-sets.ts";

/** Routes a conversation to the machine that has its prompt cached (fireworks.ai, baseten.co and Workers AI documentation, 2026). */
const AFFINITY = { sessionAffinityHeader: "x-session-affinity" } as const;

const CLOUDS: readonly ProviderRow[] = [
  {
    id: "google-vertex",
    name: "Google Vertex AI (express mode)",
    api: "google-generative-ai",
    // Express mode: a key alone, no project and no location (Vertex AI REST reference, 2026).
    baseUrl: "https://aiplatform.googleapis.com/v1/publishers/google",
    env: ["GOOGLE_VERTEX_API_KEY", "GOOGLE_CLOUD_API_KEY"],
  },
  {
    id: "google-vertex-project",
    name: "Google Vertex AI (project)",
    api: "google-generative-ai",
    baseUrl:
      "https://{GOOGLE_CLOUD_LOCATION|GOOGLE_VERTEX_LOCATION}-aiplatform.googleapis.com/v1/projects/{GOOGLE_CLOUD_PROJECT|GOOGLE_VERTEX_PROJECT}/locations/{GOOGLE_CLOUD_LOCATION|GOOGLE_VERTEX_LOCATION}/publishers/google",
    env: ["GOOGLE_VERTEX_API_KEY", "GOOGLE_CLOUD_API_KEY"],
    variantOf: "google-vertex",
  },
  {
    id: "azure",
    name: "Azure OpenAI",
    api: "openai-responses",
    // The v1 API takes the key as OpenAI does, and no api-version (Microsoft Foundry documentation, 2026). Model ids are the names
    // of deployments, which are the models' own unless somebody chose others.
    baseUrl: "https://{AZURE_OPENAI_RESOURCE_NAME|AZURE_RESOURCE_NAME}.openai.azure.com/openai/v1",
    env: ["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"],
    quirks: { supportsStrictTools: true },
  },
  {
    id: "cloudflare-workers-ai",
    name: "Cloudflare Workers AI",
    api: "openai-completions",
    baseUrl: "https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1",
    env: ["CLOUDFLARE_API_KEY", "CLOUDFLARE_API_TOKEN"],
    quirks: { ...CHAT_PLAIN, ...AFFINITY },
  },
];

const GATEWAYS: readonly ProviderRow[] = [
  {
    id: "openrouter",
    name: "OpenRouter",
    api: "openai-completions",
    baseUrl: "https://openrouter.ai/api/v1",
    env: ["OPENROUTER_API_KEY"],
    // `reasoning` in, `reasoning_details` out and back in; the session keeps a conversation at one host (openrouter.ai/docs, 2026).
    quirks: {
      ...CHAT_COMPATIBLE,
      thinkingFormat: "openrouter",
      reasoningReplayField: "reasoning_details",
      sessionAffinityHeader: "x-session-id",
    },
  },
  {
    id: "vercel-ai-gateway",
    name: "Vercel AI Gateway",
    api: "anthropic-messages",
    baseUrl: "https://ai-gateway.vercel.sh",
    env: ["AI_GATEWAY_API_KEY"],
    quirks: MESSAGES_COMPATIBLE,
  },
  {
    id: "github-models",
    name: "GitHub Models",
    api: "openai-completions",
    baseUrl: "https://models.github.ai/inference",
    // Not GITHUB_TOKEN or GH_TOKEN, which open repositories and lie around in every CI job.
    env: ["GITHUB_MODELS_TOKEN"],
    quirks: { ...CHAT_PLAIN, maxTokensField: "max_completion_tokens" },
  },
  {
    id: "huggingface",
    name: "Hugging Face",
    api: "openai-completions",
    baseUrl: "https://router.huggingface.co/v1",
    env: ["HF_TOKEN"],
    quirks: CHAT_PLAIN,
  },
];

const OPEN_MODEL_HOSTS: readonly ProviderRow[] = [
  {
    id: "groq",
    name: "Groq",
    api: "openai-completions",
    baseUrl: "https://api.groq.com/openai/v1",
    env: ["GROQ_API_KEY"],
    // An answer by schema cannot be streamed or combined with tools there (console.groq.com/docs, 2025).
    quirks: { ...CHAT_PLAIN, maxTokensField: "max_completion_tokens" },
  },
  {
    id: "cerebras",
    name: "Cerebras",
    api: "openai-completions",
    baseUrl: "https://api.cerebras.ai/v1",
    env: ["CEREBRAS_API_KEY"],
    quirks: { ...CHAT_COMPATIBLE, maxTokensField: "max_completion_tokens" },
  },
  {
    id: "together",
    name: "Together AI",
    api: "openai-completions",
    baseUrl: "https://api.together.ai/v1",
    env: ["TOGETHER_API_KEY"],
    quirks: CHAT_COMPATIBLE,
  },
  {
    id: "fireworks",
    name: "Fireworks AI",
    api: "openai-completions",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    env: ["FIREWORKS_API_KEY"],
    quirks: { ...CHAT_COMPATIBLE, ...AFFINITY },
  },
  {
    id: "nvidia",
    name: "NVIDIA",
    api: "openai-completions",
    baseUrl: "https://integrate.api.nvidia.com/v1",
    env: ["NVIDIA_API_KEY"],
    quirks: { ...CHAT_PLAIN, thinkingFormat: "none" },
  },
  {
    id: "baseten",
    name: "Baseten",
    api: "openai-completions",
    baseUrl: "https://inference.baseten.co/v1",
    env: ["BASETEN_API_KEY"],
    quirks: { ...CHAT_PLAIN, ...AFFINITY },
  },
  {
    id: "deepinfra",
    name: "DeepInfra",
    api: "openai-completions",
    baseUrl: "https://api.deepinfra.com/v1/openai",
    env: ["DEEPINFRA_API_KEY"],
    quirks: CHAT_PLAIN,
  },
  {
    id: "ollama-cloud",
    name: "Ollama Cloud",
    api: "openai-completions",
    baseUrl: "https://ollama.com/v1",
    env: ["OLLAMA_API_KEY"],
    quirks: CHAT_COMPATIBLE,
  },
];

export const HOSTS: readonly ProviderRow[] = [...CLOUDS, ...GATEWAYS, ...OPEN_MODEL_HOSTS];

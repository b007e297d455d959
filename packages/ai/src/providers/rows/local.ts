// Servers on one's own machine. They need no key and say themselves which models they have. The numeric loopback address is used
// because `localhost` can mean ::1, on which most of them do not listen.
import type { ProviderRow } from "../row.ts";
import { LOCAL } from "./quirk-sets.ts";

export const LOCAL_SERVERS: readonly ProviderRow[] = [
  {
    id: "ollama",
    name: "Ollama",
    api: "openai-completions",
    baseUrl: "{OLLAMA_BASE_URL:-http://127.0.0.1:11434/v1}",
    // OLLAMA_API_KEY is for its cloud (the row ollama-cloud), so it is not sent here.
    env: [],
    quirks: LOCAL,
    liveModels: true,
  },
  {
    id: "llama.cpp",
    name: "llama.cpp",
    api: "openai-completions",
    baseUrl: "{LLAMA_CPP_BASE_URL:-http://127.0.0.1:8080/v1}",
    // What llama-server itself reads for --api-key.
    env: ["LLAMA_API_KEY"],
    quirks: { ...LOCAL, thinkingFormat: "chat-template" },
    liveModels: true,
  },
  {
    id: "lmstudio",
    name: "LM Studio",
    api: "openai-completions",
    baseUrl: "{LMSTUDIO_BASE_URL:-http://127.0.0.1:1234/v1}",
    env: ["LMSTUDIO_API_KEY"],
    // tool_choice knows words only (lmstudio.ai/docs, 2025), and thinking is switched in the application.
    quirks: { ...LOCAL, thinkingFormat: "none" },
    liveModels: true,
  },
  {
    id: "vllm",
    name: "vLLM",
    api: "openai-completions",
    baseUrl: "{VLLM_BASE_URL:-http://127.0.0.1:8000/v1}",
    env: ["VLLM_API_KEY"],
    quirks: { ...LOCAL, thinkingFormat: "chat-template" },
    liveModels: true,
  },
];

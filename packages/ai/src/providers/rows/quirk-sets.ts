// Quirks that many servers share, so that a row says only what is its own.
import type { KnownApi, Quirks } from "../../types.ts";

/**
 * Servers that speak Chat Completions and are not OpenAI's: what all of them take. `max_completion_tokens`, the role `developer`,
 * strict tools and `prompt_cache_key` are OpenAI's own (API reference, 2025), and servers that check their input refuse them.
 * Most serve open models, some of which write their thinking into the text (DeepSeek R1, MiniMax M2, Qwen 3; recordings of 2025).
 */
export const CHAT_COMPATIBLE: Quirks = {
  maxTokensField: "max_tokens",
  systemRole: "system",
  supportsStrictTools: false,
  supportsLongCacheRetention: false,
  inlineThinkTags: true,
};

/** The same for servers that know no answer by JSON schema, or only for some of their models. */
export const CHAT_PLAIN: Quirks = { ...CHAT_COMPATIBLE, supportsResponseSchema: false };

/**
 * Servers that speak Anthropic's Messages API and are not Anthropic's: they know `x-api-key` and the version of 2023, since that is
 * what every client sent until October 2026 (@anthropic-ai/sdk 1.0 changed both).
 */
export const MESSAGES_COMPATIBLE: Quirks = {
  anthropicLegacyAuth: true,
  // What Anthropic refuses others demand: MiniMax wants its thinking back, whatever was asked for (its documentation, 2026).
  takesThinkingWhenOff: true,
  supportsLongCacheRetention: false,
  supportsResponseSchema: false,
};

/** Servers on one's own machine. */
export const LOCAL: Quirks = { ...CHAT_COMPATIBLE, keyless: true };

/** A server of which nothing is known but its API: the answers that no server refuses. */
export const UNKNOWN_SERVER: Record<KnownApi, Quirks> = {
  "openai-completions": CHAT_PLAIN,
  "openai-responses": { supportsStrictTools: false, supportsLongCacheRetention: false },
  "anthropic-messages": MESSAGES_COMPATIBLE,
  "google-generative-ai": {},
};

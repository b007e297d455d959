// Prompt caching: how long a server may be asked to keep a prompt, OpenAI's parameters for it, and cache affinity by header.
import type { RequestInput } from "../protocol.ts";
import { cutText } from "./cut-text.ts";
import type { Diagnostics } from "./diagnostics.ts";

/** Longest `prompt_cache_key` that OpenAI takes (API reference, 2025). */
const CACHE_KEY_LENGTH_MAX = 64;

/** How long a server is asked to keep the prompt; a server that knows no long retention gives a diagnostic. */
export function grantedRetention(
  { model, options }: RequestInput,
  diagnostics: Diagnostics,
): "none" | "short" | "long" {
  const retention = options.cacheRetention ?? "short";
  if (retention !== "long" || model.quirks?.supportsLongCacheRetention !== false) return retention;
  diagnostics.changed("cacheRetention", "this server keeps caches for minutes only");
  return "short";
}

/** OpenAI's parameters that keep a conversation with its cache. Servers that keep caches for minutes only do not know them. */
export function cacheParameters({ model, options }: RequestInput, retention: "none" | "short" | "long"): object {
  if (retention === "none" || model.quirks?.supportsLongCacheRetention === false) return {};
  return {
    ...(options.sessionId && { prompt_cache_key: cutText(options.sessionId, CACHE_KEY_LENGTH_MAX) }),
    ...(retention === "long" && { prompt_cache_retention: "24h" }),
  };
}

/** The header that carries the session id, for servers that have one. */
export function affinityHeaders({ model, options }: RequestInput): Record<string, string> {
  const name = model.quirks?.sessionAffinityHeader;
  return name && options.sessionId && options.cacheRetention !== "none" ? { [name]: options.sessionId } : {};
}

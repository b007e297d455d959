// The shape of a Chat Completions chunk, as far as we read it: OpenAI's own fields and those that compatible servers add. Everything
// may be absent or null, since each field is left out by some server.

/** A streamed chunk, or a whole completion that a server sends as one event. */
export interface ChatChunk {
  id?: string | null;
  model?: string | null;
  choices?: ChatChoice[] | null;
  usage?: ChatUsage | null;
  /** Groq puts the usage here. */
  x_groq?: { usage?: ChatUsage | null } | null;
}

export interface ChatChoice {
  index?: number | null;
  delta?: ChatDelta | null;
  /** All that was said so far (Perplexity), a copy of the delta (Writer), or the whole answer in one piece. */
  message?: ChatDelta | null;
  finish_reason?: string | null;
  /** Moonshot puts the usage here. */
  usage?: ChatUsage | null;
  /** OpenRouter puts an error of the upstream here. */
  error?: unknown;
}

export interface ChatDelta {
  content?: string | (ContentPart | string)[] | null;
  refusal?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  reasoning_text?: string | null;
  reasoning_details?: ReasoningDetail[] | null;
  /** Pictures of models that draw (OpenRouter). */
  images?: unknown[] | null;
  /** A spoken answer. */
  audio?: unknown;
  tool_calls?: ToolCallDelta[] | ToolCallDelta | null;
  /** What tool calls were before November 2023: one call, without an id. */
  function_call?: FunctionDelta | null;
}

/** A part of structured content: `text`, `thinking` and `reference` (Mistral), `reasoning` (Databricks) and others. */
export interface ContentPart {
  type?: string;
  text?: string | null;
  refusal?: string | null;
  thinking?: string | ContentPart[] | null;
  summary?: ContentPart[] | null;
}

/** One piece of reasoning as OpenRouter and Vercel's gateway pass it on; unknown fields are kept. */
export interface ReasoningDetail {
  type?: string;
  index?: number;
  id?: string | null;
  text?: string | null;
  summary?: string | null;
  data?: string | null;
  [field: string]: unknown;
}

export interface FunctionDelta {
  name?: string | null;
  arguments?: unknown;
}

export interface ToolCallDelta {
  index?: number | null;
  id?: string | null;
  function?: FunctionDelta | null;
  /** Servers that leave `function` out have its fields here. */
  name?: string | null;
  arguments?: unknown;
  /** Opaque data that the server wants back with the call (Gemini's thought signatures). */
  extra_content?: unknown;
}

export interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
  /** DeepSeek. */
  prompt_cache_hit_tokens?: number | null;
  /** Moonshot, Together. */
  cached_tokens?: number | null;
  /** GitHub Copilot, Z.ai. */
  reasoning_tokens?: number | null;
  /** OpenRouter and Vercel's gateway: US dollars. Elsewhere an object or another unit. */
  cost?: unknown;
  is_byok?: boolean | null;
  cost_details?: { upstream_inference_cost?: number | null } | null;
}

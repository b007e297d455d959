// What servers of one wire API do differently from the API's own vendor, as data.

/**
 * The parameters in which a Chat Completions server takes a thinking level; each name stands for the server that has them.
 * `reasoning_effort`: that field. `openrouter`: `reasoning: {effort}`. `zai`: `thinking: {type}`. `deepseek`: the same, and
 * `reasoning_effort` where the level has a word. `qwen`: `enable_thinking` and `thinking_budget`. `chat-template`:
 * `chat_template_kwargs` (vLLM, SGLang, llama.cpp). `baseten`: `chat_template_args`, and `reasoning_effort` where the level has a word.
 * `together`: `reasoning: {enabled}`, and `reasoning_effort` where the level has a word. `none`: it cannot be asked.
 */
export type ThinkingFormat =
  | "reasoning_effort"
  | "openrouter"
  | "zai"
  | "deepseek"
  | "qwen"
  | "chat-template"
  | "baseten"
  | "together"
  | "none";

/**
 * Capabilities in which servers of one API differ. Each is a fact that shared code asks for, so that no code names a vendor.
 * Every default is what the API's own vendor does.
 */
export interface Quirks {
  /** Chat Completions: the field for the output limit. Default `max_completion_tokens`. */
  maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Role of the system prompt for reasoning models. Default `system`. */
  systemRole?: "system" | "developer";
  /** Chat Completions: how a thinking level is asked for. Default `reasoning_effort`. */
  thinkingFormat?: ThinkingFormat;
  /** Chat Completions: send `stream_options: {include_usage: true}`. Default true. */
  supportsUsageInStream?: boolean;
  /** Chat Completions: send `store: false`. Default false. */
  supportsStore?: boolean;
  /** Strict JSON Schema tools are accepted. Default true for OpenAI's own APIs. */
  supportsStrictTools?: boolean;
  /** The server takes `parallel_tool_calls`. Default true. */
  supportsParallelToolCalls?: boolean;
  /** The server takes `tool_choice`. Default true. */
  supportsToolChoice?: boolean;
  /** The model can be made to call a tool: `tool_choice` may be `required` or name one. Default true; false for Claude 5.5. */
  supportsForcedToolChoice?: boolean;
  /** The model takes `temperature`. Default true. */
  supportsTemperature?: boolean;
  /** The server takes stop sequences. Default true. */
  supportsStopSequences?: boolean;
  /** Tool-call ids must match `[a-zA-Z0-9]{9}` (Mistral). Default false. */
  shortToolCallIds?: boolean;
  /** Tool results need the tool's `name`. Default false. */
  toolResultName?: boolean;
  /** A tool result may not be followed directly by a user message; an assistant message goes between. Default false. */
  assistantAfterToolResult?: boolean;
  /** Field of assistant messages in which this server wants its own reasoning back. Default: none. */
  reasoningReplayField?: "reasoning_content" | "reasoning" | "reasoning_details";
  /** Anthropic: `cache_control` marks are accepted. Default true. Chat Completions: default false. */
  supportsCacheControl?: boolean;
  /** Long cache retention is accepted. Default true on the vendors' own servers, false elsewhere. */
  supportsLongCacheRetention?: boolean;
  /** Anthropic: thinking is asked for as `adaptive` with an effort instead of a token budget. Default false. */
  adaptiveThinking?: boolean;
  /** Anthropic: thinking of the history may be sent while thinking is off. Default false: Anthropic itself refuses it. */
  takesThinkingWhenOff?: boolean;
  /** Anthropic: send the wire as of 2023-06-01 with `x-api-key`, for compatible servers. Default false. */
  anthropicLegacyAuth?: boolean;
  /** Gemini 3: what stands in for the signature of a call that another model made. Default: none is sent. */
  thoughtSignatureStandIn?: string;
  /** Header that carries the session id for cache affinity. Default: none. */
  sessionAffinityHeader?: string;
  /** The server closes a good stream without saying why it stopped; a clean end with content then counts as `stop`. */
  endsWithoutStopReason?: boolean;
  /** Chat Completions: models write their thinking inline, between `<think>` and `</think>`. Default false: text stays as it is. */
  inlineThinkTags?: boolean;
  /** The base URL is whole although its path is empty: no version is added. Default false. */
  unversionedBaseUrl?: boolean;
  /** The server speaks without a key (local servers). Default false. */
  keyless?: boolean;
  /** Structured output by JSON schema is native. Default true on the vendors' own servers. */
  supportsResponseSchema?: boolean;
  /** It is so beside tools too. Default true; false for Gemini 2. */
  responseSchemaWithTools?: boolean;
  /** The model takes tools. Default true. */
  supportsTools?: boolean;
}

// What providers say when a call fails, and what a person would call it. One row per wording; the text is the provider's, the numbers
// and names in it are not.
import type { ErrorKind } from "@rondo/ai";

export interface FailureRow {
  who: string;
  kind: ErrorKind;
  /** Absent for an error inside a stream. */
  status?: number;
  /** A text, or a JSON body. */
  body: string | object;
}

const openai = (message: string, code: string | null = null, type = "invalid_request_error") => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } });
const google = (code: number, status: string, message: string, details: object[] = []) => ({
  error: { code, message, status, details },
});

export const FAILURES: FailureRow[] = [
  // context overflow
  {
    who: "Anthropic",
    kind: "context_overflow",
    status: 400,
    body: anthropic("invalid_request_error", "prompt is too long: 201000 tokens > 200000 maximum"),
  },
  {
    who: "Anthropic",
    kind: "context_overflow",
    status: 400,
    body: anthropic(
      "invalid_request_error",
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
    ),
  },
  {
    who: "Anthropic",
    kind: "context_overflow",
    status: 413,
    body: anthropic("request_too_large", "Request exceeds the maximum size"),
  },
  {
    who: "nginx before a server of one's own",
    kind: "context_overflow",
    status: 413,
    body: "<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>",
  },
  {
    who: "OpenAI",
    kind: "context_overflow",
    status: 400,
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.",
      "context_length_exceeded",
    ),
  },
  {
    who: "OpenAI, in a stream",
    kind: "context_overflow",
    body: {
      type: "error",
      code: "context_length_exceeded",
      message: "Your input exceeds the context window of this model.",
      param: "input",
    },
  },
  {
    who: "Google",
    kind: "context_overflow",
    status: 400,
    body: google(
      400,
      "INVALID_ARGUMENT",
      "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).",
    ),
  },
  {
    who: "Groq",
    kind: "context_overflow",
    status: 400,
    body: openai("Please reduce the length of the messages or completion.", "context_length_exceeded"),
  },
  {
    who: "xAI",
    kind: "context_overflow",
    status: 400,
    body: {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    },
  },
  {
    who: "Mistral",
    kind: "context_overflow",
    status: 400,
    body: {
      object: "error",
      message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
      type: "invalid_request_error",
    },
  },
  {
    who: "DeepSeek",
    kind: "context_overflow",
    status: 400,
    body: openai(
      "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (62000 in the messages, 8000 in the completion).",
    ),
  },
  {
    who: "OpenRouter",
    kind: "context_overflow",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens.",
      },
    },
  },
  {
    who: "OpenRouter, wrapped",
    kind: "context_overflow",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "Provider returned error",
        metadata: { raw: '{"error":{"message":"prompt is too long: 250000 tokens > 200000 maximum"}}' },
      },
    },
  },
  {
    who: "llama.cpp",
    kind: "context_overflow",
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          "the request exceeds the available context size. try increasing the context size or enable context shift",
        type: "exceed_context_size_error",
      },
    },
  },
  {
    who: "llama.cpp, older",
    kind: "context_overflow",
    status: 500,
    body: { error: { code: 500, message: "context size exceeded: the prompt is too long", type: "server_error" } },
  },
  {
    who: "LM Studio",
    kind: "context_overflow",
    status: 400,
    body: { error: "The number of tokens to keep from the initial prompt is greater than the context length." },
  },
  {
    who: "vLLM",
    kind: "context_overflow",
    status: 400,
    body: {
      object: "error",
      message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
      type: "BadRequestError",
      code: 400,
    },
  },
  {
    who: "LiteLLM",
    kind: "context_overflow",
    status: 400,
    body: openai("litellm.ContextWindowExceededError: prompt is too long for this model", null),
  },
  {
    who: "Together",
    kind: "context_overflow",
    status: 422,
    body: openai(
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: the input tokens exceed the limit",
    ),
  },
  {
    who: "Bedrock",
    kind: "context_overflow",
    status: 400,
    body: { message: "Input is too long: number of input tokens exceeds maximum length." },
  },
  {
    who: "Perplexity",
    kind: "context_overflow",
    status: 400,
    body: openai("The total length of all messages is too long.", "too_many_prompt_tokens"),
  },
  { who: "Z.ai", kind: "context_overflow", status: 400, body: openai("Prompt exceeds max length", "1261") },
  {
    who: "Azure",
    kind: "context_overflow",
    status: 400,
    body: openai("This model's maximum context length is 16385 tokens.", "context_length_exceeded"),
  },
  // rate limits, some of which speak of tokens and lengths
  {
    who: "Anthropic",
    kind: "rate_limit",
    status: 429,
    body: anthropic(
      "rate_limit_error",
      "This request would exceed your organization's rate limit of 30,000 input tokens per minute.",
    ),
  },
  {
    who: "OpenAI",
    kind: "rate_limit",
    status: 429,
    body: openai(
      "Rate limit reached for gpt in organization org on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000.",
      "rate_limit_exceeded",
      "tokens",
    ),
  },
  {
    who: "OpenAI, one request larger than the limit",
    kind: "rate_limit",
    status: 429,
    body: openai(
      "Request too large for gpt: Limit 30000, Requested 41000. The input or output tokens must be reduced.",
      "rate_limit_exceeded",
      "tokens",
    ),
  },
  {
    who: "OpenAI, in a stream",
    kind: "rate_limit",
    body: { type: "error", code: "rate_limit_exceeded", message: "Rate limit reached on tokens per min (TPM)." },
  },
  {
    who: "Google, free tier",
    kind: "rate_limit",
    status: 429,
    body: google(
      429,
      "RESOURCE_EXHAUSTED",
      "You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_requests, limit: 20. Please retry in 17.5s.",
    ),
  },
  {
    who: "Vertex",
    kind: "rate_limit",
    status: 429,
    body: google(429, "RESOURCE_EXHAUSTED", "Resource exhausted. Please try again later."),
  },
  {
    who: "Groq, 413 for a token limit",
    kind: "rate_limit",
    status: 413,
    body: openai(
      "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 9000",
      "rate_limit_exceeded",
      "tokens",
    ),
  },
  {
    who: "Bedrock",
    kind: "rate_limit",
    status: 400,
    body: {
      __type: "ThrottlingException",
      message: "Too many tokens, please wait before trying again.",
      code: "ThrottlingException",
    },
  },
  {
    who: "Azure, peak load",
    kind: "rate_limit",
    status: 400,
    body: openai("The request exceeds the maximum usage size allowed during peak load.", null),
  },
  {
    who: "OpenRouter, upstream",
    kind: "rate_limit",
    status: 429,
    body: {
      error: {
        code: 429,
        message: "Provider returned error",
        metadata: { raw: "the model is temporarily rate-limited upstream" },
      },
    },
  },
  { who: "a proxy", kind: "rate_limit", status: 429, body: "Too Many Requests" },
  {
    who: "NVIDIA, gRPC words with 400",
    kind: "rate_limit",
    status: 400,
    body: { detail: "ResourceExhausted: worker queue is full" },
  },
  // money
  {
    who: "OpenAI",
    kind: "billing",
    status: 429,
    body: openai(
      "You exceeded your current quota, please check your plan and billing details.",
      "insufficient_quota",
      "insufficient_quota",
    ),
  },
  {
    who: "OpenAI",
    kind: "billing",
    status: 429,
    body: openai("Billing hard limit has been reached", "billing_hard_limit_reached"),
  },
  {
    who: "Anthropic",
    kind: "billing",
    status: 400,
    body: anthropic(
      "invalid_request_error",
      "Your credit balance is too low to access the API. Please go to Plans & Billing to upgrade or purchase credits.",
    ),
  },
  {
    who: "Anthropic",
    kind: "billing",
    status: 402,
    body: anthropic("billing_error", "There is a problem with your payment."),
  },
  { who: "DeepSeek", kind: "billing", status: 402, body: openai("Insufficient Balance", null, "unknown_error") },
  {
    who: "OpenRouter",
    kind: "billing",
    status: 402,
    body: { error: { code: 402, message: "This request requires more credits, or fewer max_tokens." } },
  },
  {
    who: "Moonshot",
    kind: "billing",
    status: 429,
    body: openai(
      "Your account is suspended, please check your plan and billing details",
      null,
      "exceeded_current_quota_error",
    ),
  },
  {
    who: "a spend limit",
    kind: "billing",
    status: 429,
    body: openai("You have reached your specified API usage spend limit.", null, "requests"),
  },
  {
    who: "xAI",
    kind: "billing",
    status: 403,
    body: { code: "permission", error: "Your team has no credits left. Please purchase more credits." },
  },
  // keys and access
  { who: "OpenAI", kind: "auth", status: 401, body: openai("Incorrect API key provided.", "invalid_api_key") },
  {
    who: "Google, with 400",
    kind: "auth",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
  },
  {
    who: "Google, expired",
    kind: "auth",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key."),
  },
  { who: "xAI, with 400", kind: "auth", status: 400, body: { code: "invalid", error: "Incorrect API key provided." } },
  { who: "a bare 401", kind: "auth", status: 401, body: "" },
  {
    who: "Google",
    kind: "permission",
    status: 403,
    body: google(403, "PERMISSION_DENIED", "The API has not been used in this project or it is disabled."),
  },
  {
    who: "OpenAI",
    kind: "permission",
    status: 403,
    body: openai("Country, region, or territory not supported", "unsupported_country_region_territory"),
  },
  {
    who: "Anthropic",
    kind: "permission",
    status: 403,
    body: anthropic("permission_error", "Your API key does not have permission to use the specified resource."),
  },
  // models and addresses
  { who: "Anthropic", kind: "not_found", status: 404, body: anthropic("not_found_error", "model: claude-nonexistent") },
  {
    who: "OpenAI",
    kind: "not_found",
    status: 400,
    body: openai("The requested model 'gpt-x' does not exist.", "model_not_found"),
  },
  { who: "Ollama", kind: "not_found", status: 404, body: { error: "model 'qwen' not found, try pulling it first" } },
  {
    who: "OpenRouter, with 400",
    kind: "not_found",
    status: 400,
    body: { error: { code: 400, message: "nobody/nothing is not a valid model ID" } },
  },
  { who: "a wrong path", kind: "not_found", status: 404, body: "<html><h1>404 Not Found</h1></html>" },
  // servers in trouble
  { who: "Anthropic", kind: "overloaded", status: 529, body: anthropic("overloaded_error", "Overloaded") },
  { who: "Anthropic, in a stream", kind: "overloaded", body: anthropic("overloaded_error", "Overloaded") },
  { who: "Anthropic, in a stream", kind: "overloaded", body: anthropic("api_error", "Internal server error") },
  {
    who: "OpenAI",
    kind: "overloaded",
    status: 503,
    body: openai("That model is currently overloaded with other requests.", null, "server_error"),
  },
  {
    who: "OpenAI, in a stream",
    kind: "overloaded",
    body: {
      error: { message: "The server had an error while processing your request.", type: "server_error", code: null },
    },
  },
  {
    who: "Google",
    kind: "overloaded",
    status: 503,
    body: google(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
  },
  { who: "Google", kind: "overloaded", status: 500, body: google(500, "INTERNAL", "An internal error has occurred.") },
  { who: "Cloudflare", kind: "overloaded", status: 520, body: "error code: 520" },
  { who: "a proxy", kind: "overloaded", status: 502, body: "<html><head><title>502 Bad Gateway</title></head></html>" },
  {
    who: "Envoy, with 200",
    kind: "overloaded",
    body: "upstream connect error or disconnect/reset before headers. reset reason: overflow",
  },
  { who: "a bare 500", kind: "overloaded", status: 500, body: "" },
  { who: "Cloudflare", kind: "timeout", status: 524, body: "error code: 524" },
  { who: "a proxy", kind: "timeout", status: 408, body: "Request Timeout" },
  {
    who: "Google",
    kind: "timeout",
    status: 504,
    body: google(504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."),
  },
  // content
  {
    who: "Azure",
    kind: "content_filter",
    status: 400,
    body: openai(
      "The response was filtered due to the prompt triggering the content management policy.",
      "content_filter",
    ),
  },
  {
    who: "OpenAI",
    kind: "content_filter",
    status: 400,
    body: openai("Your request was rejected as a result of our safety system.", "content_policy_violation"),
  },
  {
    who: "Alibaba",
    kind: "content_filter",
    status: 400,
    body: openai("Input data may contain inappropriate content.", "data_inspection_failed"),
  },
  // requests that are wrong
  {
    who: "Anthropic",
    kind: "invalid_request",
    status: 400,
    body: anthropic("invalid_request_error", "messages.1.content.0: tool_use ids must be unique"),
  },
  {
    who: "OpenAI",
    kind: "invalid_request",
    status: 400,
    body: openai("Unsupported value: 'temperature' does not support 0.2 with this model.", "unsupported_value"),
  },
  {
    who: "FastAPI",
    kind: "invalid_request",
    status: 422,
    body: { detail: [{ loc: ["body", "messages"], msg: "field required", type: "value_error.missing" }] },
  },
  {
    who: "Google",
    kind: "invalid_request",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
  },
  {
    who: "llama.cpp, with 500",
    kind: "invalid_request",
    status: 500,
    body: { error: { code: 500, message: "image input is not supported", type: "server_error" } },
  },
  {
    who: "OpenAI, output limit",
    kind: "output_limit",
    status: 400,
    body: openai(
      "max_tokens is too large: 200000. This model supports at most 128000 completion tokens.",
      "invalid_value",
    ),
  },
];

/** Failures that never reached a provider's error body: what is thrown or broken off, by its words alone. */
export const THROWN: [words: string, kind: ErrorKind][] = [
  ["upstream timed out", "timeout"],
  ["context deadline exceeded", "timeout"],
  ["terminated", "network"],
  ["other side closed", "network"],
  ["fetch failed", "network"],
  ["read ECONNRESET", "network"],
  ["connect ECONNREFUSED 127.0.0.1:11434", "network"],
  ["getaddrinfo ENOTFOUND api.example.com", "network"],
  ["The socket connection was closed unexpectedly. For more information, pass `verbose: true`", "network"],
];

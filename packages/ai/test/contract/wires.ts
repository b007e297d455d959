// The four wire protocols as the contract needs them: recorded answers, and each API's own words for what goes wrong.
import { createModelLayer } from "@rondo/ai";
import type { ProviderContract } from "@rondo/ai/testing";
import { loadFixture, type WireApi } from "@rondo/test-fixtures";

const NAMES = ["text", "thinking", "one-tool-call", "several-tool-calls", "empty-arguments"];

const fixturesOf = (api: WireApi): Record<string, Uint8Array> =>
  Object.fromEntries(NAMES.map((name) => [name, loadFixture(api, name)]));

const json = (value: unknown): string => JSON.stringify(value);
const frame = (value: unknown, event?: string): string => `${event ? `event: ${event}\n` : ""}data: ${json(value)}\n\n`;

/** A field of a field of a frame, for frames of which nothing is known. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | null | undefined)?.[key],
    value,
  );
}
const text = (value: unknown): string => (typeof value === "string" ? value : "");

// No environment: what the machine's own holds must not reach a test.
const { streamSimple } = createModelLayer({ env: {} });

const modelOf = (api: WireApi): ProviderContract["model"] => ({
  id: "contract-model",
  name: "Contract model",
  api,
  provider: "contract",
  baseUrl: "",
  reasoning: true,
  input: ["text"],
  cost: { input: 1, output: 2 },
});

const common = (api: WireApi) => ({
  name: api,
  streamFn: streamSimple,
  model: modelOf(api),
  fixtures: fixturesOf(api),
});

const openaiErrors = {
  auth: json({
    error: { message: "Incorrect API key provided: {key}.", type: "invalid_request_error", code: "invalid_api_key" },
  }),
  rateLimit: json({
    error: { message: "Rate limit reached for requests.", type: "requests", code: "rate_limit_exceeded" },
  }),
  overflow: json({
    error: {
      message:
        "This model's maximum context length is 400000 tokens. However, your messages resulted in 412044 tokens.",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
  }),
};

/** The contract of each API, without the parts that a test adds. */
export const WIRES: Record<WireApi, ProviderContract> = {
  "anthropic-messages": {
    ...common("anthropic-messages"),
    stopFrame: /"type":"message_delta"/,
    endFrame: /"type":"message_stop"/,
    ping: [
      frame({ type: "ping" }, "ping"),
      frame({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "" } }, "content_block_delta"),
      frame({ type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: 1 } }, "message_delta"),
    ].join(""),
    errorFrame: {
      text: frame({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "error"),
      kind: "overloaded",
    },
    errors: {
      auth: json({ type: "error", error: { type: "authentication_error", message: "invalid x-api-key: {key}" } }),
      rateLimit: json({
        type: "error",
        error: { type: "rate_limit_error", message: "This would exceed your rate limit." },
      }),
      overflow: json({
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long: 215301 tokens > 200000 maximum" },
      }),
    },
    visibleText: (payload) =>
      text(at(payload, "content_block", "text")) +
      text(at(payload, "delta", "text")) +
      text(at(payload, "delta", "thinking")),
  },
  "openai-completions": {
    ...common("openai-completions"),
    basePath: "/v1",
    stopFrame: /"finish_reason":"/,
    endFrame: /\[DONE\]/,
    ping: [
      frame({ id: "", object: "chat.completion.chunk", choices: [] }),
      frame({ choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] }),
      frame({ choices: [{ index: 0, delta: { content: null, tool_calls: [], reasoning_content: "" } }] }),
      frame({ choices: [{ index: 0, delta: {}, finish_reason: null }], usage: { prompt_tokens: 1 } }),
    ].join(""),
    errorFrame: {
      text: frame({
        error: { message: "The server had an error. Sorry about that!", type: "server_error", code: null },
      }),
      kind: "overloaded",
    },
    errors: openaiErrors,
    visibleText: (payload) =>
      text(at(payload, "choices", 0, "delta", "content")) +
      text(at(payload, "choices", 0, "delta", "reasoning_content")),
  },
  "openai-responses": {
    ...common("openai-responses"),
    basePath: "/v1",
    stopFrame: /"type":"response.completed"/,
    endFrame: /"type":"response.completed"/,
    ping: [
      frame({ type: "keepalive", sequence_number: 9 }, "keepalive"),
      frame(
        { type: "response.in_progress", response: { id: "resp_1", status: "in_progress" } },
        "response.in_progress",
      ),
      frame({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "" }),
    ].join(""),
    errorFrame: {
      text: frame({ type: "error", code: "server_error", message: "The server had an error.", param: null }, "error"),
      kind: "overloaded",
    },
    errors: openaiErrors,
    visibleText: (payload) => (/_text\.delta$/.test(text(at(payload, "type"))) ? text(at(payload, "delta")) : ""),
  },
  "google-generative-ai": {
    ...common("google-generative-ai"),
    basePath: "/v1beta",
    ping: [
      frame({}),
      frame({ candidates: [], usageMetadata: { promptTokenCount: 5 } }),
      frame({ candidates: [{ content: { role: "model", parts: [{ text: "" }] }, index: 0 }] }),
      frame({ candidates: [{ content: { role: "model" }, index: 0 }], modelVersion: "gemini-3.5-pro" }),
    ].join(""),
    stopFrame: /"finishReason":"STOP"/,
    errorFrame: {
      text: frame({
        error: { code: 503, message: "The model is overloaded. Please try again later.", status: "UNAVAILABLE" },
      }),
      kind: "overloaded",
    },
    errors: {
      auth: json({ error: { code: 401, message: "API key not valid: {key}", status: "UNAUTHENTICATED" } }),
      rateLimit: json({ error: { code: 429, message: "Resource has been exhausted.", status: "RESOURCE_EXHAUSTED" } }),
      overflow: json({
        error: {
          code: 400,
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
          status: "INVALID_ARGUMENT",
        },
      }),
    },
    visibleText: (payload) => text(at(payload, "candidates", 0, "content", "parts", 0, "text")),
  },
};

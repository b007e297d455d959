// Data types only: what goes in, what comes out, and the twelve stream events between. Imports types alone,
// so that every layer can depend on it. Everything a message holds is plain JSON.
import type { TSchema } from "@sinclair/typebox";
import type { Quirks } from "./quirks.ts";

export type { Quirks, ThinkingFormat } from "./quirks.ts";

/** The wire protocols that ship with this package. */
export type KnownApi = "anthropic-messages" | "openai-completions" | "openai-responses" | "google-generative-ai";
/** A wire protocol: one of ours, or the name of one that was handed to `createModelLayer`. */
export type Api = KnownApi | (string & {});

/** How hard a model is asked to think. `off` asks for none where the model allows that. */
export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
/** Token budgets per level, for models that take a number of thinking tokens rather than a word. */
export type ThinkingBudgets = Partial<Record<Exclude<ThinkingLevel, "off">, number>>;
/** How long a provider should keep the prompt cached: not at all, minutes (the default), or an hour and more. */
export type CacheRetention = "none" | "short" | "long";

// ---- content ----

/** Text of a person or a model. */
export interface TextContent {
  type: "text";
  text: string;
  /** Opaque data that the API that produced this text wants back with it. */
  textSignature?: string;
}

/** The model's reasoning, as far as the provider shows it. */
export interface ThinkingContent {
  type: "thinking";
  thinking: string;
  /** Opaque proof or encrypted reasoning; only its own provider and model can read it. */
  thinkingSignature?: string;
  /** The provider withheld the text; `thinkingSignature` holds the encrypted payload. */
  redacted?: boolean;
}

/** An image (or a PDF, for models that take them) as base64. */
export interface ImageContent {
  type: "image";
  /** Base64, without a `data:` prefix. */
  data: string;
  /** `image/png`, `image/jpeg`, `image/gif`, `image/webp` or `application/pdf`. */
  mimeType: string;
}

/** A model's request to run a tool. */
export interface ToolCall {
  type: "toolCall";
  id: string;
  name: string;
  /** Always a plain object; `{}` when the arguments were malformed. */
  // biome-ignore lint/suspicious/noExplicitAny: arguments are whatever the tool's own schema says
  arguments: Record<string, any>;
  /** Opaque data that Gemini wants back with this call. */
  thoughtSignature?: string;
  /** The raw argument text, present only if it was cut off, is no JSON object or is nested too deeply. Such a call must not be run. */
  malformedArguments?: string;
}

// ---- messages ----

/** What a person said. */
export interface UserMessage {
  role: "user";
  content: string | (TextContent | ImageContent)[];
  /** Milliseconds since 1970. */
  timestamp: number;
}

/** Tokens and money of one model call. A count that the provider did not report is absent, which is not the same as zero. */
export interface Usage {
  /** Prompt tokens that were neither read from nor written to a cache. */
  input?: number;
  /** Tokens that the model produced, thinking included. */
  output?: number;
  /** Prompt tokens read from the provider's cache. */
  cacheRead?: number;
  /** Prompt tokens written to the provider's cache. */
  cacheWrite?: number;
  /** The part of `cacheWrite` that is kept for an hour (Anthropic reports it). */
  cacheWrite1h?: number;
  /** The part of `output` that was thinking. */
  reasoning?: number;
  /** input + output + cacheRead + cacheWrite. */
  totalTokens?: number;
  cost: UsageCost;
}

/** US dollars. A part whose price or token count is unknown is absent. */
export interface UsageCost {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  total?: number;
}

/** Why a model call ended. */
export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

/** The closed list of things that go wrong. */
export type ErrorKind =
  | "auth"
  | "permission"
  | "billing"
  | "rate_limit"
  | "overloaded"
  | "context_overflow"
  | "output_limit"
  | "content_filter"
  | "invalid_request"
  | "not_found"
  | "network"
  | "timeout"
  | "truncated"
  | "malformed_response"
  | "aborted"
  | "unknown";

/** A failure for programs; `AssistantMessage.errorMessage` is the same failure for people. */
export interface ErrorDetails {
  kind: ErrorKind;
  /** Whether the same request may succeed later, unchanged. */
  retryable: boolean;
  /** HTTP status, if there was a response. */
  status?: number;
  /** The provider's own code or type, such as `insufficient_quota`. */
  code?: string;
  /** How long the provider asked to wait, in milliseconds. */
  retryAfterMs?: number;
  /** The provider's id of the request, for its support. */
  requestId?: string;
  /** The provider's own message, cleaned and cut to a readable length. */
  providerMessage?: string;
}

/** Something worth knowing that did not stop the request: an option that was not honoured, a schema that was weakened. */
export interface Diagnostic {
  /** A short stable code, such as `option_ignored`. */
  code: string;
  message: string;
}

/** What a model said, whole or as far as it came. */
export interface AssistantMessage {
  role: "assistant";
  content: (TextContent | ThinkingContent | ToolCall)[];
  api: Api;
  /** Id of the provider that served the call. */
  provider: string;
  /** Id of the model that was asked. */
  model: string;
  /** Id of the model that answered, where the provider names another. */
  responseModel?: string;
  /** The provider's id of the response. */
  responseId?: string;
  usage: Usage;
  stopReason: StopReason;
  /** The provider's own word for the stop reason. */
  rawStopReason?: string;
  /** One sentence for a person, present when `stopReason` is `error` or `aborted`. */
  errorMessage?: string;
  /** The same failure for programs. */
  error?: ErrorDetails;
  diagnostics?: Diagnostic[];
  /** Milliseconds since 1970. */
  timestamp: number;
}

/** What a tool gave back. */
// biome-ignore lint/suspicious/noExplicitAny: details belong to the tool
export interface ToolResultMessage<TDetails = any> {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextContent | ImageContent)[];
  /** For logs and display; never sent to a model. */
  details?: TDetails;
  /** Usage of model calls that the tool itself made. */
  usage?: Usage;
  isError: boolean;
  /** Milliseconds since 1970. */
  timestamp: number;
}

/** One entry of a conversation that a model can read. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** A tool as the model sees it. */
export interface Tool<TParameters extends TSchema = TSchema> {
  name: string;
  description: string;
  /** TypeBox or plain JSON Schema of the arguments. */
  parameters: TParameters;
}

/** All that a model reads. */
export interface Context {
  systemPrompt?: string;
  messages: Message[];
  tools?: Tool[];
}

// ---- models ----

/** US dollars per million tokens; absent means unknown. */
export interface ModelCostRates {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** Prices that hold for the whole request once its prompt is longer than a threshold. */
export interface ModelCostTier extends ModelCostRates {
  /** Prompt tokens (cached ones included) above which this tier applies. */
  inputTokensAbove: number;
}

export interface ModelCost extends ModelCostRates {
  tiers?: ModelCostTier[];
}

/** A model at a provider: where it is, what it takes, what it costs. */
export interface Model<TApi extends Api = Api> {
  id: string;
  name: string;
  api: TApi;
  provider: string;
  /** Where requests go. May hold placeholders such as `{AZURE_OPENAI_RESOURCE_NAME}`, filled from the environment at each call. */
  baseUrl: string;
  /** Environment variables that may hold the key, in order. Default: those of the provider's row. */
  keyEnv?: string[];
  /** Whether it can think. */
  reasoning: boolean;
  /** Our level → the provider's word for it; `null` marks a level that the model does not have. */
  thinkingLevelMap?: Partial<Record<ThinkingLevel, string | null>>;
  input: ("text" | "image" | "pdf")[];
  cost: ModelCost;
  /** Tokens of prompt and answer together; absent when unknown. */
  contextWindow?: number;
  /** Most tokens of one answer; absent when unknown. */
  maxTokens?: number;
  /** Extra headers for each request. */
  headers?: Record<string, string>;
  /** What this server does differently from the API's own vendor. */
  quirks?: Quirks;
  /** The catalog does not hold this id: limits and prices are unknown, the rest is taken from its nearest relative. */
  unlisted?: true;
  /** The provider has withdrawn it, or is about to. */
  deprecated?: true;
}

// ---- options ----

/** Which tool the model may or must call. */
export type ToolChoice = "auto" | "none" | "required" | { name: string };

/** Status and headers of a response, before its body is read. */
export interface ProviderResponse {
  status: number;
  headers: Record<string, string>;
}

/** One event of the response body as it came off the wire. */
export interface WireFrame {
  /** The SSE event name, or `message`. */
  event: string;
  data: string;
}

/** What every API understands. An option that one cannot honour becomes a diagnostic of the message. */
export interface StreamOptions {
  /** Randomness, from 0 to 2 (Anthropic: to 1). Default: the provider's. */
  temperature?: number;
  /** Most tokens of the answer. Default: the model's own limit. */
  maxTokens?: number;
  /** Texts that end the answer. */
  stopSequences?: string[];
  toolChoice?: ToolChoice;
  /** Whether the model may call several tools in one answer. Default: the provider's (yes). */
  parallelToolCalls?: boolean;
  /**
   * Make the answer JSON for this schema: natively where the server can, else by a tool whose call becomes the text of the answer, else by
   * showing the schema to the model; the latter two with a diagnostic. Works beside tools.
   */
  responseSchema?: { name?: string; schema: TSchema | Record<string, unknown>; strict?: boolean };
  /** Ends the call with `aborted`. */
  signal?: AbortSignal;
  /** The key. Default: what the provider's environment variables hold. */
  apiKey?: string;
  /** Default `short`. */
  cacheRetention?: CacheRetention;
  /** Names the conversation, for cache affinity. */
  sessionId?: string;
  /** Extra headers; `null` removes a default one. Names are compared without case. */
  headers?: Record<string, string | null>;
  /** Passed on where the API has such a field (`user_id` at Anthropic, `metadata` at OpenAI). */
  metadata?: Record<string, unknown>;
  /** Merged over the request body as the last step before `onPayload`. */
  extraBody?: Record<string, unknown>;
  /** Sees the request body before it is sent; what it returns (unless undefined) is sent instead. */
  onPayload?: (payload: unknown, model: Model) => unknown | Promise<unknown>;
  /** Sees the status and headers of the response before its body is read. */
  onResponse?: (response: ProviderResponse, model: Model) => void | Promise<void>;
  /** Sees each frame of the body as text, for debugging. */
  onFrame?: (frame: WireFrame, model: Model) => void;
  /** Replaces `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Most milliseconds until the response headers arrive. 0 = no limit. Default 120,000. */
  firstByteTimeoutMs?: number;
  /** Most milliseconds of silence between frames that carry anything. 0 = no limit. Default 300,000. */
  idleTimeoutMs?: number;
  /** Most milliseconds for the whole call. 0 = no limit. Default 0. */
  totalTimeoutMs?: number;
  /** Environment variables to look in instead of `process.env`. */
  env?: Record<string, string | undefined>;
}

/** `StreamOptions` and a thinking level that means the same on every API. */
export interface SimpleStreamOptions extends StreamOptions {
  /**
   * Default: nothing is asked for, and the model thinks as it does by itself; `off` tells it not to. A level that the model does not have
   * is moved to the nearest that it has.
   */
  reasoning?: ThinkingLevel;
  thinkingBudgets?: ThinkingBudgets;
}

// ---- events ----

/**
 * The twelve events of one model call: `start`, then blocks, then exactly one of `done` and `error`, and nothing after it.
 * `partial` is the live message under construction, shared by all events and not a copy: drop it before you keep or
 * serialise an event.
 */
export type AssistantMessageEvent =
  | { type: "start"; partial: AssistantMessage }
  | { type: "text_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "text_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "text_end"; contentIndex: number; content: string; partial: AssistantMessage }
  | { type: "thinking_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "thinking_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "thinking_end"; contentIndex: number; content: string; partial: AssistantMessage }
  | { type: "toolcall_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "toolcall_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall; partial: AssistantMessage }
  | { type: "done"; reason: "stop" | "length" | "toolUse"; message: AssistantMessage }
  | { type: "error"; reason: "error" | "aborted"; error: AssistantMessage };

// Everything that is settled before a request is sent: inputs checked, the key found, the history prepared, the body built.
// Throws a ModelError that says what is wrong with the caller's input; the driver turns it into the error event.
import type { DriverEnvironment } from "./driver.ts";
import { detailsOf } from "./error-kinds.ts";
import { ModelError } from "./errors.ts";
import type { ApiProtocol, BuiltRequest, RequestOptions } from "./protocol.ts";
import { fillBaseUrl } from "./providers/fill-base-url.ts";
import { findKey, keyHint } from "./providers/keys.ts";
import { providerRow } from "./providers/rows.ts";
import { prepareTranscript } from "./transcript/prepare.ts";
import type { Context, Model, SimpleStreamOptions, Tool } from "./types.ts";
import { type BaseUrl, isLoopback, parseBaseUrl } from "./wire/base-url.ts";
import type { DeadlineLimits } from "./wire/deadlines.ts";

const FIRST_BYTE_TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 300_000;

export interface CallPlan {
  protocol: ApiProtocol;
  /** The provider's name for people. */
  providerName: string;
  base: BaseUrl;
  /** Absent where the server needs none. */
  apiKey: string | undefined;
  /** Texts that must not appear in anything that leaves the layer. */
  secrets: readonly string[];
  request: BuiltRequest;
  tools: readonly Tool[];
  limits: DeadlineLimits;
}

export async function planCall(
  model: Model,
  context: Context,
  options: SimpleStreamOptions,
  environment: DriverEnvironment,
): Promise<CallPlan> {
  checkModel(model);
  checkContext(context);
  checkNumbers(options);
  const row = providerRow(model.provider);
  const providerName = row?.name ?? model.provider;
  const env = options.env ?? environment.env;
  const baseUrl = fillBaseUrl(model.baseUrl, env);
  const apiKey = findKey(model, options.apiKey, env);
  const secrets = [apiKey ?? "", ...headerValues(model.headers), ...headerValues(options.headers)];
  const protocol = await environment.loadProtocol(model.api);
  const unversioned = model.quirks?.unversionedBaseUrl === true && !protocol.address.sdkAddsVersion;
  const base = parseBaseUrl(baseUrl, unversioned ? { ...protocol.address, version: "" } : protocol.address);
  const authorised = headerNames(model.headers)
    .concat(headerNames(options.headers))
    .some((name) => /auth|api-?key/i.test(name));
  if (apiKey === undefined && !authorised && !isLoopback(baseUrl) && !model.quirks?.keyless && !row?.quirks?.keyless) {
    throw new ModelError(
      `There is no API key for ${providerName}. ${keyHint(model)}`,
      detailsOf("auth", { code: "missing_key" }),
    );
  }
  const tools = context.tools ?? [];
  const { messages } = prepareTranscript(context.messages, model);
  const request = protocol.buildRequest({
    model,
    systemPrompt: context.systemPrompt || undefined,
    messages,
    tools,
    options: requestOptions(options),
  });
  if (options.extraBody) request.body = { ...request.body, ...options.extraBody };
  return { protocol, providerName, base, apiKey, secrets, request, tools, limits: limitsOf(options) };
}

const REQUEST_OPTIONS = [
  "temperature",
  "maxTokens",
  "stopSequences",
  "toolChoice",
  "parallelToolCalls",
  "responseSchema",
  "cacheRetention",
  "sessionId",
  "metadata",
  "reasoning",
  "thinkingBudgets",
] as const satisfies readonly (keyof RequestOptions)[];

/** The options that shape the body; undefined ones are left out, so that no request carries an `undefined`. */
function requestOptions(options: SimpleStreamOptions): RequestOptions {
  return Object.fromEntries(
    REQUEST_OPTIONS.filter((name) => options[name] !== undefined && options[name] !== null).map((name) => [
      name,
      options[name],
    ]),
  ) as RequestOptions;
}

function limitsOf(options: SimpleStreamOptions): DeadlineLimits {
  return {
    firstByteTimeoutMs: options.firstByteTimeoutMs ?? FIRST_BYTE_TIMEOUT_MS,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    totalTimeoutMs: options.totalTimeoutMs ?? 0,
  };
}

const bad = (message: string, code: string): ModelError =>
  new ModelError(message, detailsOf("invalid_request", { code }));

function checkModel(model: Model): void {
  if (typeof model !== "object" || model === null || typeof model.id !== "string" || typeof model.api !== "string") {
    throw bad(
      "The model is not a model: it needs at least id, api, provider and baseUrl. Take one from getModel().",
      "bad_model",
    );
  }
}

function checkContext(context: Context): void {
  if (typeof context !== "object" || context === null || !Array.isArray(context.messages)) {
    throw bad("The context has no messages: it must be an object with a `messages` array.", "bad_context");
  }
  if (context.systemPrompt !== undefined && context.systemPrompt !== null && typeof context.systemPrompt !== "string") {
    throw bad("The context's systemPrompt is not a string.", "bad_context");
  }
  if (context.tools === undefined || context.tools === null) return;
  if (!Array.isArray(context.tools)) throw bad("The context's tools are not an array.", "bad_context");
  context.tools.forEach((tool: unknown, index) => {
    const name = (tool as Tool | null)?.name;
    if (typeof name !== "string" || name === "") throw bad(`Tool number ${index + 1} has no name.`, "bad_tool");
  });
}

const NUMBERS = ["temperature", "maxTokens", "firstByteTimeoutMs", "idleTimeoutMs", "totalTimeoutMs"] as const;

function checkNumbers(options: SimpleStreamOptions): void {
  for (const name of NUMBERS) {
    const value: unknown = options[name];
    if (value === undefined || value === null) continue;
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) continue;
    throw bad(`options.${name} must be a number of at least 0, not ${String(value)}.`, "bad_option");
  }
}

const headerNames = (headers: Record<string, string | null> | undefined): string[] => Object.keys(headers ?? {});
const headerValues = (headers: Record<string, string | null> | undefined): string[] =>
  Object.values(headers ?? {}).filter((value): value is string => typeof value === "string" && value.length >= 12);

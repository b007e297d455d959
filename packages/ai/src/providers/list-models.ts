// Asks a server which models it has, by GET …/models, which all four APIs have. Never throws: a server that is not running is an
// everyday thing.
import { unlistedModel } from "../models/unlisted.ts";
import type { KnownApi, Model } from "../types.ts";
import { type AddressRule, parseBaseUrl } from "../wire/base-url.ts";
import { failureOf } from "../wire/failure.ts";
import { findKey } from "./keys.ts";
import { fillBaseUrl, fillHeaders } from "./placeholders.ts";
import type { ProviderRow } from "./row.ts";
import { providerRow } from "./rows.ts";

const TIMEOUT_MS = 5_000;
/** Where servers say how long a prompt may be: vLLM, OpenRouter and Together, LM Studio, Gemini. Not llama.cpp's `n_ctx_train`, which is
 * what the model could do and not what the server was started with. */
const WINDOW_FIELDS = ["max_model_len", "context_length", "loaded_context_length", "inputTokenLimit"] as const;

/** How a server is asked which models it has. */
export interface ListModelsOptions {
  /** Default: what the provider's environment variables hold. */
  apiKey?: string;
  /** Default: that of the provider. */
  baseUrl?: string;
  /** Default `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch;
  signal?: AbortSignal;
  /** Most milliseconds for the whole question. Default 5,000. */
  timeoutMs?: number;
  /** Default: `process.env`, where there is one. */
  env?: Record<string, string | undefined>;
}

/** The models that a server has, or a sentence about why they are not known. */
export type ListedModels = { models: Model[]; error?: undefined } | { models?: undefined; error: string };

interface ListQuestion {
  address: AddressRule;
  path: string;
  headers: (apiKey: string) => Record<string, string>;
}

const OPENAI_QUESTION: ListQuestion = {
  address: { endpoint: /\/(chat\/completions|responses|models)$/, version: "/v1", sdkAddsVersion: false },
  path: "/models",
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
};

const QUESTIONS: Record<KnownApi, ListQuestion> = {
  "openai-completions": OPENAI_QUESTION,
  "openai-responses": OPENAI_QUESTION,
  "anthropic-messages": {
    address: { endpoint: /\/(messages|models)$/, version: "/v1", sdkAddsVersion: true },
    path: "/v1/models?limit=1000",
    headers: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": "2023-06-01" }),
  },
  "google-generative-ai": {
    address: { endpoint: /\/models(\/[^/]*)?$/, version: "/v1beta", sdkAddsVersion: false },
    path: "/models?pageSize=1000",
    headers: (apiKey) => ({ "x-goog-api-key": apiKey }),
  },
};

/**
 * Asks a provider's server for its models. Limits are what the server says; prices and abilities are not known to it, so the models are
 * marked as unlisted. Resolves with an error instead of rejecting.
 *
 * @param provider the id of one that ships, or a row
 */
export async function listModels(
  provider: string | ProviderRow,
  options: ListModelsOptions = {},
): Promise<ListedModels> {
  const row = typeof provider === "string" ? providerRow(provider) : provider;
  if (!row) return { error: `There is no provider "${String(provider)}".` };
  const model = unlistedModel(row, "", []);
  const env = options.env ?? globalThis.process?.env ?? {};
  const apiKey = findKey({ ...model, keyEnv: [...row.env] }, options.apiKey, env);
  try {
    const listed = await ask(model, options, env, apiKey);
    return { models: listed.map((each) => modelOf(row, each, options.baseUrl)).filter((each) => each.id !== "") };
  } catch (error) {
    if (options.signal?.aborted) return { error: `Asking ${row.name} for its models was aborted.` };
    if (error instanceof Error && error.name === "TimeoutError")
      return { error: `${row.name} did not answer in time.` };
    const shown = { ...model, baseUrl: options.baseUrl ?? safeBaseUrl(row, env) };
    return { error: failureOf(error, shown, [apiKey ?? ""]).sentence };
  }
}

async function ask(
  model: Model,
  options: ListModelsOptions,
  env: Record<string, string | undefined>,
  apiKey: string | undefined,
): Promise<Record<string, unknown>[]> {
  const question = QUESTIONS[model.api as KnownApi];
  const base = parseBaseUrl(fillBaseUrl(options.baseUrl ?? model.baseUrl, env), question.address);
  const url = new URL(base.url + question.path);
  for (const [name, value] of base.query) url.searchParams.append(name, value);
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const response = await (options.fetch ?? globalThis.fetch)(url.href, {
    headers: {
      accept: "application/json",
      ...(apiKey && question.headers(apiKey)),
      ...fillHeaders(model.headers, env),
    },
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url.origin}${url.pathname} answered with status ${response.status}`);
  }
  const body = (await response.json()) as { data?: unknown; models?: unknown };
  const list = body?.data ?? body?.models;
  if (!Array.isArray(list))
    throw new Error(`${url.origin}${url.pathname} answered with something that is no list of models`);
  return list.filter((each) => typeof each === "object" && each !== null);
}

function modelOf(row: ProviderRow, listed: Record<string, unknown>, baseUrl: string | undefined): Model {
  const raw = listed["id"] ?? listed["name"];
  const id = typeof raw === "string" ? raw.replace(/^models\//, "") : "";
  const name = listed["display_name"] ?? listed["displayName"];
  const window = WINDOW_FIELDS.map((field) => listed[field]).find((value) => typeof value === "number" && value > 0);
  return {
    ...unlistedModel(row, id, []),
    ...(typeof name === "string" && { name }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(typeof window === "number" && { contextWindow: window }),
  };
}

/** For a sentence: the base URL as far as it is known. */
function safeBaseUrl(row: ProviderRow, env: Record<string, string | undefined>): string {
  try {
    return fillBaseUrl(row.baseUrl, env);
  } catch {
    return row.baseUrl;
  }
}

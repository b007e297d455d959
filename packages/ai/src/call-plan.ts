// Everything that is settled before a request is sent: inputs checked, the key found, the history prepared, the body built.
// Throws a ModelError that says what is wrong with the caller's input; the driver turns it into the error event.
import { checkContext } from "./check-input.ts";
import type { DriverEnvironment } from "./driver.ts";
import { detailsOf } from "./error-kinds.ts";
import { ModelError } from "./errors.ts";
import type { ApiProtocol, BuiltRequest, RequestOptions } from "./protocol.ts";
import { findKey, keyHint } from "./providers/keys.ts";
import { fillBaseUrl, fillHeaders } from "./providers/placeholders.ts";
import { providerRow } from "./providers/rows.ts";
import { type AnswerTool, askForAnswer } from "./request/structured-answer.ts";
import { fieldOf, isModelError, wordsOf } from "./thrown.ts";
import { cleanText } from "./transcript/clean-text.ts";
import { prepareTranscript } from "./transcript/prepare.ts";
import { transcriptDiagnostics } from "./transcript/report.ts";
import type { Context, Model, SimpleStreamOptions, Tool } from "./types.ts";
import { type BaseUrl, isLoopback, parseBaseUrl } from "./wire/base-url.ts";
import type { DeadlineLimits } from "./wire/deadlines.ts";
import { excerpt } from "./wire/redact.ts";

const FIRST_BYTE_TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 300_000;

export interface CallPlan {
  protocol: ApiProtocol;
  /** The provider's name for people. */
  providerName: string;
  base: BaseUrl;
  /** The model's own headers, filled from the environment. */
  modelHeaders: Record<string, string> | undefined;
  /** Absent where the server needs none. */
  apiKey: string | undefined;
  request: BuiltRequest;
  /** The tool whose call is the answer, where the server takes no schema. */
  answerTool: AnswerTool | undefined;
  tools: readonly Tool[];
  limits: DeadlineLimits;
}

export async function planCall(
  model: Model,
  context: Context,
  options: SimpleStreamOptions,
  environment: DriverEnvironment,
): Promise<CallPlan> {
  checkContext(context);
  const row = providerRow(model.provider);
  const providerName = row?.name ?? model.provider;
  const env = options.env ?? environment.env;
  const baseUrl = fillBaseUrl(model.baseUrl, env);
  const modelHeaders = fillHeaders(model.headers, env);
  const apiKey = findKey(model, options.apiKey, env);
  checkKey(apiKey, providerName);
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
  const { request, answerTool } = build(() => {
    const { messages, report } = prepareTranscript(context.messages, model);
    const asked = askForAnswer({
      model,
      systemPrompt: cleanText(context.systemPrompt ?? "") || undefined,
      messages,
      tools,
      options: requestOptions(options),
    });
    const built = protocol.buildRequest(asked.input);
    const diagnostics = [...asked.diagnostics.list, ...built.diagnostics, ...transcriptDiagnostics(report)];
    return { request: { ...built, diagnostics }, answerTool: asked.answer };
  });
  if (options.extraBody) request.body = { ...request.body, ...options.extraBody };
  const limits = limitsOf(options);
  return { protocol, providerName, base, modelHeaders, apiKey, request, answerTool, tools, limits };
}

/** HTTP would refuse the key and show it in doing so. */
function checkKey(apiKey: string | undefined, providerName: string): void {
  if (apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey)) return;
  throw new ModelError(
    `The API key for ${providerName} has spaces, line breaks or letters in it that no key has. Check how it was copied.`,
    detailsOf("invalid_request", { code: "bad_key" }),
  );
}

/** Generous, since it is cut here before keys are taken out; the sentence is cut again after that. */
const WHY_CHARACTERS_MAX = 10_000;

/** Building is pure, so whatever it stumbles over came from the caller. */
function build<Built>(builder: () => Built): Built {
  try {
    return builder();
  } catch (error) {
    throw unsendable(error);
  }
}

/** An input that cannot be made into a request. Errors that say more than that are kept. */
export function unsendable(error: unknown): unknown {
  if (isModelError(error) || fieldOf(error, "code") === "ERR_MODULE_NOT_FOUND") return error;
  const why = excerpt(wordsOf(error), WHY_CHARACTERS_MAX);
  return new ModelError(
    `The request could not be made out of this context and these options: ${why}`,
    detailsOf("invalid_request", { code: "bad_input" }),
    { cause: error },
  );
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

/** The time limits of a call. */
export function limitsOf(options: SimpleStreamOptions): DeadlineLimits {
  return {
    firstByteTimeoutMs: options.firstByteTimeoutMs ?? FIRST_BYTE_TIMEOUT_MS,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    totalTimeoutMs: options.totalTimeoutMs ?? 0,
  };
}

const headerNames = (headers: Record<string, string | null> | undefined): string[] => Object.keys(headers ?? {});

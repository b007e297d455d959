// What may stand in a models.json. Pure: a parsed value in, all that is wrong with it out, each problem with its place.
import { providerRow, providerRows } from "../providers/rows.ts";
import type { Quirks, ThinkingFormat } from "../quirks.ts";
import { THINKING_LEVELS } from "../thinking-levels.ts";
import { isObject } from "../tools/json-values.ts";
import type { ModelEntry } from "./entry.ts";
import { nearest } from "./nearest.ts";
import type { ProviderOverride } from "./overrides.ts";

const APIS = ["anthropic-messages", "openai-completions", "openai-responses", "google-generative-ai"];
const THINKING_FORMATS: ThinkingFormat[] = [
  "reasoning_effort",
  "openrouter",
  "zai",
  "deepseek",
  "qwen",
  "chat-template",
  "baseten",
  "together",
  "none",
];
const RATES = { input: price, output: price, cacheRead: price, cacheWrite: price };

/** Reports what is wrong with a value at a place. */
type Check = (value: unknown, place: string, report: (problem: string) => void) => void;

// A new quirk does not compile until it stands here.
const QUIRKS: Record<keyof Quirks, Check> = {
  maxTokensField: oneOf("max_tokens", "max_completion_tokens"),
  systemRole: oneOf("system", "developer"),
  thinkingFormat: oneOf(...THINKING_FORMATS),
  reasoningReplayField: oneOf("reasoning_content", "reasoning", "reasoning_details"),
  thoughtSignatureStandIn: text,
  sessionAffinityHeader: text,
  supportsUsageInStream: flag,
  supportsStore: flag,
  supportsStrictTools: flag,
  supportsParallelToolCalls: flag,
  supportsToolChoice: flag,
  supportsForcedToolChoice: flag,
  supportsTemperature: flag,
  supportsStopSequences: flag,
  shortToolCallIds: flag,
  toolResultName: flag,
  assistantAfterToolResult: flag,
  supportsCacheControl: flag,
  supportsLongCacheRetention: flag,
  adaptiveThinking: flag,
  takesThinkingWhenOff: flag,
  anthropicLegacyAuth: flag,
  endsWithoutStopReason: flag,
  inlineThinkTags: flag,
  unversionedBaseUrl: flag,
  keyless: flag,
  supportsResponseSchema: flag,
  responseSchemaWithTools: flag,
  supportsTools: flag,
};

const MODEL: Record<keyof ModelEntry, Check> = {
  id: text,
  name: text,
  api: oneOf(...APIS),
  baseUrl,
  reasoning: flag,
  thinkingLevelMap: record(Object.fromEntries(THINKING_LEVELS.map((level) => [level, textOrNull]))),
  input: listOf(oneOf("text", "image", "pdf")),
  cost: record({ ...RATES, tiers: listOf(record({ inputTokensAbove: count, ...RATES }, "inputTokensAbove")) }),
  contextWindow: count,
  maxTokens: count,
  headers: mapOf(text),
  quirks: record(QUIRKS),
  deprecated: oneOf(true),
};

const PROVIDER: Record<keyof ProviderOverride, Check> = {
  name: text,
  api: oneOf(...APIS),
  baseUrl,
  apiKeyEnv: listOf(text),
  headers: mapOf(text),
  quirks: record(QUIRKS),
  models: listOf(record(MODEL, "id")),
};

/** All problems of the parsed content of a models.json; none if it can be used. */
export function checkOverrides(content: unknown): string[] {
  const problems: string[] = [];
  const report = (problem: string): void => void problems.push(problem);
  record({ $schema: text, providers: mapOf(record(PROVIDER)) }, "providers")(content, "", report);
  if (problems.length > 0) return problems;
  const { providers } = content as { providers: Record<string, Record<string, unknown>> };
  for (const [id, provider] of Object.entries(providers)) {
    if (providerRow(id) || (provider["api"] !== undefined && provider["baseUrl"] !== undefined)) continue;
    const near = nearest(
      id,
      providerRows().map((row) => row.id),
    );
    const hint = near.length > 0 ? ` (or was ${near.join(" or ")} meant?)` : "";
    report(`providers.${id}: a new provider needs "api" and "baseUrl"${hint}`);
  }
  return problems;
}

function text(value: unknown, place: string, report: (problem: string) => void): void {
  if (typeof value !== "string" || value.trim() === "") report(`${place}: must be a text, not ${shown(value)}`);
}

function textOrNull(value: unknown, place: string, report: (problem: string) => void): void {
  if (value !== null) text(value, place, report);
}

function flag(value: unknown, place: string, report: (problem: string) => void): void {
  if (typeof value !== "boolean") report(`${place}: must be true or false, not ${shown(value)}`);
}

function count(value: unknown, place: string, report: (problem: string) => void): void {
  if (!Number.isSafeInteger(value) || (value as number) <= 0) {
    report(`${place}: must be a whole number above 0, not ${shown(value)}`);
  }
}

/** US dollars per million tokens. */
function price(value: unknown, place: string, report: (problem: string) => void): void {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
    report(`${place}: must be a price in US dollars per million tokens, not ${shown(value)}`);
  }
}

/** A URL may begin with a placeholder, which can hold anything. */
function baseUrl(value: unknown, place: string, report: (problem: string) => void): void {
  if (typeof value === "string" && /^(https?:\/\/[^/\s]|\{[A-Z])/.test(value)) return;
  report(`${place}: must be a URL such as https://api.example.com/v1, not ${shown(value)}`);
}

function oneOf(...allowed: readonly unknown[]): Check {
  return (value, place, report) => {
    if (!allowed.includes(value)) report(`${place}: must be ${allowed.map(shown).join(" or ")}, not ${shown(value)}`);
  };
}

function listOf(check: Check): Check {
  return (value, place, report) => {
    if (!Array.isArray(value)) report(`${place}: must be a list, not ${shown(value)}`);
    else for (const [index, each] of value.entries()) check(each, `${place}[${index}]`, report);
  };
}

function mapOf(check: Check): Check {
  return (value, place, report) => {
    if (!isObject(value)) report(`${place || "the file"}: must be an object, not ${shown(value)}`);
    else for (const [key, each] of Object.entries(value)) check(each, join(place, key), report);
  };
}

function record(fields: Record<string, Check>, ...needed: string[]): Check {
  return (value, place, report) => {
    if (!isObject(value)) {
      report(`${place || "the file"}: must be an object, not ${shown(value)}`);
      return;
    }
    for (const name of needed) if (!(name in value)) report(`${place || "the file"}: has no "${name}"`);
    for (const [key, each] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (check) check(each, join(place, key), report);
      else report(`${join(place, key)}: is not known${didYouMean(key, Object.keys(fields))}`);
    }
  };
}

function didYouMean(key: string, known: string[]): string {
  const near = nearest(key, known);
  return near.length > 0 ? `; did you mean ${near.join(" or ")}?` : "";
}

const join = (place: string, key: string): string => (place === "" ? key : `${place}.${key}`);

function shown(value: unknown): string {
  return isObject(value)
    ? "an object"
    : Array.isArray(value)
      ? "a list"
      : JSON.stringify(value)?.slice(0, 60) || "nothing";
}

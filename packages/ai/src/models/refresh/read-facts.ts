// Reads lists of facts per provider: models with prices, limits, levels and quirks, in the words of the clients that use them.
// The words of the quirks are not ours; the table below is the translation.
import type { ProviderRow } from "../../providers/row.ts";
import type { Quirks, ThinkingFormat } from "../../quirks.ts";
import type { ModelCostTier, ThinkingLevel } from "../../types.ts";
import type { ModelEntry } from "../entry.ts";
import { costOf, knownRates } from "./prices.ts";
import { namesInSource } from "./source-names.ts";

interface Fact {
  id: string;
  name: string;
  api: string;
  reasoning: boolean;
  input: ("text" | "image")[];
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; tiers?: ModelCostTier[] };
  contextWindow: number;
  maxTokens: number;
  reasoningLevels?: Partial<Record<ThinkingLevel, string | null>>;
  quirks?: Record<string, unknown>;
}

/** A list of prices for jobs that are not streamed. */
const NO_STREAM = /[:-]batch$/;

/** The models of a provider in a file of facts; undefined if the file does not know the provider. */
export function readFacts(source: unknown, row: ProviderRow): ModelEntry[] | undefined {
  const lists = namesInSource(row.id, "facts")
    .map((name) => (source as Record<string, Fact[] | undefined>)[name])
    .filter((facts) => facts !== undefined);
  if (lists.length === 0) return undefined;
  const entries = new Map<string, ModelEntry>();
  for (const fact of lists.flat()) {
    if (!NO_STREAM.test(fact.id) && !entries.has(fact.id)) entries.set(fact.id, readFact(fact, row));
  }
  return [...entries.values()];
}

function readFact(fact: Fact, row: ProviderRow): ModelEntry {
  const tiers = (fact.cost.tiers ?? []).map(({ inputTokensAbove, ...rates }) => ({
    inputTokensAbove,
    ...knownRates(rates),
  }));
  const cost = costOf(fact.id, knownRates(fact.cost), tiers);
  const quirks = quirksOf(fact.quirks ?? {}, row);
  // Azure serves most of its models by the Responses API of the row, and some by Chat Completions only.
  const api = row.api === "openai-responses" && fact.api === "openai-completions" ? fact.api : undefined;
  return {
    id: fact.id,
    name: fact.name.replace(/ \(latest\)$/, ""),
    ...(api && { api }),
    reasoning: fact.reasoning,
    ...(fact.reasoning && { thinkingLevelMap: fact.reasoningLevels ?? {} }),
    input: fact.input,
    ...(cost && { cost }),
    contextWindow: fact.contextWindow,
    maxTokens: fact.maxTokens,
    ...(Object.keys(quirks).length > 0 && { quirks }),
  };
}

/** By their names in the facts. */
const THINKING_FORMATS: Record<string, ThinkingFormat> = {
  openai: "reasoning_effort",
  deepseek: "deepseek",
  zai: "zai",
  openrouter: "openrouter",
  together: "together",
  baseten: "baseten",
};

function quirksOf(raw: Record<string, unknown>, row: ProviderRow): Quirks {
  const quirks: Quirks = {};
  const format = THINKING_FORMATS[String(raw["thinkingFormat"])];
  if (format !== undefined) quirks.thinkingFormat = format;
  else if (raw["supportsReasoningEffort"] === false) quirks.thinkingFormat = "none";
  if (raw["requiresReasoningContentOnAssistantMessages"] === true && !row.quirks?.reasoningReplayField) {
    quirks.reasoningReplayField = "reasoning_content";
  }
  if (raw["cacheControlFormat"] === "anthropic") quirks.supportsCacheControl = true;
  if (raw["forceAdaptiveThinking"] === true && row.api === "anthropic-messages") quirks.adaptiveThinking = true;
  if (raw["supportsTemperature"] === false) quirks.supportsTemperature = false;
  return quirks;
}

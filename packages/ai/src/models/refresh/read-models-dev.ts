// Reads the format of models.dev's api.json (MIT): providers with models by id. The file is foreign, so each value is checked.
import type { ProviderRow } from "../../providers/row.ts";
import { THINKING_LEVELS } from "../../thinking-levels.ts";
import type { ModelCostTier, Quirks } from "../../types.ts";
import { type ModelEntry, NO_LEVELS } from "../entry.ts";
import { costOf, knownRates } from "./prices.ts";
import { namesInSource } from "./source-names.ts";

type Json = Record<string, unknown>;
const LEVELS = THINKING_LEVELS.filter((level) => level !== "off");
/** Models that answer with something else than text, or to something else than a chat. */
const NO_CHAT = /embed|whisper|[-_]tts|rerank|realtime|-asr|livetranslate|guard|batch$/i;

/** One model of models.dev, and what decides whether it is of use when the provider no longer lists it. */
export interface ReadModel {
  entry: ModelEntry;
  callsTools: boolean;
}

/** The chat models of a provider in a models.dev file; undefined if the file does not know the provider. */
export function readModelsDev(source: unknown, row: ProviderRow): ReadModel[] | undefined {
  const listed = namesInSource(row.id, "models.dev")
    .map((name) => object(object(source)?.[name]))
    .filter((provider) => provider !== undefined);
  if (listed.length === 0) return undefined;
  const models = new Map<string, ReadModel>();
  for (const provider of listed) {
    for (const [id, value] of Object.entries(object(provider["models"]) ?? {})) {
      const raw = object(value);
      if (raw && !models.has(id) && isChat(id, raw) && isServedBy(row, raw)) models.set(id, readModel(id, raw, row));
    }
  }
  return [...models.values()];
}

function isChat(id: string, raw: Json): boolean {
  const output = list(object(raw["modalities"])?.["output"]);
  return output.length === 1 && output[0] === "text" && !NO_CHAT.test(id);
}

/** Some models of a provider are reached through another API, for which the file names another package. */
function isServedBy(row: ProviderRow, raw: Json): boolean {
  const npm = object(raw["provider"])?.["npm"];
  return npm === undefined || (npm === "@ai-sdk/openai-compatible" && row.api === "openai-completions");
}

function readModel(id: string, raw: Json, row: ProviderRow): ReadModel {
  const limit = object(raw["limit"]) ?? {};
  const reasoning = raw["reasoning"] === true;
  const options = raw["reasoning_options"];
  const levels = reasoning && Array.isArray(options) ? levelsOf(options) : undefined;
  const quirks: Quirks = {};
  // A model without any option thinks as it likes.
  const cannotBeAsked = reasoning && Array.isArray(options) && options.length === 0;
  if (cannotBeAsked && row.api === "openai-completions") quirks.thinkingFormat = "none";
  if (raw["temperature"] === false) quirks.supportsTemperature = false;
  if (raw["structured_output"] === false) quirks.supportsResponseSchema = false;
  const cost = readCost(id, object(raw["cost"]) ?? {});
  const contextWindow = positive(limit["context"]);
  const maxTokens = positive(limit["output"]);
  const input = list(object(raw["modalities"])?.["input"]).filter(isInput);
  const entry: ModelEntry = {
    id,
    name: typeof raw["name"] === "string" ? raw["name"].replace(/ \(latest\)$/, "") : id,
    reasoning,
    ...(levels && { thinkingLevelMap: cannotBeAsked && row.api !== "openai-completions" ? NO_LEVELS : levels }),
    input: input.length > 0 ? input : ["text"],
    ...(cost && { cost }),
    ...(contextWindow && { contextWindow }),
    ...(maxTokens && { maxTokens }),
    ...(Object.keys(quirks).length > 0 && { quirks }),
    ...(raw["status"] === "deprecated" && { deprecated: true }),
  };
  return { entry, callsTools: raw["tool_call"] === true };
}

/** Words that a model takes for its effort, and whether it can be told not to think. A budget can express every level. */
function levelsOf(options: unknown[]): NonNullable<ModelEntry["thinkingLevelMap"]> {
  const kinds = options.map(object).filter((option) => option !== undefined);
  if (kinds.some((option) => option["type"] === "budget_tokens")) return {};
  const words = kinds.flatMap((option) => (option["type"] === "effort" ? list(option["values"]) : [])).map(String);
  const toggles = kinds.some((option) => option["type"] === "toggle");
  if (words.length === 0) return toggles ? { minimal: null, low: null, medium: null } : {};
  const map: NonNullable<ModelEntry["thinkingLevelMap"]> = {};
  if (words.includes("none")) map.off = "none";
  else if (!toggles) map.off = null;
  for (const level of LEVELS) map[level] = words.includes(level) ? level : null;
  return map;
}

function readCost(id: string, raw: Json): ModelEntry["cost"] {
  const tiers: ModelCostTier[] = [];
  for (const tier of list(raw["tiers"]).map(object)) {
    const inputTokensAbove = positive(object(tier?.["tier"])?.["size"]);
    if (tier && inputTokensAbove) tiers.push({ inputTokensAbove, ...readRates(tier) });
  }
  const above200k = object(raw["context_over_200k"]);
  if (above200k && tiers.length === 0) tiers.push({ inputTokensAbove: 200_000, ...readRates(above200k) });
  return costOf(id, readRates(raw), tiers);
}

const readRates = (raw: Json) =>
  knownRates({
    input: raw["input"],
    output: raw["output"],
    cacheRead: raw["cache_read"],
    cacheWrite: raw["cache_write"],
  });

const object = (value: unknown): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const positive = (value: unknown): number | undefined => (typeof value === "number" && value > 0 ? value : undefined);
const isInput = (value: unknown): value is "text" | "image" | "pdf" =>
  value === "text" || value === "image" || value === "pdf";

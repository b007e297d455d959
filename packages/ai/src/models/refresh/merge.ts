// Several sources into one list per provider. Pure: the same sources in the same order give the same bytes.
import type { ProviderRow } from "../../providers/row.ts";
import type { Quirks } from "../../types.ts";
import type { ModelEntry, ProviderData } from "../entry.ts";
import { isCuratedOut, withCuratedFacts } from "./curated.ts";
import { readFacts } from "./read-facts.ts";
import { readModelsDev } from "./read-models-dev.ts";
import type { SourceFormat } from "./source-names.ts";

/** A parsed source. */
export interface CatalogSource {
  format: SourceFormat;
  /** How the data file names it, such as `models.dev (MIT), 2026-07`. */
  label: string;
  content: unknown;
}

/** What one source says about a provider. */
interface Listing {
  label: string;
  models: { entry: ModelEntry; callsTools: boolean }[];
}

/** The format of a parsed file: lists of models per provider are facts, maps are models.dev's. */
export function formatOf(content: unknown): SourceFormat {
  const values = typeof content === "object" && content !== null ? Object.values(content) : [];
  return values.some(Array.isArray) ? "facts" : "models.dev";
}

/**
 * The models of a provider from sources in the order from oldest to newest. The newest that knows the provider says which models
 * there are; a model that calls tools and that only an older one has is kept as deprecated, since conversations refer to it.
 *
 * @param previous the data file as it is, the oldest source of all
 * @returns undefined if nobody knows the provider
 */
export function mergeProvider(
  row: ProviderRow,
  sources: readonly CatalogSource[],
  previous?: ProviderData,
): ProviderData | undefined {
  const listings = [
    ...(previous ? [previousListing(previous)] : []),
    ...sources.flatMap((source) => listingOf(source, row)),
  ];
  const newest = listings.at(-1);
  if (!newest) return undefined;
  const current = new Set(newest.models.map(({ entry }) => entry.id));
  const merged = new Map<string, ModelEntry>();
  for (const listing of listings) {
    for (const { entry, callsTools } of listing.models) {
      const older = merged.get(entry.id);
      if (older || callsTools || current.has(entry.id)) merged.set(entry.id, older ? update(older, entry) : entry);
    }
  }
  const models = [...merged.values()]
    .filter((entry) => !isCuratedOut(row.id, entry.id))
    .map((entry) => (current.has(entry.id) ? entry : { ...entry, deprecated: true as const }))
    .map((entry) => tidy(withCuratedFacts(row.id, entry), row))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  const labels = listings.flatMap((listing) => listing.label.split("; "));
  return { provider: row.id, sources: [...new Set(labels)], models };
}

const previousListing = (data: ProviderData): Listing => ({
  label: data.sources.join("; "),
  models: data.models.map((entry) => ({ entry, callsTools: true })),
});

function listingOf(source: CatalogSource, row: ProviderRow): Listing[] {
  const models =
    source.format === "facts"
      ? readFacts(source.content, row)?.map((entry) => ({ entry, callsTools: true }))
      : readModelsDev(source.content, row);
  return models ? [{ label: source.label, models }] : [];
}

/**
 * What the newer source says goes first. Kinds of input add up, since not every source knows of PDFs. A source that lists no levels
 * (`{}`) means the usual ones, unless an older one says that the model cannot be asked at all.
 */
function update(older: ModelEntry, newer: ModelEntry): ModelEntry {
  const { deprecated, quirks: olderQuirks, ...kept } = older;
  const quirks = { ...olderQuirks, ...newer.quirks };
  const cannotBeAsked = Object.values(older.thinkingLevelMap ?? { off: "" }).every((word) => word === null);
  const usual = newer.thinkingLevelMap && Object.keys(newer.thinkingLevelMap).length === 0;
  if (newer.thinkingLevelMap && !usual && newer.quirks?.thinkingFormat === undefined) delete quirks.thinkingFormat;
  return {
    ...kept,
    ...newer,
    ...(usual && cannotBeAsked && older.thinkingLevelMap && { thinkingLevelMap: older.thinkingLevelMap }),
    input: [...new Set([...(older.input ?? []), ...(newer.input ?? [])])],
    ...(Object.keys(quirks).length > 0 && { quirks }),
    ...(deprecated && newer.deprecated === undefined && { deprecated }),
  };
}

/** Leaves out what the row says already, what contradicts itself, and puts the fields in one order. */
function tidy(entry: ModelEntry, row: ProviderRow): ModelEntry {
  const quirks = Object.fromEntries(
    Object.entries(entry.quirks ?? {}).filter(([name, value]) => row.quirks?.[name as keyof Quirks] !== value),
  );
  if (quirks["thinkingFormat"] === "reasoning_effort" && row.quirks?.thinkingFormat === undefined) {
    delete quirks["thinkingFormat"];
  }
  // A limit as large as the window is none of the model's own, and asking for it leaves no room for a prompt.
  const limited = entry.maxTokens !== undefined && entry.maxTokens < (entry.contextWindow ?? Number.POSITIVE_INFINITY);
  const levels = entry.thinkingLevelMap ?? {};
  const input = (["text", "image", "pdf"] as const).filter((kind) => entry.input?.includes(kind));
  return {
    id: entry.id,
    ...(entry.name !== undefined && entry.name !== entry.id && { name: entry.name }),
    ...(entry.api && { api: entry.api }),
    ...(entry.deprecated && { deprecated: true }),
    ...(entry.reasoning && { reasoning: true }),
    ...(entry.reasoning && Object.keys(levels).length > 0 && { thinkingLevelMap: levels }),
    input,
    ...(entry.cost && { cost: entry.cost }),
    ...(entry.contextWindow && { contextWindow: entry.contextWindow }),
    ...(limited && entry.maxTokens && { maxTokens: entry.maxTokens }),
    ...(Object.keys(quirks).length > 0 && { quirks }),
  };
}

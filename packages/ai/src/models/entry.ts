// One model as the catalog's data files hold it: only what its provider's row does not say already.
import type { ProviderRow } from "../providers/row.ts";
import type { Api, Model, ModelCost, Quirks, ThinkingLevel } from "../types.ts";

/** A model in a data file. Everything that is absent is unknown, or as the provider's row says. */
export interface ModelEntry {
  id: string;
  /** For people. Default: the id. */
  name?: string;
  /** Only where it is not the API of the row. */
  api?: Api;
  /** Only where it is not the base URL of the row. */
  baseUrl?: string;
  /** Default false. */
  reasoning?: boolean;
  thinkingLevelMap?: Partial<Record<ThinkingLevel, string | null>>;
  /** Default: text alone. */
  input?: ("text" | "image" | "pdf")[];
  cost?: ModelCost;
  contextWindow?: number;
  maxTokens?: number;
  headers?: Record<string, string>;
  /** Beside those of the row, which they overrule. */
  quirks?: Quirks;
  deprecated?: true;
}

/** The levels of a model that thinks as it likes and cannot be asked to do otherwise. */
export const NO_LEVELS: Readonly<Record<ThinkingLevel, null>> = {
  off: null,
  minimal: null,
  low: null,
  medium: null,
  high: null,
  xhigh: null,
  max: null,
};

/** One data file. */
export interface ProviderData {
  provider: string;
  /** Where the facts come from and when. */
  sources: string[];
  models: ModelEntry[];
}

/** What the catalog needs of a provider to make a model: its row, and what only a user's own file can say. */
export interface CatalogProvider extends ProviderRow {
  headers?: Record<string, string>;
  /** The environment variables of the row must be written into its models, since shared code does not know the row. */
  foreign?: true;
}

/** The model that an entry stands for, independent of the entry. */
export function modelFromEntry(provider: CatalogProvider, entry: ModelEntry): Model {
  const own = structuredClone(entry);
  const quirks = { ...provider.quirks, ...own.quirks };
  const headers = { ...provider.headers, ...own.headers };
  return {
    id: own.id,
    name: own.name ?? own.id,
    api: own.api ?? provider.api,
    provider: provider.id,
    baseUrl: own.baseUrl ?? provider.baseUrl,
    ...(provider.foreign && { keyEnv: [...provider.env] }),
    reasoning: own.reasoning ?? false,
    ...(own.thinkingLevelMap && { thinkingLevelMap: own.thinkingLevelMap }),
    input: own.input ?? ["text"],
    cost: own.cost ?? {},
    ...(own.contextWindow !== undefined && { contextWindow: own.contextWindow }),
    ...(own.maxTokens !== undefined && { maxTokens: own.maxTokens }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(quirks).length > 0 && { quirks }),
    ...(own.deprecated && { deprecated: own.deprecated }),
  };
}

// Models that are known by name. A catalog is a value: the built-in rows and data files, with a user's overrides laid over them. It reads
// a provider's file when that provider is first asked for, and nothing at import.
import type { ProviderRow } from "../providers/row.ts";
import { providerRows } from "../providers/rows.ts";
import type { Model } from "../types.ts";
import { allRoundModel } from "./aliases.ts";
import { readDataFile } from "./data-files.ts";
import { type CatalogProvider, type ModelEntry, modelFromEntry, type ProviderData } from "./entry.ts";
import {
  chooseModel,
  type ModelChoice,
  type ModelMatch,
  type ModelSearchOptions,
  type SearchSource,
  searchModels,
} from "./find.ts";
import type { ModelIds } from "./model-ids.generated.ts";
import { nearest } from "./nearest.ts";
import { type ModelOverrides, overrideEntries, overrideProvider } from "./overrides.ts";
import { unlistedModel } from "./unlisted.ts";

/** A provider's id: a known one, for completion in editors, or any other text. */
export type ProviderId = keyof ModelIds | (string & {});
/** A model's id at a provider: a known one, for completion in editors, or any other text. */
export type ModelId<TProvider extends string> = TProvider extends keyof ModelIds
  ? ModelIds[TProvider] | (string & {})
  : string;

/** What a catalog is made of. */
export interface CatalogOptions {
  /** Changes and additions, such as those of `loadModelOverrides` in `@rondo/ai/node`. */
  overrides?: ModelOverrides;
  /** Further providers, without a file of models. */
  extraProviders?: readonly ProviderRow[];
  /** Where the models of a provider come from. Default: the data files of this package, which a browser cannot read. */
  data?: (provider: string) => ProviderData | undefined;
}

/** Models and providers by name. */
export interface Catalog {
  /** Ids of all providers. */
  getProviders(): string[];
  /** What is known of a provider; undefined for an unknown one. */
  getProvider(id: ProviderId): ProviderRow | undefined;
  /**
   * A model, as an object of the caller's own. An id that the catalog does not hold gives a model with `unlisted: true`, unknown
   * limits and prices. An unknown provider throws an error that names the nearest ones.
   */
  getModel<TProvider extends ProviderId>(provider: TProvider, id: ModelId<TProvider>): Model;
  /** The listed models of a provider, or of all providers. None for an unknown provider, or for a local server (see `listModels`). */
  getModels(provider?: ProviderId): Model[];
  /** A good all-round model of a provider, for somebody who names none; undefined if it lists none. */
  getDefaultModel(provider: ProviderId): Model | undefined;
  /** All models that somebody may mean by a text such as `sonnet`, `openai/gpt-6.1-sol` or `gpt-6.1-sol:high`, best first. */
  findModels(query: string, options?: ModelSearchOptions): ModelMatch[];
  /** The one model that somebody means, or why none was chosen. */
  findModel(query: string, options?: ModelSearchOptions): ModelChoice;
}

/** Makes a catalog. */
export function createCatalog(options: CatalogOptions = {}): Catalog {
  const overrides = options.overrides?.providers ?? {};
  const readData = options.data ?? readDataFile;
  const entriesOf = new Map<string, ModelEntry[]>();
  let known: Map<string, CatalogProvider> | undefined;

  const providers = (): Map<string, CatalogProvider> => {
    known ??= allProviders(options);
    return known;
  };
  const entries = (provider: CatalogProvider): ModelEntry[] => {
    let list = entriesOf.get(provider.id);
    if (!list) {
      const shared = provider.variantOf === undefined ? undefined : providers().get(provider.variantOf);
      const base = shared ? entries(shared) : provider.liveModels ? [] : (readData(provider.id)?.models ?? []);
      list = overrideEntries(base, overrides[provider.id]?.models ?? []);
      entriesOf.set(provider.id, list);
    }
    return list;
  };

  const catalog: Catalog = {
    getProviders: () => [...providers().keys()],
    getProvider: (id) => providers().get(id),
    getModel: (providerId, id) => {
      const provider = providers().get(providerId);
      if (!provider) throw unknownProvider(providerId, [...providers().keys()]);
      const list = entries(provider);
      const entry = list.find((candidate) => candidate.id === id);
      return entry ? modelFromEntry(provider, entry) : unlistedModel(provider, id, list);
    },
    getModels: (providerId) => {
      const wanted = providerId === undefined ? [...providers().values()] : [providers().get(providerId)];
      return wanted.flatMap((provider) =>
        provider ? entries(provider).map((entry) => modelFromEntry(provider, entry)) : [],
      );
    },
    getDefaultModel: (providerId) => {
      const provider = providers().get(providerId);
      const entry = provider && allRoundModel(provider, entries(provider));
      return entry && modelFromEntry(provider, entry);
    },
    findModels: (query, search) => searchModels(source, query, search),
    findModel: (query, search) => chooseModel(source, query, search),
  };
  const source: SearchSource = {
    providers: () => [...providers().values()],
    entries,
    model: catalog.getModel,
  };
  return catalog;
}

function allProviders({ overrides, extraProviders = [] }: CatalogOptions): Map<string, CatalogProvider> {
  const providers = new Map<string, CatalogProvider>(providerRows().map((row) => [row.id, row]));
  for (const row of extraProviders) providers.set(row.id, { ...row, foreign: true });
  for (const [id, override] of Object.entries(overrides?.providers ?? {})) {
    providers.set(id, overrideProvider(id, providers.get(id), override));
  }
  return providers;
}

function unknownProvider(id: string, known: string[]): Error {
  const near = nearest(String(id), known);
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Known are ${known.join(", ")}.`;
  return new Error(
    `There is no provider "${id}". ${hint} A server of your own is reached with customModel({ baseUrl, id }).`,
  );
}

let shared: Catalog | undefined;
const builtIn = (): Catalog => {
  shared ??= createCatalog();
  return shared;
};

/** Ids of all providers that ship. */
export const getProviders: Catalog["getProviders"] = () => builtIn().getProviders();
/** What is known of a provider that ships. */
export const getProvider: Catalog["getProvider"] = (id) => builtIn().getProvider(id);
/** A model of the catalog that ships. See `Catalog.getModel`. */
export const getModel: Catalog["getModel"] = (provider, id) => builtIn().getModel(provider, id);
/** The listed models of a provider, or of all. See `Catalog.getModels`. */
export const getModels: Catalog["getModels"] = (provider) => builtIn().getModels(provider);
/** A good all-round model of a provider. See `Catalog.getDefaultModel`. */
export const getDefaultModel: Catalog["getDefaultModel"] = (provider) => builtIn().getDefaultModel(provider);
/** All models that a text may mean, best first. See `Catalog.findModels`. */
export const findModels: Catalog["findModels"] = (query, options) => builtIn().findModels(query, options);
/** The model that a text means, or why none was chosen. See `Catalog.findModel`. */
export const findModel: Catalog["findModel"] = (query, options) => builtIn().findModel(query, options);

// What users say about models and providers beside the catalog: the checked content of a models.json, and how it is laid over the
// built-in rows and entries. Pure; reading the file is load-overrides.ts.
import type { ProviderRow } from "../providers/row.ts";
import { UNKNOWN_SERVER } from "../providers/rows/quirk-sets.ts";
import type { CatalogProvider, ModelEntry } from "./entry.ts";

/** Changes to one provider, or a new one. */
export interface ProviderOverride {
  name?: string;
  /** Needed for a new provider. */
  api?: ProviderRow["api"];
  /** Needed for a new provider. May hold placeholders, such as `https://{MY_HOST}/v1`. */
  baseUrl?: string;
  /** Environment variables that may hold the key, in order. */
  apiKeyEnv?: string[];
  /** Sent with each request; values may hold placeholders such as `{MY_TOKEN}`. */
  headers?: Record<string, string>;
  quirks?: ProviderRow["quirks"];
  /** Models to add, or changes to known ones by id. */
  models?: ModelEntry[];
}

/** Changes by the id of the provider. */
export interface ModelOverrides {
  providers: Record<string, ProviderOverride>;
}

/** A provider with an override laid over it; without a base, a new provider with safe quirks. */
export function overrideProvider(
  id: string,
  base: CatalogProvider | undefined,
  override: ProviderOverride,
): CatalogProvider {
  const api = override.api ?? base?.api ?? "openai-completions";
  const env = override.apiKeyEnv ?? base?.env ?? [];
  const headers = { ...base?.headers, ...override.headers };
  return {
    ...base,
    id,
    name: override.name ?? base?.name ?? id,
    api,
    baseUrl: override.baseUrl ?? base?.baseUrl ?? "",
    env,
    quirks: { ...(base ? base.quirks : UNKNOWN_SERVER[api]), ...override.quirks },
    ...(Object.keys(headers).length > 0 && { headers }),
    ...((!base || base.foreign || override.apiKeyEnv) && { foreign: true as const }),
  };
}

/** Entries with changes laid over them by id: prices and quirks one by one, everything else as a whole; new ids at the end. */
export function overrideEntries(base: readonly ModelEntry[], changes: readonly ModelEntry[]): ModelEntry[] {
  const entries = new Map(base.map((entry) => [entry.id, entry]));
  for (const change of changes) {
    const known = entries.get(change.id);
    const cost = { ...known?.cost, ...change.cost };
    const quirks = { ...known?.quirks, ...change.quirks };
    entries.set(change.id, {
      ...known,
      ...change,
      ...(Object.keys(cost).length > 0 && { cost }),
      ...(Object.keys(quirks).length > 0 && { quirks }),
    });
  }
  return [...entries.values()];
}

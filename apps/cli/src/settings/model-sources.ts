// Where models and keys come from: the catalog with the person's models.json over it, the environment, the key file, and the model
// that was used last.
import { join } from "node:path";
import { type Catalog, createCatalog, type ProviderRow } from "@rondo/ai";
import { type CredentialStore, createCredentialStore, loadModelOverrides, ModelOverridesError } from "@rondo/ai/node";
import { UsageError } from "../exit-codes.ts";
import { LastModel } from "../models/last-model.ts";

/** All that is known about models and keys. */
export interface ModelSources {
  catalog: Catalog;
  env: Record<string, string | undefined>;
  store: CredentialStore;
  /** Providers for which the key file has a key. */
  stored: ReadonlySet<string>;
  lastModel: LastModel;
}

/** Reads models.json and the key file of a folder, for the built-in providers and others. Rejects with a `UsageError` if one of them is damaged. */
export async function loadModelSources(
  folder: string,
  env: Record<string, string | undefined>,
  extraProviders: readonly ProviderRow[] = [],
): Promise<ModelSources> {
  const store = createCredentialStore(join(folder, "keys.json"));
  try {
    const [overrides, stored, lastModel] = await Promise.all([
      loadModelOverrides(join(folder, "models.json")),
      store.list(),
      LastModel.read(join(folder, "last-model.json")),
    ]);
    const catalog = createCatalog({ extraProviders, ...(overrides && { overrides }) });
    return { catalog, env, store, stored: new Set(stored), lastModel };
  } catch (error) {
    if (error instanceof ModelOverridesError || error instanceof Error) throw new UsageError(error.message);
    throw error;
  }
}

/** Whether there is a key for a provider. */
export function hasKey({ catalog, env, stored }: ModelSources, provider: string): boolean {
  return stored.has(provider) || (catalog.getProvider(provider)?.env.some((name) => env[name]?.trim()) ?? false);
}

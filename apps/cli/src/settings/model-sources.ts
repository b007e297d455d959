// Where models and keys come from: the catalog as it ships or was refreshed, with the person's models.json over it, the environment, the
// key file, and the model that was used last.
import { join } from "node:path";
import { type Catalog, createCatalog, type ProviderRow } from "@rondo/ai";
import { type CredentialStore, catalogDirectory, createCredentialStore, loadModelOverrides } from "@rondo/ai/node";
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

/** Where the lists of models are kept that `rondo models --refresh` takes, in the folder of what rondo keeps by itself. */
export function catalogFolder(dataFolder: string): string {
  return join(dataFolder, "models");
}

/**
 * Reads the person's models.json and key file, for the built-in providers and others. Rejects with a `UsageError` if one of them is
 * damaged.
 */
export async function loadModelSources(
  { configFolder: folder, dataFolder }: { configFolder: string; dataFolder: string },
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
    const data = catalogDirectory(catalogFolder(dataFolder));
    const catalog = createCatalog({ data, extraProviders, ...(overrides && { overrides }) });
    return { catalog, env, store, stored: new Set(stored), lastModel };
  } catch (error) {
    // What the system says is put into words where all of it is.
    if (error instanceof Error && (error as NodeJS.ErrnoException).syscall === undefined)
      throw new UsageError(error.message);
    throw error;
  }
}

/** Whether there is a key for a provider. */
export function hasKey({ catalog, env, stored }: ModelSources, provider: string): boolean {
  return stored.has(provider) || (catalog.getProvider(provider)?.env.some((name) => env[name]?.trim()) ?? false);
}

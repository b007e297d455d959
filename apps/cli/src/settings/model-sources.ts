// Where models and keys come from: the catalog as it ships or was refreshed, with the person's models.json over it, the environment, the
// key file, and the model that was used last.
import { join } from "node:path";
import { type Catalog, createCatalog, type ModelOverrides, type ProviderRow } from "@rondo/ai";
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
 * Reads the person's models.json and key file, for the built-in providers and others. If one of them is damaged, `onDamaged` is told
 * of it and all goes on as if there were no such file; without `onDamaged` it rejects with a `UsageError`.
 */
export async function loadModelSources(
  { configFolder: folder, dataFolder }: { configFolder: string; dataFolder: string },
  env: Record<string, string | undefined>,
  extraProviders: readonly ProviderRow[] = [],
  onDamaged?: (message: string) => void,
): Promise<ModelSources> {
  const orTold = async <T>(reading: Promise<T>, without: T): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      // What the system says is put into words where all of it is.
      if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
      if (!onDamaged) throw new UsageError(error.message);
      onDamaged(error.message);
      return without;
    }
  };
  const data = catalogDirectory(catalogFolder(dataFolder));
  const catalogWith = (overrides: ModelOverrides | undefined) =>
    createCatalog({ data, extraProviders, ...(overrides && { overrides }) });
  const store = createCredentialStore(join(folder, "keys.json"));
  const [catalog, stored, lastModel] = await Promise.all([
    orTold<Catalog | undefined>(loadModelOverrides(join(folder, "models.json")).then(catalogWith), undefined),
    orTold<string[] | undefined>(store.list(), undefined),
    LastModel.read(join(folder, "last-model.json")),
  ]);
  const readable = stored ? store : { ...store, get: async () => undefined };
  return { catalog: catalog ?? catalogWith(undefined), env, store: readable, stored: new Set(stored), lastModel };
}

/** Whether there is a key for a provider. */
export function hasKey({ catalog, env, stored }: ModelSources, provider: string): boolean {
  return stored.has(provider) || (catalog.getProvider(provider)?.env.some((name) => env[name]?.trim()) ?? false);
}

// The models that can be used now.
import { listModels, type Model } from "@rondo/ai";
import { DEMO_MODEL } from "../demo/model.ts";
import { hasKey, type ModelSources } from "../settings/model-sources.ts";

const LOCAL_TIMEOUT_MS = 1000;

/** The models of all providers with a key, of local servers that answer within a second, and the demo. */
export async function usableModels(sources: ModelSources): Promise<Model[]> {
  const { catalog, env } = sources;
  const lists = await Promise.all(
    catalog.getProviders().map(async (provider) => {
      const row = catalog.getProvider(provider);
      if (row?.liveModels && row.quirks?.keyless)
        return (await listModels(row, { env, timeoutMs: LOCAL_TIMEOUT_MS })).models ?? [];
      return hasKey(sources, provider) ? catalog.getModels(provider).filter((model) => !model.deprecated) : [];
    }),
  );
  return [...lists.flat(), DEMO_MODEL];
}

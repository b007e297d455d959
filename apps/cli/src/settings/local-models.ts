// Models of servers on this machine: which there are, and whether one of them is what somebody means by a name.
import { listModels, type Model, THINKING_LEVELS, type ThinkingLevel } from "@rondo/ai";
import { hasKey, type ModelSources } from "./model-sources.ts";

/** A server on this machine answers at once or is not there. */
const LOCAL_TIMEOUT_MS = 500;

/** The models of a server on this machine; none if it is no such provider or does not answer. */
export async function localModels(provider: string, { catalog, env }: ModelSources): Promise<Model[]> {
  const row = catalog.getProvider(provider);
  if (!row?.liveModels || !row.quirks?.keyless) return [];
  return (await listModels(row, { env, timeoutMs: LOCAL_TIMEOUT_MS })).models ?? [];
}

/** A name, with the thinking level at its end apart. Ids of local models have colons too, so the whole may be the id. */
export function splitLevel(name: string): { id: string; thinking?: ThinkingLevel } {
  const thinking = THINKING_LEVELS.find((each) => name.endsWith(`:${each}`));
  return thinking === undefined ? { id: name } : { id: name.slice(0, -thinking.length - 1), thinking };
}

/**
 * The model of a server on this machine that has exactly this name, where no provider is named and what the lists have cannot be used.
 * Only then are the servers asked.
 */
export async function localByName(
  name: string,
  sources: ModelSources,
): Promise<{ model: Model; thinking?: ThinkingLevel; reason: string } | undefined> {
  const { catalog } = sources;
  if (name.includes("/") && catalog.getProvider(name.slice(0, name.indexOf("/"))) !== undefined) return undefined;
  const isUsable = (provider: string): boolean =>
    hasKey(sources, provider) || catalog.getProvider(provider)?.env.length === 0;
  const listed = catalog.findModel(name, { isUsable: (provider) => hasKey(sources, provider) }).model;
  if (listed && isUsable(listed.provider)) return undefined;
  const models = (await Promise.all(catalog.getProviders().map((each) => localModels(each, sources)))).flat();
  const { id, thinking } = splitLevel(name);
  const whole = models.find((model) => model.id === name);
  const model = whole ?? models.find((each) => each.id === id);
  if (!model) return undefined;
  const reason = `${model.provider}/${model.id}, which this local server has.`;
  return { model, ...(!whole && thinking !== undefined && { thinking }), reason };
}

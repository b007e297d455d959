// Which model a run uses, and why: what the flags or settings say, else the one that was used last, else the first provider that
// has a key, else a local server that answers, else the demo. Names are looked up in the catalog, so that a slip of the pen is told at once.
import { customModel, type Model, type ThinkingLevel, thinkingLevels } from "@rondo/ai";
import { DEMO_MODEL } from "../demo/model.ts";
import { UsageError } from "../exit-codes.ts";
import type { ModelChoice } from "../models/model-chain.ts";
import { localByName, localModels, splitLevel } from "./local-models.ts";
import { hasKey, type ModelSources } from "./model-sources.ts";

/** What was asked for; every part may be absent. */
export interface ModelWish {
  /** `provider/id`, `id` or a part of an id, each with or without `:level`; several with commas between them. */
  model: string | undefined;
  provider: string | undefined;
  baseUrl: string | undefined;
  thinking: ThinkingLevel | undefined;
}

/** A model, how hard it is to think, and why it was taken. */
export interface ModelSelection extends ModelChoice {
  /** Who is asked when it fails before it has said anything, in order. */
  fallbacks: ModelChoice[];
  /** A sentence for the person; absent if it is just what was asked for. */
  reason?: string;
}

/** What a name was found to mean. */
type Found = Pick<ModelSelection, "model" | "reason"> & { thinking?: ThinkingLevel };

/** The model that is taken from a provider when none is named: its good all-round one, as of November 2026. */
const DEFAULT_MODELS: Record<string, string> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6.1-sol",
  google: "gemini-pro-latest",
};
const DEMO: Found = { model: DEMO_MODEL, reason: "the demo, a script and no language model." };
const NO_KEY =
  "the demo, a script and no language model, since no key was found and no local server answers. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for a real one.";
const NEAR_NAMES_MAX = 5;
/** The provider that a model has where only its address is known. */
export const OWN_SERVER = "custom";

/** Selects the model. Rejects with a `UsageError` that names near matches if there is no such model. */
export async function selectModel(wish: ModelWish, sources: ModelSources): Promise<ModelSelection> {
  const isOwnServer = wish.provider === OWN_SERVER && wish.baseUrl !== undefined;
  if (wish.provider !== undefined && !isOwnServer) checkProvider(wish.provider, sources);
  const [name, ...others] = wish.model?.split(",").map((each) => each.trim()) ?? [];
  if (name === "" || others.includes(""))
    throw new UsageError(`"${wish.model}" has a comma with no model beside it. Write it as a/b,c/d.`);
  const found = name === undefined ? await unnamed(wish.provider, sources) : await asNamed(name, wish, sources);
  const choose = ({ model, thinking }: Found): ModelChoice => ({
    // An address is for one provider, like a key: no other model is sent there.
    model:
      wish.baseUrl !== undefined && model.provider === found.model.provider
        ? { ...model, baseUrl: wish.baseUrl }
        : model,
    thinking: thinking ?? wish.thinking ?? "off",
  });
  const fallbacks = await Promise.all(others.map(async (other) => choose(await asNamed(other, wish, sources))));
  return { ...found, ...choose(found), fallbacks };
}

/** What a name means: a model of the lists, or of a server on this machine where the lists have none that can be used. */
async function asNamed(name: string, wish: ModelWish, sources: ModelSources): Promise<Found> {
  const isAnywhere = wish.provider === undefined && wish.baseUrl === undefined && !isDemo(name);
  return (isAnywhere ? await localByName(name, sources) : undefined) ?? named(name, wish, sources);
}

const isDemo = (name: string): boolean =>
  [DEMO_MODEL.provider, `${DEMO_MODEL.provider}/${DEMO_MODEL.id}`].includes(name);

async function unnamed(provider: string | undefined, sources: ModelSources): Promise<Found> {
  if (provider === DEMO_MODEL.provider) return DEMO;
  if (provider !== undefined) {
    const model = defaultModel(provider, sources) ?? (await localModel(provider, sources));
    if (!model) throw new UsageError(`No model of ${provider} is known. Name one with --model.`);
    return { model, reason: `${provider}/${model.id}, since no --model was given.` };
  }
  const last = await lastUsed(sources);
  if (last) return last;
  const providers = sources.catalog.getProviders();
  for (const candidate of new Set([...Object.keys(DEFAULT_MODELS), ...providers])) {
    const model = hasKey(sources, candidate) ? defaultModel(candidate, sources) : undefined;
    if (model) return { model, reason: `${candidate}/${model.id}, since there is a key for ${candidate}.` };
  }
  const local = await Promise.all(providers.map((candidate) => localModel(candidate, sources)));
  const model = local.find((candidate) => candidate !== undefined);
  return model
    ? { model, reason: `${model.provider}/${model.id}, since no key was found and this local server answers.` }
    : { model: DEMO_MODEL, reason: NO_KEY };
}

/** The model that was used last, if it can still be had. */
async function lastUsed(sources: ModelSources): Promise<Found | undefined> {
  const { catalog, lastModel } = sources;
  const [, provider = "", id = ""] = /^([^/]+)\/(.+)$/.exec(lastModel.name ?? "") ?? [];
  const local = (await localModels(provider, sources)).find((model) => model.id === id);
  const model =
    local ?? (catalog.getProvider(provider) && hasKey(sources, provider) ? catalog.getModel(provider, id) : undefined);
  return model && { model, reason: `${provider}/${id}, the model that was used last.` };
}

function defaultModel(provider: string, { catalog }: ModelSources): Model | undefined {
  const id = DEFAULT_MODELS[provider];
  return id === undefined ? catalog.getDefaultModel(provider) : catalog.getModel(provider, id);
}

/** The first model of a server on this machine; undefined if it is no such provider or does not answer. */
async function localModel(provider: string, sources: ModelSources): Promise<Model | undefined> {
  return (await localModels(provider, sources))[0];
}

function named(name: string, { provider, baseUrl }: ModelWish, sources: ModelSources): Found {
  if (isDemo(name) || provider === DEMO_MODEL.provider) return DEMO;
  if (provider === OWN_SERVER && baseUrl !== undefined) return atOwnServer(name, baseUrl);
  const { model, thinkingLevel, problem, matches } = sources.catalog.findModel(name, {
    isUsable: (candidate) => hasKey(sources, candidate),
    ...(provider !== undefined && { provider }),
  });
  const kind = matches[0]?.kind;
  // At an address of one's own a name that is like those of the lists is still that server's own name.
  if (baseUrl !== undefined && provider === undefined && (!model || kind === "part")) return atOwnServer(name, baseUrl);
  if (!model) throw new UsageError(`${problem ?? `There is no model ${name}.`} rondo models <text> looks through all.`);
  const owner = sources.catalog.getProvider(model.provider);
  // A server of one's own, or a provider that was named apart, may have models that no list holds yet.
  const isCertain = kind !== "unlisted" || provider !== undefined || baseUrl !== undefined || owner?.liveModels;
  if (!isCertain) throw new UsageError(unlistedModel(model, sources));
  return {
    model,
    ...(thinkingLevel !== undefined && { thinking: thinkingLevel }),
    ...((kind === "alias" || kind === "part") && { reason: `${model.provider}/${model.id}, which ${name} fits.` }),
  };
}

/** A model that no list holds, at an address; the server is taken to speak Chat Completions, as most do. */
function atOwnServer(name: string, baseUrl: string): Found {
  const { id, thinking } = splitLevel(name);
  return { model: customModel({ id, baseUrl }), ...(thinking !== undefined && { thinking }) };
}

function checkProvider(provider: string, { catalog }: ModelSources): void {
  const known = [...catalog.getProviders(), DEMO_MODEL.provider];
  if (known.includes(provider)) return;
  const near = known.filter((id) => id.slice(0, 2) === provider.slice(0, 2).toLowerCase());
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Known are ${known.join(", ")}.`;
  throw new UsageError(`There is no provider ${provider}. ${hint}`);
}

function unlistedModel({ provider, id }: Model, { catalog }: ModelSources): string {
  const [, base, level] = /^(.+):([a-z]+)$/.exec(id) ?? [];
  const known = catalog.getModels(provider).find((model) => model.id === base);
  if (known)
    return `${provider}/${base} has no level "${level}" of thinking. It has ${thinkingLevels(known).join(", ")}.`;
  const similar = catalog.findModels(id).map(({ model }) => model);
  const own = similar.filter((model) => model.provider === provider);
  const names = (own.length > 0 ? own : similar)
    .slice(0, NEAR_NAMES_MAX)
    .map((model) => `${model.provider}/${model.id}`);
  const near = names.length > 0 ? ` Near it: ${names.join(", ")}.` : "";
  return `There is no model ${provider}/${id}.${near} If ${provider} has it all the same: --provider ${provider} --model ${id}.`;
}

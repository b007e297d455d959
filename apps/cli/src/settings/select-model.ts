// Which model a run uses, and why: what the flags say, else the first provider that has a key, else the demo. Names are looked
// up in the catalog, so that a slip of the pen is told at once and not by the server.
import {
  findModel,
  findModels,
  getModel,
  getModels,
  getProvider,
  getProviders,
  type Model,
  type ThinkingLevel,
} from "@rondo/ai";
import { DEMO_MODEL } from "../demo/model.ts";
import { UsageError } from "../exit-codes.ts";

/** What was asked for; every part may be absent. */
export interface ModelWish {
  /** `provider/id`, `id` or a part of an id, each with or without `:level`. */
  model: string | undefined;
  provider: string | undefined;
  baseUrl: string | undefined;
  thinking: ThinkingLevel | undefined;
}

/** A model, how hard it is to think, and why it was taken. */
export interface ModelSelection {
  model: Model;
  thinking: ThinkingLevel;
  /** A sentence for the person; absent if it is just what the flags say. */
  reason?: string;
}

type Found = Omit<ModelSelection, "thinking"> & { thinking?: ThinkingLevel };

/** The model that is taken from a provider when none is named: its good all-round one, as of November 2026. */
const DEFAULT_MODELS: Record<string, string> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6.1-sol",
  google: "gemini-pro-latest",
};
const DEMO: Found = { model: DEMO_MODEL, reason: "the demo, a script and no language model." };
const NO_KEY =
  "the demo, a script and no language model, since no key was found. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for a real one.";
const NEAR_NAMES_MAX = 5;

/** Chooses the model. Throws a `UsageError` that names near matches if there is no such model. */
export function selectModel(wish: ModelWish, env: Record<string, string | undefined>): ModelSelection {
  if (wish.provider !== undefined) checkProvider(wish.provider);
  const found = wish.model === undefined ? unnamed(wish.provider, env) : named(wish.model, wish, env);
  const model = wish.baseUrl === undefined ? found.model : { ...found.model, baseUrl: wish.baseUrl };
  return { ...found, model, thinking: found.thinking ?? wish.thinking ?? "off" };
}

function unnamed(provider: string | undefined, env: Record<string, string | undefined>): Found {
  if (provider === DEMO_MODEL.provider) return DEMO;
  if (provider !== undefined) {
    const model = defaultModel(provider);
    if (!model) throw new UsageError(`No model of ${provider} is known. Name one with --model.`);
    return { model, reason: `${provider}/${model.id}, since no --model was given.` };
  }
  for (const candidate of new Set([...Object.keys(DEFAULT_MODELS), ...getProviders()])) {
    const model = hasKey(candidate, env) ? defaultModel(candidate) : undefined;
    if (model) return { model, reason: `${candidate}/${model.id}, since there is a key for ${candidate}.` };
  }
  return { model: DEMO_MODEL, reason: NO_KEY };
}

function defaultModel(provider: string): Model | undefined {
  const id = DEFAULT_MODELS[provider];
  return id === undefined ? getModels(provider).find((model) => !model.deprecated) : getModel(provider, id);
}

function hasKey(provider: string, env: Record<string, string | undefined>): boolean {
  return getProvider(provider)?.env.some((name) => env[name]?.trim()) ?? false;
}

function named(name: string, { provider, baseUrl }: ModelWish, env: Record<string, string | undefined>): Found {
  const isDemo = [DEMO_MODEL.provider, `${DEMO_MODEL.provider}/${DEMO_MODEL.id}`].includes(name);
  if (isDemo || provider === DEMO_MODEL.provider) return DEMO;
  const { model, thinkingLevel, problem, matches } = findModel(name, {
    isUsable: (candidate) => hasKey(candidate, env),
    ...(provider !== undefined && { provider }),
  });
  if (!model) throw new UsageError(problem ?? `There is no model ${name}.`);
  const owner = getProvider(model.provider);
  // A server of one's own, or a provider that was named apart, may have models that no list holds yet.
  const isCertain =
    matches[0]?.kind !== "unlisted" || provider !== undefined || baseUrl !== undefined || owner?.liveModels;
  if (!isCertain) throw new UsageError(unlistedModel(model));
  const isGuess = matches[0]?.kind === "alias" || matches[0]?.kind === "part";
  return {
    model,
    ...(thinkingLevel !== undefined && { thinking: thinkingLevel }),
    ...(isGuess && { reason: `${model.provider}/${model.id}, which ${name} fits.` }),
  };
}

function checkProvider(provider: string): void {
  const known = [...getProviders(), DEMO_MODEL.provider];
  if (known.includes(provider)) return;
  const near = known.filter((id) => id.slice(0, 2) === provider.slice(0, 2).toLowerCase());
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Known are ${known.join(", ")}.`;
  throw new UsageError(`There is no provider ${provider}. ${hint}`);
}

function unlistedModel({ provider, id }: Model): string {
  const similar = findModels(id).map(({ model }) => model);
  const own = similar.filter((model) => model.provider === provider);
  const names = (own.length > 0 ? own : similar)
    .slice(0, NEAR_NAMES_MAX)
    .map((model) => `${model.provider}/${model.id}`);
  const near = names.length > 0 ? ` Near it: ${names.join(", ")}.` : "";
  return `There is no model ${provider}/${id}.${near} If ${provider} has it all the same: --provider ${provider} --model ${id}.`;
}

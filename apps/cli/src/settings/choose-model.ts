// Which model a run uses, and why: what the flags say, else the first provider that has a key, else the demo. Names are looked
// up in the catalog, so that a slip of the pen is told at once and not by the server.
import { findKey, findModels, getModel, getModels, getProviders, type Model, type ThinkingLevel } from "@rondo/ai";
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
export interface ModelChoice {
  model: Model;
  thinking: ThinkingLevel;
  /** A sentence for the person; absent if it is just what the flags say. */
  reason?: string;
}

/** The model that is taken from each provider when none is named: its good all-round one, as of November 2026. */
const DEFAULT_MODELS: Record<string, string> = {
  anthropic: "claude-sonnet-5-5",
  openai: "gpt-6.1-sol",
  google: "gemini-pro-latest",
};

const LEVELS: readonly string[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Chooses the model. Throws a `UsageError` that names near matches if there is no such model. */
export function chooseModel(wish: ModelWish, env: Record<string, string | undefined>): ModelChoice {
  const { name, level } = splitLevel(wish.model);
  const found =
    name === undefined ? withoutName(wish.provider, env) : named(name, wish.provider, wish.baseUrl !== undefined);
  const model = wish.baseUrl === undefined ? found.model : { ...found.model, baseUrl: wish.baseUrl };
  return { ...found, model, thinking: level ?? wish.thinking ?? "off" };
}

function splitLevel(name: string | undefined): { name: string | undefined; level?: ThinkingLevel } {
  const colon = name?.lastIndexOf(":") ?? -1;
  const level = name?.slice(colon + 1) ?? "";
  if (colon === -1 || !LEVELS.includes(level)) return { name };
  return { name: name?.slice(0, colon), level: level as ThinkingLevel };
}

function withoutName(
  provider: string | undefined,
  env: Record<string, string | undefined>,
): Omit<ModelChoice, "thinking"> {
  if (provider === DEMO_MODEL.provider) return { model: DEMO_MODEL };
  if (provider !== undefined) {
    checkProvider(provider);
    const id = DEFAULT_MODELS[provider] ?? getModels(provider)[0]?.id;
    if (id === undefined) throw new UsageError(`No model of ${provider} is known. Name one with --model.`);
    return { model: getModel(provider, id), reason: `${provider}/${id}, since no --model was given.` };
  }
  for (const candidate of getProviders()) {
    const id = DEFAULT_MODELS[candidate];
    if (id === undefined) continue;
    const model = getModel(candidate, id);
    if (findKey(model, undefined, env))
      return { model, reason: `${candidate}/${id}, since there is a key for ${candidate}.` };
  }
  return {
    model: DEMO_MODEL,
    reason:
      "the demo, a script and no language model, since no key was found. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for a real one.",
  };
}

function named(name: string, provider: string | undefined, hasBaseUrl: boolean): Omit<ModelChoice, "thinking"> {
  if (name === "demo" || name === `${DEMO_MODEL.provider}/${DEMO_MODEL.id}`) return { model: DEMO_MODEL };
  const slash = name.indexOf("/");
  const prefix = slash === -1 ? undefined : name.slice(0, slash);
  const isPrefixed = provider === undefined && prefix !== undefined && getProviders().includes(prefix);
  const owner = isPrefixed ? prefix : provider;
  const id = isPrefixed ? name.slice(slash + 1) : name;
  if (owner !== undefined) {
    checkProvider(owner);
    const isKnown = getModels(owner).some((model) => model.id === id);
    // A server of one's own, or a provider that was named apart, may have models that no list holds yet.
    if (isKnown || hasBaseUrl || provider !== undefined) return { model: getModel(owner, id) };
  }
  const matches = findModels(name);
  const [only] = matches;
  if (only && matches.length === 1)
    return { model: only, reason: `${only.provider}/${only.id}, the only one that ${name} fits.` };
  throw new UsageError(unknownModel(name, id, owner, matches));
}

function checkProvider(provider: string): void {
  const known = getProviders();
  if (!known.includes(provider))
    throw new UsageError(`There is no provider ${provider}. Known are ${[...known, DEMO_MODEL.provider].join(", ")}.`);
}

function unknownModel(name: string, id: string, owner: string | undefined, matches: Model[]): string {
  const near = matches.length > 0 ? matches : findModels(id);
  const names = near.slice(0, 5).map((model) => `${model.provider}/${model.id}`);
  const hint = names.length > 0 ? ` Near it: ${names.join(", ")}.` : "";
  const force = owner === undefined ? "" : ` If ${owner} has it all the same: --provider ${owner} --model ${id}.`;
  return `${matches.length > 1 ? "More than one model fits" : "There is no model"} ${name}.${hint}${force}`;
}

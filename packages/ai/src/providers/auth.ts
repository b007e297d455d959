// Which key a call gets and from where: the caller's option, a callback, environment variables, a store. The order is the same for
// all providers. Nothing here writes to the environment, remembers a key or shows one.
import type { Model } from "../types.ts";
import { shownAddress } from "../wire/base-url.ts";
import { keyVariables } from "./keys.ts";
import { fillBaseUrl, settingsOf } from "./placeholders.ts";
import type { ProviderRow } from "./row.ts";
import { providerRow } from "./rows.ts";

/** Where keys are kept between runs, such as the file of `createCredentialStore` in `@rondo/ai/node`. */
export interface CredentialReader {
  /** The key of a provider, or undefined. */
  get(provider: string): Promise<string | undefined>;
}

/** Where a key may come from, first to last. Empty values count as none. */
export interface KeySources {
  /** The caller's own key for this call. */
  apiKey?: string;
  /** Asked next, each time, so that a key may expire. */
  getApiKey?: (provider: string) => string | undefined | Promise<string | undefined>;
  /** Default: `process.env`, where there is one. */
  env?: Record<string, string | undefined>;
  store?: CredentialReader;
}

/** A key and where it was found. */
export interface FoundKey {
  key: string;
  source: "option" | "callback" | "environment" | "store";
  /** The environment variable. */
  variable?: string;
}

/**
 * The key for a model, from the first source that has one: option, callback, environment variables in the order of the provider's row,
 * store. Empty text counts as none. Rejects only if the callback or the store does.
 */
export async function resolveApiKey(
  model: Pick<Model, "provider" | "keyEnv">,
  sources: KeySources,
): Promise<FoundKey | undefined> {
  const option = sources.apiKey?.trim();
  if (option) return { key: option, source: "option" };
  const called = (await sources.getApiKey?.(model.provider))?.trim();
  if (called) return { key: called, source: "callback" };
  const env = sources.env ?? globalThis.process?.env ?? {};
  const variable = keyVariables(model).find((name) => env[name]?.trim());
  if (variable !== undefined) return { key: (env[variable] ?? "").trim(), source: "environment", variable };
  const stored = (await sources.store?.get(model.provider))?.trim();
  return stored ? { key: stored, source: "store" } : undefined;
}

/** What is found where for one provider. */
export interface AuthDescription {
  provider: string;
  /** Whether a call can be made: there is a key or none is needed, and the base URL is complete. */
  usable: boolean;
  /** The server needs no key. */
  keyless: boolean;
  /** The source that a call would use. */
  source?: FoundKey["source"];
  /** All environment variables that are looked at, in order; `shown` is the end of a long key, never the key. */
  variables: { name: string; found: boolean; shown?: string }[];
  /** The credential store, if one was given. */
  stored?: { found: boolean; shown?: string };
  /** Variables that the base URL needs and that are not set; one of each list. */
  missingSettings: string[][];
  /** All of this in a sentence for a person. */
  summary: string;
}

/** Says which keys there are for a provider, and where, without showing one. */
export async function describeAuth(
  provider: string | ProviderRow,
  { env = globalThis.process?.env ?? {}, store }: Pick<KeySources, "env" | "store"> = {},
): Promise<AuthDescription> {
  const row = typeof provider === "string" ? providerRow(provider) : provider;
  const id = typeof provider === "string" ? provider : provider.id;
  const variables = (row?.env ?? []).map((name) => ({ name, ...seen(env[name]) }));
  const stored = store ? seen(await store.get(id)) : undefined;
  const keyless = row?.quirks?.keyless === true;
  const missingSettings = settingsOf(row?.baseUrl ?? "").filter((names) => !names.some((name) => env[name]?.trim()));
  const source = variables.some(({ found }) => found) ? "environment" : stored?.found ? "store" : undefined;
  const usable = row !== undefined && (keyless || source !== undefined) && missingSettings.length === 0;
  const description: Omit<AuthDescription, "summary"> = {
    provider: id,
    usable,
    keyless,
    ...(source && { source }),
    variables,
    ...(stored && { stored }),
    missingSettings,
  };
  return { ...description, summary: summaryOf(description, row, env) };
}

/** The last four characters, if they give away little of the key. */
export function maskKey(key: string): string {
  return key.length >= 20 ? `…${key.slice(-4)}` : "…";
}

function seen(value: string | undefined): { found: boolean; shown?: string } {
  const key = value?.trim();
  return key ? { found: true, shown: maskKey(key) } : { found: false };
}

function summaryOf(
  description: Omit<AuthDescription, "summary">,
  row: ProviderRow | undefined,
  env: Record<string, string | undefined>,
): string {
  if (!row) return `There is no provider "${description.provider}".`;
  const missing = description.missingSettings.map((names) => names.join(" or "));
  if (missing.length > 0) return `${row.name}: set ${missing.join(" and ")}.`;
  const variable = description.variables.find(({ found }) => found);
  if (variable) return `${row.name}: key ${variable.shown} from ${variable.name}.`;
  if (description.stored?.found) return `${row.name}: key ${description.stored.shown} from the credential file.`;
  if (description.keyless) return `${row.name}: no key needed, at ${shownAddress(fillBaseUrl(row.baseUrl, env))}.`;
  const names = row.env.length > 0 ? `set ${row.env.join(" or ")}` : "pass the option apiKey";
  return `${row.name}: no key; ${names}.`;
}

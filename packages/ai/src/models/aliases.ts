// Short names for the newest model of a family. The patterns are for ids without a maker's prefix, in small letters, with "-" for
// every other sign: `anthropic/claude-sonnet-5.5` is read as `claude-sonnet-5-5`.
// When a vendor renames its best model, change its pattern; the tests name what each alias means today.

import type { CatalogProvider, ModelEntry } from "./entry.ts";
import { baseName, newerFirst, plainId } from "./id-words.ts";

/** A family: who makes it, and which ids belong to it. */
export interface ModelFamily {
  maker: string;
  pattern: RegExp;
}

const claude = (tier: string): ModelFamily => ({
  maker: "anthropic",
  pattern: new RegExp(`^claude-${tier}-\\d+(-\\d+)*$`),
});
const FLASH: ModelFamily = { maker: "google", pattern: /^gemini-\d+(-\d+)?-flash(-preview)?$/ };

const FAMILIES: Record<string, ModelFamily> = {
  claude: claude("sonnet"),
  sonnet: claude("sonnet"),
  opus: claude("opus"),
  haiku: claude("haiku"),
  fable: claude("fable"),
  gpt: { maker: "openai", pattern: /^gpt-\d+(-\d+)?(-sol)?$/ },
  "gpt-mini": { maker: "openai", pattern: /^gpt-\d+(-\d+)?-(mini|luna)$/ },
  codex: { maker: "openai", pattern: /^gpt-\d+(-\d+)?-codex$/ },
  gemini: { maker: "google", pattern: /^gemini-\d+(-\d+)?-(pro|neon)(-preview)?$/ },
  "gemini-flash": FLASH,
  flash: FLASH,
  grok: { maker: "xai", pattern: /^grok-\d+(-\d+)?$/ },
  deepseek: { maker: "deepseek", pattern: /^deepseek-v\d+(-\d+)?-pro$/ },
  kimi: { maker: "moonshotai", pattern: /^kimi-k\d+(-\d+)?(-pro)?$/ },
  glm: { maker: "zai", pattern: /^glm-\d+(-\d+)?$/ },
  mistral: { maker: "mistral", pattern: /^mistral-large-latest$/ },
  qwen: { maker: "alibaba", pattern: /^qwen\d+(-\d+)?-max$/ },
  minimax: { maker: "minimax", pattern: /^minimax-m\d+(-\d+)?$/ },
  mimo: { maker: "xiaomi", pattern: /^mimo-v\d+(-\d+)?-pro$/ },
  muse: { maker: "meta", pattern: /^muse-spark-\d+(-\d+)?$/ },
};

/** A family by its short name, or undefined. */
export function familyOf(alias: string): ModelFamily | undefined {
  return Object.hasOwn(FAMILIES, alias) ? FAMILIES[alias] : undefined;
}

/** The newest model of a family among those that are still offered. */
export function newestOfFamily(family: ModelFamily, entries: readonly ModelEntry[]): ModelEntry | undefined {
  return entries
    .filter((entry) => !entry.deprecated && family.pattern.test(plainId(baseName(entry.id))))
    .sort((left, right) => newerFirst(left.id, right.id))[0];
}

/**
 * A good all-round model of a provider, for somebody who names none: the newest of its own first family, else of the first family that
 * it serves, else one that thinks.
 */
export function allRoundModel(provider: CatalogProvider, entries: readonly ModelEntry[]): ModelEntry | undefined {
  const maker = provider.variantOf ?? provider.id;
  const families = Object.values(FAMILIES);
  const ownFirst = [...families.filter((each) => each.maker === maker), ...families];
  for (const family of ownFirst) {
    const newest = newestOfFamily(family, entries);
    if (newest) return newest;
  }
  const offered = entries.filter((entry) => !entry.deprecated);
  return offered.find((entry) => entry.reasoning) ?? offered[0];
}

/** All short names. */
export function aliasNames(): string[] {
  return Object.keys(FAMILIES);
}

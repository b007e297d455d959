// Models that the catalog does not hold. Providers bring out models faster than lists, so an unknown id of a known provider is taken
// as it is, with what its nearest relative says about how to talk to it, and without that one's limits and prices.
import type { Model } from "../types.ts";
import { type CatalogProvider, type ModelEntry, modelFromEntry } from "./entry.ts";

/** A relative shares at least this many words from the start of its id. */
const SHARED_WORDS_MIN = 2;

/** A model for an id that is not among the provider's entries. */
export function unlistedModel(provider: CatalogProvider, id: string, entries: readonly ModelEntry[]): Model {
  const relative = nearestRelative(id, entries);
  const entry: ModelEntry = relative
    ? {
        id,
        ...(relative.api && { api: relative.api }),
        ...(relative.reasoning && { reasoning: true }),
        ...(relative.thinkingLevelMap && { thinkingLevelMap: relative.thinkingLevelMap }),
        ...(relative.input && { input: relative.input }),
        ...(relative.quirks && { quirks: relative.quirks }),
      }
    : // Asked to think, a model that cannot ignores it or says so; one that can would never be asked.
      { id, reasoning: true, input: ["text", "image"] };
  return { ...modelFromEntry(provider, entry), unlisted: true };
}

/** The last of the entries, thus the newest version, among those that share the most words with the id. */
function nearestRelative(id: string, entries: readonly ModelEntry[]): ModelEntry | undefined {
  let best: ModelEntry | undefined;
  let most = SHARED_WORDS_MIN;
  for (const entry of entries) {
    if (entry.deprecated) continue;
    const shared = sharedWords(id, entry.id);
    if (shared < most) continue;
    best = entry;
    most = shared;
  }
  return best;
}

function sharedWords(left: string, right: string): number {
  const [words, others] = [left.toLowerCase().split(/[-/:_]/), right.toLowerCase().split(/[-/:_]/)];
  const different = words.findIndex((word, index) => word !== others[index]);
  return different === -1 ? words.length : different;
}

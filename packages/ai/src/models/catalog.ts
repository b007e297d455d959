// Models that are known by name. getModel accepts any id of a known provider, since providers bring out models faster than lists.
import { providerRow, providerRows } from "../providers/rows.ts";
import type { Model } from "../types.ts";
import { nearest } from "./nearest.ts";

/** All providers by id. */
export function getProviders(): string[] {
  return providerRows().map((row) => row.id);
}

/**
 * The model of a provider. An id that the catalog does not hold is taken as it is, with unknown limits and prices; an unknown
 * provider throws an error that names the nearest known ones.
 */
export function getModel(provider: string, id: string): Model {
  const row = providerRow(provider);
  if (!row) {
    const near = nearest(provider, getProviders());
    const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : ` Known are ${getProviders().join(", ")}.`;
    throw new Error(`There is no provider "${provider}".${hint}`);
  }
  return {
    id,
    name: id,
    api: row.api,
    provider: row.id,
    baseUrl: row.baseUrl,
    reasoning: true,
    input: ["text", "image"],
    cost: {},
    ...(row.quirks && { quirks: row.quirks }),
  };
}

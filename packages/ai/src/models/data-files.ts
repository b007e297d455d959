// The catalog's data, one JSON file per provider, read when that provider is first asked for. Reading must be synchronous, since
// getModel is, and must not be seen by bundlers, since nobody wants 30 files in a web page; so the file system is asked for at run
// time, and where there is none (a browser) the catalog is empty unless it is handed data. See docs/decisions.
import type { ProviderData } from "./entry.ts";

/** Where the files are, seen from this module: in the package, and beside or above the chunk of a bundle. */
const PLACES = ["../../data/", "./data/", "../data/"] as const;
/** Kept out of `new URL(…, import.meta.url)`, which bundlers replace. */
const HERE = import.meta.url;

/** The data of a provider, or undefined where there is none. */
export function readDataFile(provider: string): ProviderData | undefined {
  const fileSystem = globalThis.process?.getBuiltinModule?.("node:fs");
  if (!fileSystem || !HERE.startsWith("file:")) return undefined;
  for (const place of PLACES) {
    const file = new URL(`${place}${encodeURIComponent(provider)}.json`, HERE);
    if (!fileSystem.existsSync(file)) continue;
    const data = JSON.parse(fileSystem.readFileSync(file, "utf8")) as ProviderData;
    if (data.provider === provider) return data;
  }
  return undefined;
}

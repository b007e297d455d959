// Brings the catalog up to date: sources by URL or file, merged over what is known, written as data files. The data files of this package
// are made with it, and so are a user's own.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { providerRows } from "../../providers/rows.ts";
import { readDataFile } from "../data-files.ts";
import type { ProviderData } from "../entry.ts";
import { type CatalogSource, formatOf, mergeProvider } from "../refresh/merge.ts";

/** models.dev's list of all models, MIT. */
const MODELS_DEV_URL = "https://models.dev/api.json";
const TIMEOUT_MS = 60_000;
const MONTH = /\d{4}-\d{2}/;

/** Where the catalog is kept, and what it is made from. */
export interface RefreshOptions {
  /** Where the data files are and will be. It is made if it does not exist. */
  directory: string;
  /** URLs or paths of files in the format of models.dev's api.json, from oldest to newest. Default: models.dev itself. */
  sources?: readonly string[];
  /** Forget what is known, instead of taking it as the oldest source. Default false. */
  fresh?: boolean;
  /** Write nothing. Default false. */
  dryRun?: boolean;
  /** Default `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** What a refresh found. */
export interface RefreshResult {
  /** `+ provider/id` is new, `~ provider/id` changed, `- provider/id` is gone. */
  changes: string[];
  /** The data of all providers that are known now. */
  catalog: ProviderData[];
}

/**
 * Refreshes the data files in a directory. What they do not have is taken from those that ship. Rejects if a source cannot be read
 * or knows none of our providers; nothing is written then.
 */
export async function refreshCatalog(options: RefreshOptions): Promise<RefreshResult> {
  const { directory, sources: places = [MODELS_DEV_URL], fresh = false, dryRun = false } = options;
  const sources: CatalogSource[] = [];
  for (const place of places) sources.push(await readSource(place, options.fetch ?? globalThis.fetch));
  for (const [index, source] of sources.entries())
    if (!providerRows().some((row) => mergeProvider(row, [source])))
      throw new Error(`${places[index]} lists no provider that is known here. Is it like models.dev's api.json?`);
  const written = catalogDirectory(directory);
  const result: RefreshResult = { changes: [], catalog: [] };
  for (const row of providerRows()) {
    if (row.variantOf !== undefined || row.liveModels) continue;
    const previous = written(row.id);
    const merged = mergeProvider(row, sources, fresh ? undefined : previous);
    if (!merged) continue;
    result.catalog.push(merged);
    result.changes.push(...changesOf(previous, merged));
  }
  if (!dryRun) await writeAll(directory, result.catalog);
  return result;
}

/**
 * The data files of a directory, for `createCatalog({ data })`. Providers without a file there have the data that ships, and so have
 * those whose file has become older than that, since the package was upgraded. A file that cannot be read counts as none.
 */
export function catalogDirectory(directory: string): (provider: string) => ProviderData | undefined {
  return (provider) => {
    const shipped = readDataFile(provider);
    const own = readOwn(join(directory, `${encodeURIComponent(provider)}.json`));
    return own && monthOf(own) >= monthOf(shipped) ? own : shipped;
  };
}

function readOwn(file: string): ProviderData | undefined {
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as ProviderData) : undefined;
  } catch {
    return undefined;
  }
}

/** The month of the newest source, such as `2026-11`. */
function monthOf(data: ProviderData | undefined): string {
  const months = data?.sources.flatMap((source) => MONTH.exec(source)?.[0] ?? []) ?? [];
  return months.sort().at(-1) ?? "";
}

async function readSource(place: string, fetch: typeof globalThis.fetch): Promise<CatalogSource> {
  const text = /^https?:/.test(place) ? await fetchText(place, fetch) : await readFile(place, "utf8");
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`${place} is not valid JSON.`, { cause: error });
  }
  const format = formatOf(content);
  const date = MONTH.exec(basename(place))?.[0] ?? new Date().toISOString().slice(0, 7);
  return { format, content, label: `${format === "facts" ? "facts by hand" : "models.dev (MIT)"}, ${date}` };
}

async function fetchText(url: string, fetch: typeof globalThis.fetch): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    const { cause = error } = error as { cause?: unknown };
    const { code, message } = cause as { code?: string; message?: string };
    throw new Error(`${url} cannot be reached (${code ?? message}).`, { cause: error });
  });
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}.`);
  return response.text();
}

function changesOf(before: ProviderData | undefined, after: ProviderData): string[] {
  const known = new Map((before?.models ?? []).map((model) => [model.id, JSON.stringify(model)]));
  const changes: string[] = [];
  for (const model of after.models) {
    const old = known.get(model.id);
    known.delete(model.id);
    if (old !== JSON.stringify(model)) changes.push(`${old === undefined ? "+" : "~"} ${after.provider}/${model.id}`);
  }
  return [...changes, ...[...known.keys()].map((id) => `- ${after.provider}/${id}`)];
}

async function writeAll(directory: string, catalog: readonly ProviderData[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const data of catalog) {
    const file = join(directory, `${encodeURIComponent(data.provider)}.json`);
    const draft = `${file}.${randomUUID()}.tmp`;
    try {
      await writeFile(draft, dataText(data));
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}

/** One model per line, so that a change of one model is a change of one line. */
function dataText({ provider, sources, models }: ProviderData): string {
  const lines = models.map((model) => `    ${JSON.stringify(model)}`).join(",\n");
  return `{\n  "provider": ${JSON.stringify(provider)},\n  "sources": ${JSON.stringify(sources)},\n  "models": [\n${lines}\n  ]\n}\n`;
}

// What model somebody means by a text. An id may hold slashes and colons itself, so what is listed exactly is looked for before anything
// is split off. Nothing is guessed where two models fit as well: the answer then says so.
import { THINKING_LEVELS } from "../thinking-levels.ts";
import type { Model, ThinkingLevel } from "../types.ts";
import { aliasNames, familyOf, newestOfFamily } from "./aliases.ts";
import type { CatalogProvider, ModelEntry } from "./entry.ts";
import { fitOf, newerFirst, plainId } from "./id-words.ts";
import { editDistance, nearest } from "./nearest.ts";

/** Where to look for a model, and what to prefer. */
export interface ModelSearchOptions {
  /** Look at this provider only. */
  provider?: string;
  /** Whether the provider can be used now, such as "there is a key". Of matches that fit as well, usable ones go first. */
  isUsable?: (provider: string) => boolean;
}

/** A model that somebody may mean by a text, and why. */
export interface ModelMatch {
  model: Model;
  /** From a suffix such as `:high`. */
  thinkingLevel?: ThinkingLevel;
  /**
   * `exact`: the id. `alias`: the newest of a family. `part`: the id or name in another spelling, or a part of it. `unlisted`: the
   * provider is known and the id is not. `similar`: nothing fits, but this one is spelled alike.
   */
  kind: "exact" | "alias" | "part" | "unlisted" | "similar";
}

/** One model, or why there is none. */
export interface ModelChoice {
  /** Absent if nothing fits or several fit equally well; `problem` then says so in a sentence. */
  model?: Model;
  thinkingLevel?: ThinkingLevel;
  problem?: string;
  /** All that fit, best first. */
  matches: ModelMatch[];
}

/** What a search looks at: the providers and entries of a catalog. */
export interface SearchSource {
  providers(): readonly CatalogProvider[];
  entries(provider: CatalogProvider): readonly ModelEntry[];
  /** Any id, also one that is not listed. */
  model(provider: string, id: string): Model;
}

/** How many models a sentence names. */
const NAMED_MAX = 5;
/** Behind a provider's name, scattered words are no match: the text is meant as an id. */
const WORST_FIT_IN_PROVIDER = 3;
/** If the name of the provider is to be a part of somebody else's id, the text must be whole words of it. */
const WORST_FIT_BEYOND_PROVIDER = 2;

/** A match before its model is made, and what it is sorted by. */
interface Candidate {
  provider: string;
  id: string;
  kind: ModelMatch["kind"];
  fit: number;
  standing: number;
}

/** A text, and what it says beside the id. */
interface Reading {
  text: string;
  thinkingLevel?: ThinkingLevel;
}

interface Found {
  id: string;
  kind: ModelMatch["kind"];
  fit: number;
  deprecated?: boolean;
  /** Who makes it, where that is known better than by the provider's row. */
  maker?: string;
}

type Finder = (text: string, entries: readonly ModelEntry[]) => Found[];

/** All models that a text may mean, best first. */
export function searchModels(source: SearchSource, query: string, options: ModelSearchOptions = {}): ModelMatch[] {
  return matchesOf(source, new Search(source, options).run(query.trim()));
}

/** The one model that a text means. */
export function chooseModel(source: SearchSource, query: string, options: ModelSearchOptions = {}): ModelChoice {
  const text = query.trim();
  const result = new Search(source, options).run(text);
  const { candidates, reading } = result;
  const matches = matchesOf(source, result);
  const [best, first] = [candidates[0], matches[0]];
  if (!best || !first || best.kind === "similar") {
    const hint = best ? ` Did you mean ${named(candidates)}?` : "";
    return { matches, problem: `No model is called "${text}".${hint}` };
  }
  const equals = candidates.filter(({ fit, standing }) => fit === best.fit && standing === best.standing);
  if (equals.length > 1) {
    return { matches, problem: `"${text}" may mean ${named(equals)}. Write more of it, or provider/id.` };
  }
  const { thinkingLevel } = reading;
  return { model: first.model, ...(thinkingLevel && { thinkingLevel }), matches };
}

interface SearchResult {
  candidates: Candidate[];
  /** The reading of the text that led to them. */
  reading: Reading;
}

const matchesOf = (source: SearchSource, { candidates, reading }: SearchResult): ModelMatch[] =>
  candidates.map(({ provider, id, kind }) => ({
    model: source.model(provider, id),
    ...(reading.thinkingLevel && { thinkingLevel: reading.thinkingLevel }),
    kind,
  }));

/** One search: tries readings and ways to match from the strictest to the loosest, and stops at the first that finds something. */
class Search {
  readonly #source: SearchSource;
  readonly #options: ModelSearchOptions;

  constructor(source: SearchSource, options: ModelSearchOptions) {
    this.#source = source;
    this.#options = options;
  }

  run(text: string): SearchResult {
    const readings = readingsOf(text);
    for (const reading of text === "" ? [] : readings) {
      const here = this.#inProvider(reading.text, byId);
      if (here.length > 0) return { candidates: here, reading };
      // Where one provider has the id, others may have the same model under another spelling of it.
      const elsewhere = this.#anywhere(reading.text, byId).length > 0 ? this.#anywhere(reading.text, byPart(0)) : [];
      if (elsewhere.length > 0) return { candidates: sorted(elsewhere), reading };
    }
    const reading = readings.at(-1) ?? { text };
    for (const step of text === "" ? [] : this.#looseSteps(reading.text)) {
      const found = step();
      if (found.length > 0) return { candidates: sorted(found), reading };
    }
    return { candidates: [], reading };
  }

  #looseSteps(text: string): (() => Candidate[])[] {
    const beyond = this.#scopeOf(text) ? WORST_FIT_BEYOND_PROVIDER : Number.POSITIVE_INFINITY;
    return [
      () => this.#inProvider(text, byAlias),
      () => this.#anywhere(text, byAlias),
      () => this.#inProvider(text, byPart(WORST_FIT_IN_PROVIDER)),
      () => this.#anywhere(text, byPart(beyond)),
      () =>
        this.#inProvider(text, (rest, entries) => [{ id: rest, kind: "unlisted", fit: 0 }, ...similar(rest, entries)]),
      () => [...this.#nearAliases(text), ...this.#anywhere(text, similar)],
    ];
  }

  /** The provider that the options or the text name, and the rest of the text. */
  #scopeOf(text: string): { provider: CatalogProvider; rest: string } | undefined {
    const slash = text.indexOf("/");
    const prefix = text.slice(0, Math.max(0, slash)).toLowerCase();
    const wanted = this.#options.provider ?? prefix;
    const provider = this.#source.providers().find(({ id }) => id === wanted);
    if (!provider) return undefined;
    const rest = prefix === wanted ? text.slice(slash + 1) : text;
    return rest === "" ? undefined : { provider, rest };
  }

  #inProvider(text: string, find: Finder): Candidate[] {
    const scope = this.#scopeOf(text);
    if (!scope) return [];
    const found = find(scope.rest, this.#source.entries(scope.provider));
    return found.map((each) => this.#candidate(each, scope.provider));
  }

  /** Looks at all providers but those that are used only when they are named. */
  #anywhere(text: string, find: Finder): Candidate[] {
    if (this.#options.provider !== undefined) return [];
    return this.#source
      .providers()
      .filter((provider) => provider.variantOf === undefined)
      .flatMap((provider) => find(text, this.#source.entries(provider)).map((each) => this.#candidate(each, provider)));
  }

  /** What the short names mean that are spelled alike, each at the provider that goes first. */
  #nearAliases(text: string): Candidate[] {
    return nearest(text, aliasNames()).flatMap((alias) => {
      const best = sorted(this.#anywhere(alias, byAlias))[0];
      return best ? [{ ...best, kind: "similar" as const, fit: editDistance(text.toLowerCase(), alias) }] : [];
    });
  }

  /** Of models that fit as well: offered ones first, then usable ones, then those at their maker. */
  #candidate({ id, kind, fit, deprecated, maker }: Found, provider: CatalogProvider): Candidate {
    const unusable = this.#options.isUsable !== undefined && !this.#options.isUsable(provider.id);
    const hosted = maker === undefined ? !provider.makesModels : maker !== provider.id;
    const standing = (deprecated ? 4 : 0) + (unusable ? 2 : 0) + (hosted ? 1 : 0);
    return { provider: provider.id, id, kind, fit, standing };
  }
}

/** The text as it is, and without a thinking level at its end. */
function readingsOf(text: string): Reading[] {
  const colon = text.lastIndexOf(":");
  const suffix = text.slice(colon + 1).toLowerCase();
  const thinkingLevel = THINKING_LEVELS.find((level) => level === suffix);
  if (colon <= 0 || thinkingLevel === undefined) return [{ text }];
  return [{ text }, { text: text.slice(0, colon), thinkingLevel }];
}

const isId = (text: string, id: string): boolean => id.toLowerCase() === text.toLowerCase();

const byId: Finder = (text, entries) =>
  entries
    .filter((entry) => isId(text, entry.id))
    .map(({ id, deprecated = false }) => ({ id, kind: "exact", fit: 0, deprecated }));

const byAlias: Finder = (text, entries) => {
  const family = familyOf(plainId(text));
  if (!family) return [];
  const newest = newestOfFamily(family, entries);
  return newest ? [{ id: newest.id, kind: "alias", fit: 0, maker: family.maker }] : [];
};

const byPart =
  (worstFit: number): Finder =>
  (text, entries) =>
    entries.flatMap(({ id, name = id, deprecated = false }) => {
      const fit = fitOf(text, id, name);
      if (fit === undefined || fit > worstFit) return [];
      return [{ id, kind: isId(text, id) ? ("exact" as const) : ("part" as const), fit, deprecated }];
    });

const similar: Finder = (text, entries) => {
  const ids = entries.filter((entry) => !entry.deprecated).map((entry) => entry.id);
  return nearest(text, ids).map((id) => ({
    id,
    kind: "similar",
    fit: editDistance(text.toLowerCase(), id.toLowerCase()),
  }));
};

function sorted(candidates: Candidate[]): Candidate[] {
  return candidates
    .map((each, index) => ({ ...each, index }))
    .sort(
      (left, right) =>
        left.fit - right.fit ||
        left.standing - right.standing ||
        (left.provider === right.provider ? newerFirst(left.id, right.id) : left.index - right.index),
    );
}

function named(candidates: readonly Candidate[]): string {
  const names = candidates.map(({ provider, id }) => `${provider}/${id}`);
  const shown = names.slice(0, NAMED_MAX);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(", ")} or ${more} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}` : (shown[0] ?? "");
}

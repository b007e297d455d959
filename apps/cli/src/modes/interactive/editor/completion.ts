// What the editor offers while one writes: commands after /, files of the workspace after @, paths on Tab. Files that ignore
// files hide are left out, and so are names that the terminal would obey.
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  CombinedAutocompleteProvider,
  fuzzyFilter,
  type SlashCommand,
} from "@earendil-works/pi-tui";
import { cleanForScreen } from "../../../terminal/escape.ts";
import { listFiles } from "../../../tools/list-files.ts";
import { findRipgrep } from "../../../tools/ripgrep.ts";

const FILES_MAX = 50_000;
const ITEMS_MAX = 20;
/** `@` at the beginning of a word, and what has been written of it. */
const FILE_PREFIX = /(?:^|[\s"'=])(@(?:"[^"]*|[^\s"]*))$/;

/** Completion for one workspace. */
export class Completion implements AutocompleteProvider {
  readonly #root: string;
  readonly #others: CombinedAutocompleteProvider;
  #files: string[] | undefined;

  constructor(root: string, commands: SlashCommand[]) {
    this.#root = root;
    this.#others = new CombinedAutocompleteProvider(commands, root);
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    options: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const prefix = FILE_PREFIX.exec((lines[cursorLine] ?? "").slice(0, cursorCol))?.[1];
    if (prefix !== undefined) return this.#suggestFiles(prefix, options.signal);
    // Paths without @ are offered on Tab alone: anything may be a path.
    if (!options.force && !lines[cursorLine]?.startsWith("/")) return null;
    const found = await this.#others.getSuggestions(lines, cursorLine, cursorCol, options);
    return found && { ...found, items: found.items.filter(isHarmless) };
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    // Whoever types faster than suggestions come would have one for an earlier text put into the present one.
    const isStale = !(lines[cursorLine] ?? "").slice(0, cursorCol).endsWith(prefix);
    if (isStale) return { lines, cursorLine, cursorCol };
    return this.#others.applyCompletion(lines, cursorLine, cursorCol, item, prefix);
  }

  shouldTriggerFileCompletion(lines: string[], cursorLine: number, cursorCol: number): boolean {
    return this.#others.shouldTriggerFileCompletion(lines, cursorLine, cursorCol);
  }

  async #suggestFiles(prefix: string, signal: AbortSignal): Promise<AutocompleteSuggestions | null> {
    // The list is read anew whenever a word begins.
    if (prefix === "@" || !this.#files) this.#files = await this.#listFiles(signal);
    const wanted = prefix.replace(/^@"?/, "");
    const found = wanted === "" ? this.#files : fuzzyFilter(this.#files, wanted, (path) => path);
    const items = found.slice(0, ITEMS_MAX).map((path) => ({
      value: path.includes(" ") ? `@"${path}"` : `@${path}`,
      label: path.slice(path.lastIndexOf("/") + 1),
      description: path,
    }));
    return items.length > 0 ? { items, prefix } : null;
  }

  async #listFiles(signal: AbortSignal): Promise<string[]> {
    const files: string[] = [];
    const take = (path: string) => {
      if (cleanForScreen(path) === path) files.push(path);
      return files.length < FILES_MAX;
    };
    try {
      await listFiles(this.#root, await findRipgrep(process.env), signal, take);
    } catch {
      // When the next letter came before it ended there is nothing to offer.
    }
    return files;
  }
}

function isHarmless({ value }: AutocompleteItem): boolean {
  return cleanForScreen(value) === value;
}

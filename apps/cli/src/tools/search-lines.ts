// Searches the lines of files without ripgrep. Patterns are JavaScript's here, tried for a limited time on each file, since one
// with the wrong shape can take for ever.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createContext, Script } from "node:vm";
import { globMatcher, walkFiles } from "./walk-files.ts";

/** What is looked for, and where. */
export interface LineSearch {
  pattern: string;
  /** Absolute path of a file or folder. */
  path: string;
  glob?: string;
  ignoreCase?: boolean;
  literal?: boolean;
  /** Lines around each match. Default 0. */
  context?: number;
}

/** One line of a file. */
export interface FoundLine {
  /** Absolute path. */
  file: string;
  /** From 1. */
  number: number | undefined;
  text: string;
  /** Whether it matches, and not just stands near a line that does. */
  isMatch: boolean;
}

const FILE_BYTES_MAX = 10_000_000;
const FILE_TIME_MAX_MS = 1000;
const MATCHING_LINES = new Script("lines.flatMap((line, index) => (expression.test(line) ? [index] : []))");
/** Lines that are tried before other things have their turn. */
const LINES_AT_ONCE = 10_000;

/** How a search ended. */
export interface SearchEnd {
  /** It was told to stop before it had looked everywhere. */
  isCut: boolean;
  /** Files that were too long to be searched. */
  skipped: number;
}

/** Hands over lines until there are no more, or until `onLine` wants no more. */
export async function searchLines(
  search: LineSearch,
  signal: AbortSignal | undefined,
  onLine: (line: FoundLine) => boolean,
): Promise<SearchEnd> {
  let skipped = 0;
  const matching = lineMatcher(compile(search));
  for await (const file of filesOf(search, signal)) {
    const size = (await stat(file).catch(() => undefined))?.size ?? 0;
    if (size > FILE_BYTES_MAX) skipped++;
    const bytes = size > FILE_BYTES_MAX ? undefined : await readFile(file).catch(() => undefined);
    if (!bytes || bytes.length === 0 || bytes.includes(0)) continue;
    for await (const line of foundLines(bytes.toString("utf8"), matching, search.context ?? 0))
      if (!onLine({ file, ...line })) return { isCut: true, skipped };
  }
  return { isCut: false, skipped };
}

async function* filesOf({ path, glob }: LineSearch, signal: AbortSignal | undefined): AsyncGenerator<string> {
  if ((await stat(path)).isFile()) return yield path;
  const isMeant = glob === undefined ? () => true : globMatcher(glob);
  for await (const file of walkFiles(path, signal)) if (isMeant(file)) yield join(path, file);
}

function compile({ pattern, literal, ignoreCase }: LineSearch): RegExp {
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : pattern;
  const flags = ignoreCase ? "i" : "";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Outside the Unicode mode more escapes are overlooked, as other tools do.
    return new RegExp(source, flags);
  }
}

/** The indexes of lines that match, found within a time. */
type LineMatcher = (lines: string[], timeMaxMs: number) => number[];

function lineMatcher(expression: RegExp): LineMatcher {
  const context = createContext({ expression, lines: [] });
  return (lines, timeout) => {
    context["lines"] = lines;
    try {
      return MATCHING_LINES.runInContext(context, { timeout }) as number[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new Error(`The pattern takes too long. Write one without nested repetition, or set literal.`);
    }
  };
}

/** Lines that match and those around them, in order and each once. */
async function* foundLines(
  text: string,
  matching: LineMatcher,
  around: number,
): AsyncGenerator<Omit<FoundLine, "file">> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const line = (index: number, isMatch: boolean) => ({ number: index + 1, text: lines[index]!, isMatch });
  let timeLeft = FILE_TIME_MAX_MS;
  let given = 0;
  let aroundUntil = 0;
  for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
    const part = lines.slice(start, start + LINES_AT_ONCE);
    const begin = performance.now();
    const matches = matching(
      part.map((each) => each.replace(/\r$/, "")),
      timeLeft,
    );
    timeLeft = Math.max(1, Math.ceil(timeLeft - (performance.now() - begin)));
    for (const match of matches.map((index) => start + index)) {
      for (; given < Math.min(match, aroundUntil); given++) yield line(given, false);
      for (given = Math.max(given, match - around); given < match; given++) yield line(given, false);
      yield line(match, true);
      given = match + 1;
      aroundUntil = given + around;
    }
    const known = Math.min(start + part.length, aroundUntil);
    for (; given < known; given++) yield line(given, false);
    if (start + part.length < lines.length) await setImmediate();
  }
}

// The files below a folder, sorted, without ripgrep: what .gitignore (in a repository), .ignore and .rgignore leave out is left out,
// and so is .git. Links are not followed. The person's global ignore file is not looked at.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import ignore, { type Ignore } from "ignore";

/** Most globs that one with braces may stand for. */
const GLOBS_MAX = 200;

/** Entries of a folder that are looked at before other things have their turn. */
const ENTRIES_AT_ONCE = 1000;

/** The ignore files of one folder. */
interface Level {
  folder: string;
  rules: Ignore;
}

/** Gives the paths of files, relative to the folder. A folder that cannot be read is left out. */
export async function* walkFiles(folder: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const repository = repositoryOf(folder);
  const levels: Level[] = [];
  if (repository !== undefined)
    for (const above of foldersBetween(repository, folder)) levels.push(await readLevel(above, true));
  yield* walk(folder, folder, levels, repository !== undefined, signal);
}

/** Whether a path is meant by a glob, as ripgrep takes it: without a slash it is about the name, `!` turns it round. */
export function globMatcher(glob: string): (path: string) => boolean {
  const isNegated = glob.startsWith("!");
  const rules = ignore().add(expandBraces(isNegated ? glob.slice(1) : glob));
  return (path) => rules.ignores(path) !== isNegated;
}

async function* walk(
  root: string,
  folder: string,
  above: readonly Level[],
  isRepository: boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  signal?.throwIfAborted();
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const levels = [...above, await readLevel(folder, isRepository)];
  for (const [index, entry] of entries.sort((one, other) => (one.name < other.name ? -1 : 1)).entries()) {
    if (index % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) await setImmediate();
    const path = join(folder, entry.name);
    if (entry.name === ".git" || isIgnored(path, entry.isDirectory(), levels)) continue;
    if (entry.isDirectory()) yield* walk(root, path, levels, isRepository, signal);
    else if (entry.isFile()) yield relative(root, path);
  }
}

/** The nearest folder decides, and in it the last rule. */
function isIgnored(path: string, isFolder: boolean, levels: readonly Level[]): boolean {
  for (const { folder, rules } of levels.toReversed()) {
    const { ignored, unignored } = rules.test(`${relative(folder, path)}${isFolder ? "/" : ""}`);
    if (ignored || unignored) return ignored;
  }
  return false;
}

async function readLevel(folder: string, isRepository: boolean): Promise<Level> {
  const rules = ignore();
  for (const name of [...(isRepository ? [".gitignore"] : []), ".ignore", ".rgignore"])
    rules.add(await readFile(join(folder, name), "utf8").catch(() => ""));
  return { folder, rules };
}

/** The nearest folder at or above one that has a `.git`. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

/** From the first folder down to the one above the last. */
function foldersBetween(first: string, last: string): string[] {
  const folders: string[] = [];
  for (let folder = last; folder !== first; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

function expandBraces(glob: string): string[] {
  let globs = [glob];
  while (globs.length < GLOBS_MAX && globs.some((each) => BRACES.test(each)))
    globs = globs.flatMap((each) => {
      const [braces, inside] = BRACES.exec(each) ?? [];
      if (braces === undefined || inside === undefined) return [each];
      return inside.split(",").map((part) => each.replace(braces, () => part));
    });
  return globs;
}

const BRACES = /\{([^{}]*)\}/;

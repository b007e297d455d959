// Where a path really is: through links and `..`, also for files that do not exist yet. And whether a glob means it.
import { type BigIntStats, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, relative, sep } from "node:path";

const LINKS_MAX = 40;

/** The path with all links resolved. The part that does not exist yet stays as it is; a link to nothing is followed. */
export function realPath(path: string, links = 0): string {
  if (links > LINKS_MAX) throw new Error(`${path} leads through more than ${LINKS_MAX} links.`);
  try {
    // The system's own: Node's takes `..` out of the targets of links by their names, and the system goes where they lead.
    return realpathSync.native(path);
  } catch {
    if (dirname(path) === path) return path;
    const folder = realPath(dirname(path), links);
    return isLink(path) ? follow(folder, readlinkSync(path), links + 1) : join(folder, basename(path));
  }
}

function isLink(path: string): boolean {
  return entryAt(path)?.isSymbolicLink() ?? false;
}

function entryAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    // Something on the way is a file, or there can be nothing of such a name.
    if (["ENOTDIR", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Where the target of a link leads, step by step from the real folder that the link is in. */
function follow(folder: string, target: string, links: number): string {
  let at = isAbsolute(target) ? parse(target).root : folder;
  for (const part of target.slice(isAbsolute(target) ? at.length : 0).split(sep)) {
    if (part === "..") at = dirname(at);
    else if (part !== "" && part !== ".") at = realPath(join(at, part), links);
  }
  return at;
}

/** The path from a folder to a real path; undefined if it is not inside. The folder itself is the empty path. */
export function pathInside(folder: string, real: string): string | undefined {
  const path = relative(realPath(folder), real);
  return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path) ? undefined : path;
}

/** Whether a file has other names, that is hard links to it. Where they are nobody can tell, and a change is a change of them all. */
export function hasOtherNames(real: string): boolean {
  const entry = entryAt(real);
  return entry?.isFile() === true && entry.nlink > 1n;
}

/** Folders whose files make programs run, so that a general rule does not reach into them. */
const GUARDED = new Set([".git", ".rondo"]);

/** Whether a path inside the workspace is in a folder that only a rule which names it opens. */
export function isGuarded(inside: string): boolean {
  return inside.split(sep).some((part) => GUARDED.has(part.toLowerCase()));
}

/** Whether a glob means a path or a folder that it is in, as is meant where something is forbidden. */
export function coversPath(glob: string, real: string, root: string, home: string): boolean {
  const folder = glob.replace(/\/+$/, "");
  return matchesPath(folder, real, root, home) || matchesPath(`${folder}/**`, real, root, home);
}

/**
 * Whether a glob means a path. With a slash at its end it means what is in the folder. `*` and `?` stay within a folder, `**` does
 * not. Relative globs are relative to the workspace, `~/` is the home folder. Compared with the real path, so that a link does not
 * lead out of what was allowed.
 */
export function matchesPath(glob: string, real: string, root: string, home: string): boolean {
  const base = glob.startsWith("~/") ? realPath(home) : realPath(root);
  const whole = glob.endsWith("/") ? `${glob}**` : glob;
  const absolute = isAbsolute(whole) ? whole : join(base, whole.replace(/^~\//, ""));
  const source = absolute.replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    return part.replace(/[\\^$.+()[\]{}|]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "s").test(real);
}

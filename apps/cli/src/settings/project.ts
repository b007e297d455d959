// What a project brings along that could decide something or make programs run: its .rondo folder and its skills. A folder that was
// only cloned must not decide anything, so none of it is used before the person has trusted it, as it is: the trust is bound to
// a fingerprint of the content.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The folders of a project that are looked at, relative to it. */
const PROJECT_FOLDERS = [".rondo", join(".agents", "skills")];
const FILES_MAX = 2000;
const BYTES_MAX = 20_000_000;

/** A project's own settings and what goes with them. */
export interface Project {
  /** Absolute path of the folder that holds them. */
  folder: string;
  /** The files, relative to the folder. */
  files: string[];
  /** Changes with every change of a file; undefined if there is too much to look at, which is never trusted. */
  fingerprint: string | undefined;
}

/** The root of the repository that a folder is in; the folder itself if it is in none. */
export function repositoryRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** The folders from the root of the repository down to a folder. */
export function foldersDownTo(folder: string): string[] {
  const root = repositoryRoot(folder);
  const folders = [folder];
  for (let at = folder; at !== root; at = dirname(at)) folders.unshift(dirname(at));
  return folders;
}

/** The nearest folder, up to the root of the repository, that brings something along. The home folder is the person's own. */
export function findProject(folder: string, home: string): Project | undefined {
  const folders = foldersDownTo(folder).filter((at) => at !== home);
  const found = folders.findLast((at) => PROJECT_FOLDERS.some((name) => existsSync(join(at, name))));
  if (found === undefined) return undefined;
  const files = PROJECT_FOLDERS.flatMap((name) => filesBelow(join(found, name)).map((path) => relative(found, path)));
  return files.length === 0 ? undefined : { folder: found, files, fingerprint: fingerprintOf(found, files) };
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    // A link counts as what it leads to: its content is read like any other.
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [];
  }
}

function fingerprintOf(folder: string, files: string[]): string | undefined {
  if (files.length > FILES_MAX) return undefined;
  const hash = createHash("sha256");
  let size = 0;
  for (const file of files) {
    let content: Buffer;
    try {
      content = readFileSync(join(folder, file));
    } catch {
      content = Buffer.alloc(0);
    }
    size += content.length;
    if (size > BYTES_MAX) return undefined;
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

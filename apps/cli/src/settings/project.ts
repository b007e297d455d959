// What a project brings along that could decide something or make programs run: its .rondo folder and its skills. A folder that was
// only cloned must not decide anything, so none of it is used before the person has trusted it, as it is: the trust is bound to
// a fingerprint of the content.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathInside, realPath } from "../permissions/path-scope.ts";
import { readPlainFile, readPlainText } from "./plain-file.ts";

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
  const { files, fingerprint } = lookAt(found);
  return files.length === 0 ? undefined : { folder: found, files, fingerprint };
}

/** What lies in the project's folders, also behind links, and the programs that its settings name, relative to it. */
function lookAt(folder: string): Pick<Project, "files" | "fingerprint"> {
  const found: Found = { paths: [], folders: 0 };
  for (const name of PROJECT_FOLDERS) collectFiles(join(folder, name), found, new Set());
  const files = [...new Set([...found.paths, ...namedFiles(folder)])].map((path) => relative(folder, path));
  return { files, fingerprint: isTooMuch(found) ? undefined : fingerprintOf(folder, files) };
}

interface Found {
  paths: string[];
  /** How many folders were gone through; links can make many of few. */
  folders: number;
}

/** A link counts as what it leads to, since whoever loads the files goes through it as well. */
function collectFiles(folder: string, found: Found, above: ReadonlySet<string>): void {
  const real = realPath(folder);
  if (above.has(real)) return;
  found.folders += 1;
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return;
  }
  for (const name of names) {
    if (isTooMuch(found)) return;
    const path = join(folder, name);
    if (isFolder(path)) collectFiles(path, found, new Set([...above, real]));
    else found.paths.push(path);
  }
}

function isTooMuch({ paths, folders }: Found): boolean {
  return paths.length > FILES_MAX || folders > FILES_MAX;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** Modules and scripts elsewhere that the project's settings have loaded or run. */
function namedFiles(folder: string): string[] {
  const path = join(folder, ".rondo", "settings.json");
  let settings: { extensions?: unknown; mcpServers?: unknown };
  try {
    settings = JSON.parse(readPlainText(path));
  } catch {
    return [];
  }
  const words = (value: unknown): string[] =>
    typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(words)
        : [];
  const modules = words(settings?.extensions).map((name) => resolve(folder, ".rondo", name));
  const scripts = words(settings?.mcpServers).map((name) => resolve(folder, name));
  return [...modules, ...scripts.filter((each) => pathInside(folder, each) !== undefined)].filter(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function fingerprintOf(folder: string, files: string[]): string | undefined {
  const hash = createHash("sha256");
  let left = BYTES_MAX;
  for (const file of files) {
    let content: Buffer;
    try {
      const { bytes, isCut } = readPlainFile(join(folder, file), left);
      if (isCut) return undefined;
      content = bytes;
    } catch {
      content = Buffer.alloc(0);
    }
    left -= content.length;
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

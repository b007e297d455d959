// Turns what a model writes as a path into a path on disk: the exact name first, then the forms that the same name takes on
// other systems. It only ever looks; whether a path may be used is for the permissions to say.
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Workspace } from "./workspace.ts";

/**
 * The absolute path that was asked for, whether or not it exists, without `..`. `~/` is the home folder. A `..` after a link would
 * mean one folder to the system and another to whoever compares names, so it is taken out here, once for all.
 */
export function absolutePath(workspace: Pick<Workspace, "root" | "home">, path: string): string {
  if (path === "~") return workspace.home;
  if (path.startsWith("~/")) return join(workspace.home, path.slice(2));
  return resolve(workspace.root, path);
}

/**
 * The absolute path of a file that should exist. If there is none of that exact name, the name in other Unicode forms is tried,
 * then with the narrow space that macOS puts into names of screenshots, then without a leading `@` or quotes around it.
 */
export function existingPath(workspace: Pick<Workspace, "root" | "home">, path: string): string {
  const asked = absolutePath(workspace, path);
  for (const candidate of spellings(path)) {
    const absolute = absolutePath(workspace, candidate);
    if (exists(absolute)) return absolute;
  }
  return asked;
}

function spellings(path: string): string[] {
  const bare = path.replace(/^@/, "").replace(/^(["'])(.*)\1$/, "$2");
  const names = bare === path ? [path] : [path, bare];
  const spaced = names.map((name) => name.replace(/ (?=[AP]M\b)/g, "\u202f"));
  return [...names, ...spaced].flatMap((name) => [name, name.normalize("NFC"), name.normalize("NFD")]);
}

/**
 * Whether there is an entry, even a link to nothing. As big integers, since Node keeps the plain numbers of the last synchronous
 * stat where its module loader looks: after one of a pipe, imports through links fail (seen with Node 20.20).
 */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true }) !== undefined;
  } catch {
    // A part of the path is a file, or no folder that we may look into: whoever opens it says so.
    return false;
  }
}

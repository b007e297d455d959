// The licences of the packages whose code became part of a bundle, as their authors wrote them. Fails where a package has none.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const LICENCE_FILE = /^(licen[cs]e|copying)([.-].*)?$/i;

/** The folder of the package that a module belongs to, or undefined for modules of this repository. */
function packageFolder(moduleId) {
  const file = moduleId.replace(/^\0/, "").replace(/\?.*$/, "");
  if (!file.includes("/node_modules/")) return undefined;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version) return folder;
  }
  return undefined;
}

function notice(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => LICENCE_FILE.test(entry));
  if (!file && !license) throw new Error(`${name} ${version} says nothing about its licence, so it cannot be bundled.`);
  const owner = typeof author === "string" ? author : author?.name;
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `${license}${owner ? `, by ${owner}` : ""}`;
  return { title: `${name} ${version} (${license ?? "see below"})`, text };
}

/** One text for all packages that the modules come from, or an empty one where there are none. */
export function noticesText(moduleIds) {
  const folders = [...new Set(moduleIds.map(packageFolder))].filter((folder) => folder !== undefined);
  if (folders.length === 0) return "";
  const notices = folders.map(notice).sort((one, other) => (one.title < other.title ? -1 : 1));
  const parts = notices.map(({ title, text }) => `${"-".repeat(78)}\n${title}\n\n${text}\n`);
  return `The JavaScript beside this file contains code of the following packages, with thanks.\n\n${parts.join("\n")}`;
}

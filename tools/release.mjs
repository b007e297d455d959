#!/usr/bin/env node
// Prepares a release: the changesets become one version for all public packages and lines in their changelogs, everything is checked,
// then a commit and a tag. Publishing is the work of .github/workflows/release.yml, once the tag is pushed. Usage: npm run release
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PUBLIC_PACKAGES } from "./packed.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const versionNow = () => JSON.parse(readFileSync(join(root, PUBLIC_PACKAGES[0], "package.json"), "utf8")).version;

function stop(reason) {
  console.error(reason);
  process.exit(2);
}

if (git("status", "--porcelain") !== "") stop("There are changes that are not committed.");
const before = versionNow();
run("npm", "run", "changeset", "--", "version");
const version = versionNow();
if (version === before) stop("There is no changeset, so there is nothing to release. Add one with npm run changeset.");
if (git("tag", "--list", `v${version}`) !== "") stop(`There is a tag v${version} already.`);

run("npm", "test");
run("npm", "run", "check:packages");
const written = PUBLIC_PACKAGES.flatMap((name) => [`${name}/package.json`, `${name}/CHANGELOG.md`]);
git("add", ".changeset", ...written.filter((file) => existsSync(join(root, file))));
git("commit", "-m", `release: ${version}`);
git("tag", "-a", `v${version}`, "-m", version);
console.log(`\nTagged v${version}. To publish: git push --follow-tags`);

#!/usr/bin/env node
// Prepares a release: one version for all public packages, the changelog dated, everything checked, a commit and a tag. Publishing is
// the work of .github/workflows/release.yml, once the tag is pushed. Usage: npm run release -- 1.2.3
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PUBLIC_PACKAGES } from "./packed.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [version = ""] = process.argv.slice(2);
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

function stop(reason) {
  console.error(reason);
  process.exit(2);
}

if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) stop("Give the new version: npm run release -- 1.2.3");
if (git("status", "--porcelain") !== "") stop("There are changes that are not committed.");
if (git("tag", "--list", `v${version}`) !== "") stop(`There is a tag v${version} already.`);

const changelog = join(root, "CHANGELOG.md");
const changes = readFileSync(changelog, "utf8");
const heading = "## Unreleased\n";
if (!changes.includes(heading)) stop('CHANGELOG.md has no section "Unreleased".');

const manifests = PUBLIC_PACKAGES.map((name) => join(root, name, "package.json"));
for (const file of manifests)
  writeFileSync(file, readFileSync(file, "utf8").replace(/"version": "[^"]+"/, `"version": "${version}"`));
const today = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, changes.replace(heading, `${heading}\n## ${version} (${today})\n`));

run("npm", "test");
run("npm", "run", "check:packages");
git("add", changelog, ...manifests);
git("commit", "-m", `release: ${version}`);
git("tag", "-a", `v${version}`, "-m", version);
console.log(`\nTagged v${version}. To publish: git push --follow-tags`);

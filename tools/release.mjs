#!/usr/bin/env node
// Prepares a release: the changesets become one version for all public packages and lines in their changelogs, everything is checked,
// then a commit and a tag; with --push both go to origin, where the tag starts .github/workflows/release.yml, which publishes.
// What fails leaves the working tree as it was, so that the command can be run again. Usage: npm run release [-- --push]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PUBLIC_PACKAGES } from "./packed.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const isPushed = process.argv.includes("--push");
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trimEnd();
const versionNow = () => JSON.parse(readFileSync(join(root, PUBLIC_PACKAGES[0], "package.json"), "utf8")).version;

/** A reason not to release, in words. */
class Stop extends Error {}

/** Files that differ from the last commit, with those that it does not have. */
const changedFiles = () =>
  git("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice(3));

/** Takes back changes to files that were as in the last commit before. */
function undo(files) {
  git("reset", "--quiet");
  const known = new Set(git("ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0"));
  const [changed, made] = [files.filter((file) => known.has(file)), files.filter((file) => !known.has(file))];
  if (changed.length > 0) git("checkout", "HEAD", "--", ...changed);
  if (made.length > 0) git("clean", "--quiet", "--force", "--", ...made);
}

/** Before the minutes that the checks take: what would keep the push from succeeding after them. */
function checkPush(branch) {
  try {
    run("git", "push", "--dry-run", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
  } catch {
    throw new Stop(`${branch} cannot be pushed to origin, for the reason above.`);
  }
}

function push(branch, tag) {
  const args = ["push", "--atomic", "origin", `HEAD:refs/heads/${branch}`, `refs/tags/${tag}`];
  try {
    run("git", ...args);
  } catch {
    throw new Stop(`${tag} is made but not pushed. Run this again, or: git ${args.join(" ")}`);
  }
  console.log(`\nPushed ${tag}. The workflow "release" checks and publishes it.`);
}

/** Writes the new version and changelogs; gives the version. */
function writeVersion() {
  const before = versionNow();
  run("npm", "run", "changeset", "--", "version");
  const version = versionNow();
  if (version === before)
    throw new Stop("There is no changeset, so there is nothing to release. Add one with npm run changeset.");
  if (git("tag", "--list", `v${version}`) !== "") throw new Stop(`There is a tag v${version} already.`);
  if (isPushed && git("ls-remote", "--tags", "origin", `v${version}`) !== "")
    throw new Stop(`There is a tag v${version} at origin already.`);
  return version;
}

/** Makes the commit and its tag; gives the tag. */
function make() {
  let own;
  try {
    const version = writeVersion();
    own = changedFiles();
    run("npm", "test");
    run("npm", "run", "check:packages");
    git("add", "--all", "--", ...own);
    git("commit", "--quiet", "-m", `release: ${version}`);
    return version;
  } catch (error) {
    undo(own ?? changedFiles());
    console.error("\nThe versions, changelogs and changesets are again what they were.");
    throw error;
  }
}

function release() {
  const branch = git("symbolic-ref", "--short", "HEAD");
  const made = `v${versionNow()}`;
  if (git("tag", "--points-at", "HEAD", "--list", made) !== "") {
    if (!isPushed) throw new Stop(`${made} is made. To publish it: npm run release -- --push`);
    return push(branch, made);
  }
  if (changedFiles().length > 0)
    throw new Stop(`There are changes that are not committed:\n\n${git("status", "--short")}`);
  if (isPushed) checkPush(branch);
  const version = make();
  git("tag", "-a", `v${version}`, "-m", version);
  if (isPushed) push(branch, `v${version}`);
  else console.log(`\nTagged v${version}. To publish: npm run release -- --push`);
}

// Control-C ends the step that runs; then its changes are taken back.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
try {
  release();
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = error instanceof Stop ? 2 : 1;
}

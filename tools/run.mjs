#!/usr/bin/env node
// Runs a task of this repository with nothing but Node and npm: installs with the pinned pnpm when the lock file changed,
// then calls the tools in node_modules directly, which saves the start of a package manager on each run.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [task = "test", ...rest] = process.argv.slice(2);
const pinnedPnpm = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager;
const env = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  npm_config_prefer_offline: "true",
  npm_config_update_notifier: "false",
};

function spawn(command, args, extraEnv = {}) {
  return spawnSync(command, args, {
    cwd: root,
    env: { ...env, ...extraEnv },
    stdio: "inherit",
    shell: process.platform === "win32" && command === "npx",
  });
}

function run(command, args) {
  const { status } = spawn(command, args);
  if (status !== 0) process.exit(status ?? 1);
}

const pnpm = (...args) => run("npx", ["-y", pinnedPnpm, ...args]);
const tool = (file, ...args) => run(process.execPath, [join(root, "node_modules", file), ...args]);

/** Announces a step, so that a person who waits knows for what. */
const say = (step) => console.log(`\n── ${step}`);

function install() {
  const stampFile = join(root, "node_modules", ".setup-stamp");
  const lock = readFileSync(join(root, "pnpm-lock.yaml"));
  const stamp = createHash("sha256").update(lock).update(pinnedPnpm).update(process.version).digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  say("installing dependencies");
  pnpm("install", "--frozen-lockfile");
  writeFileSync(stampFile, stamp);
}

/** Types and declarations; the bundler writes the JavaScript, and reads the sources without their types. */
const types = () => tool("typescript/bin/tsc", "-b");
const bundle = (...packages) => run(process.execPath, [join(root, "tools/bundle.mjs"), ...packages]);

/** Runs vitest and closes with one line that says how many tests passed and failed. */
function tests(extraEnv, args) {
  const report = join(root, "node_modules", ".vitest-report.json");
  rmSync(report, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { status } = spawn(process.execPath, [vitest, "run", ...reporters, ...args], extraEnv);
  if (existsSync(report)) {
    const {
      numPassedTests: passed,
      numFailedTests: failed,
      numPendingTests: skipped,
    } = JSON.parse(readFileSync(report, "utf8"));
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
  process.exit(status ?? 1);
}

function check() {
  say("format and lint");
  tool("@biomejs/biome/bin/biome", "check", ".");
  say("types");
  types();
}

install();
switch (task) {
  case "start":
    say("building");
    tool("typescript/bin/tsc", "-b", "test-fixtures");
    bundle();
    run(process.execPath, [join(root, "tools/start.mjs"), ...rest]);
    break;
  case "test":
    check();
    say("tests");
    tests({}, rest);
    break;
  case "deep":
    say("types");
    types();
    say("sweeps that take minutes: fuzzing, simulation, cut recordings");
    tests({ RONDO_DEEP: "1" }, rest);
    break;
  case "check":
    check();
    break;
  case "format":
    tool("@biomejs/biome/bin/biome", "check", "--write", ".");
    break;
  case "conformance":
    bundle("packages/ai");
    run(process.execPath, [join(root, "tools/conformance.mjs"), ...rest]);
    break;
  case "models:update":
    bundle("packages/ai");
    run(process.execPath, [join(root, "tools/models-update.mjs"), ...rest]);
    break;
  case "bench":
    bundle();
    run(process.execPath, [join(root, "benchmarks/run.mjs"), ...rest]);
    break;
  case "check:packages":
    types();
    bundle("--clean");
    run(process.execPath, [join(root, "tools/check-packages.mjs"), ...rest]);
    break;
  default:
    // turbo looks for a pnpm on PATH; pnpm exec under npx puts it there.
    pnpm("exec", "turbo", "run", task, ...rest);
}

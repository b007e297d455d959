// Whether a stranger can depend on the packages: packs each as it would be published, then installs, runs, type-checks and bundles them
// in empty folders outside this repository, with the package managers, runtimes and compilers that people use.
// Usage: npm run check:packages [-- lint install types browser reference]. Wants a registry; takes some minutes.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { packAll } from "./packed.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const consumer = join(root, "tools/consumer");
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const PUBLINT = "publint@0.3.25";
const ARE_THE_TYPES_WRONG = "@arethetypeswrong/cli@0.18.5";
const MANAGERS = { npm: ["npm"], pnpm: ["npx", "-y", packageManager], yarn: ["npx", "-y", "yarn@1.22.22"] };
const RUNTIMES = ["node@20.20.2", "node@22.23.3", "node@24.21.0", "bun@1.3.2"];
const COMPILERS = ["5.4.5", "5.9.3", "6.0.2", "7.0.2"];
const RESOLUTIONS = ["bundler", "nodenext"];

const work = mkdtempSync(join(tmpdir(), "rondo-packages-"));
let failed = 0;

function run([command, ...args], cwd) {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

async function check(title, body) {
  try {
    const note = await body();
    console.log(`✔ ${title}${typeof note === "string" ? `: ${note}` : ""}`);
  } catch (error) {
    failed++;
    console.log(
      `✖ ${title}\n${[error.stdout, error.stderr, error.message].filter(Boolean).join("\n").slice(0, 3_000)}`,
    );
  }
}

/** An empty project that depends on the tarballs; those that they name of one another are these, since no registry has them yet. */
function newProject(name, tarballs, further = {}) {
  const folder = join(work, name);
  mkdirSync(folder);
  const files = Object.fromEntries(
    Object.entries(tarballs).map(([packageName, file]) => [packageName, `file:${file}`]),
  );
  const manifest = {
    private: true,
    type: "module",
    dependencies: { ...files, ...further },
    overrides: files,
    resolutions: files,
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const overrides = Object.entries(files).map(([packageName, file]) => `  "${packageName}": "${file}"`);
  const builds = ["@google/genai", "protobufjs"].map((packageName) => `  "${packageName}": false`);
  writeFileSync(
    join(folder, "pnpm-workspace.yaml"),
    `overrides:\n${overrides.join("\n")}\nallowBuilds:\n${builds.join("\n")}\n`,
  );
  cpSync(consumer, folder, { recursive: true });
  return folder;
}

async function lint(tarballs) {
  for (const [name, file] of Object.entries(tarballs)) {
    await check(`${name}: publint --strict`, () => void run(["npx", "-y", PUBLINT, "--strict", file], work));
    await check(
      `${name}: are the types wrong`,
      () => void run(["npx", "-y", ARE_THE_TYPES_WRONG, "--profile", "esm-only", file], work),
    );
    await check(`${name}: nothing but what is built`, () => {
      const files = run(["tar", "tzf", file], work).trim().split("\n");
      const strays = files.filter(
        (path) => !/^package\/(dist\/|data\/|schemas\/|package\.json$|README\.md$|LICENSE$)/.test(path),
      );
      if (strays.length > 0) throw new Error(`In the tarball too: ${strays.join(", ")}`);
    });
  }
}

async function install(tarballs) {
  const runtimes = RUNTIMES.map((runtime) => [runtime, programOf(runtime)]);
  for (const [manager, command] of Object.entries(MANAGERS)) {
    const folder = newProject(`with-${manager}`, tarballs);
    await check(`installs with ${manager}`, () => void run([...command, "install"], folder));
    for (const [runtime, program] of runtimes)
      await check(`runs with ${manager} on ${runtime}`, () => run([program, "runs.mjs"], folder).trim());
    await check(`the command runs, installed with ${manager}`, () =>
      run([join(folder, "node_modules/.bin/rondo"), "--version"], folder).trim(),
    );
  }
}

/** The program of a runtime that the registry has as a package. */
function programOf(runtime) {
  const [name] = runtime.split("@");
  const folder = join(work, runtime.replace("@", "-"));
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  run(["npm", "install", "--no-audit", "--no-fund", "--foreground-scripts", runtime], folder);
  return join(folder, "node_modules/.bin", name);
}

async function types(tarballs) {
  for (const version of COMPILERS) {
    const folder = newProject(`typescript-${version}`, tarballs, { typescript: version, "@types/node": "20.19.43" });
    await check(
      `TypeScript ${version} installs`,
      () => void run(["npm", "install", "--no-audit", "--no-fund"], folder),
    );
    for (const resolution of RESOLUTIONS) {
      const module = resolution === "bundler" ? "esnext" : "nodenext";
      const flags = ["--strict", "--noEmit", "--skipLibCheck", "false", "--target", "es2022", "--types", "node"];
      const compiler = [
        "node_modules/typescript/bin/tsc",
        "--module",
        module,
        "--moduleResolution",
        resolution,
        ...flags,
      ];
      await check(
        `TypeScript ${version}, ${resolution}`,
        () => void run([process.execPath, ...compiler, "types.ts"], folder),
      );
    }
  }
}

async function browser(tarballs) {
  const folder = newProject("browser", { "@rondo/ai": tarballs["@rondo/ai"] });
  await check("installs for the browser", () => void run(["npm", "install", "--no-audit", "--no-fund"], folder));
  await check("@rondo/ai in a bundle for the browser", async () => {
    const bundle = await rolldown({ input: join(folder, "browser.mjs"), platform: "browser", logLevel: "silent" });
    const { output } = await bundle.generate({ minify: true });
    const chunks = output.filter(({ type }) => type === "chunk");
    const nodeImports = chunks.flatMap(({ imports }) => imports).filter((id) => id.startsWith("node:"));
    if (nodeImports.length > 0) throw new Error(`It imports ${nodeImports.join(", ")}.`);
    const sizeOf = (names) => {
      const wanted = chunks.filter(({ fileName, isEntry }) => isEntry || names.some((name) => fileName.includes(name)));
      return `${(wanted.reduce((sum, { code }) => sum + code.length, 0) / 1024).toFixed(0)} KB`;
    };
    return `${sizeOf([])} without a provider, ${sizeOf(["anthropic-messages", "sdk"])} with Anthropic's SDK`;
  });
}

async function reference() {
  await check("the API reference is written", () => void run([process.execPath, "tools/api-reference.mjs"], root));
}

const CHECKS = { lint, install, types, browser, reference };
const wanted = process.argv.slice(2);
const tarballs = packAll(work);
for (const [name, group] of Object.entries(CHECKS))
  if (wanted.length === 0 || wanted.includes(name)) await group(tarballs);
rmSync(work, { recursive: true, force: true });
console.log(failed === 0 ? "The packages can be depended on." : `${failed} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;

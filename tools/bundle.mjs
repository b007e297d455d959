#!/usr/bin/env node
// Writes the JavaScript of each package's dist from its TypeScript sources; tsc writes only the declarations. An entry of a package is
// one file, and what the sources import with import() is a chunk that is read when it is reached: few files start faster than many.
// Usage: node tools/bundle.mjs [--clean] [packages/ai …]. A package whose sources have not changed is left as it is.
// Chunks are named for their content and written before the entries, so that a build never breaks a command that runs meanwhile;
// chunks of earlier builds stay for an hour, or until --clean.
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { noticesText } from "./third-party-notices.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PACKAGES = ["packages/ai", "packages/agent", "packages/durable", "packages/durable-dbos", "apps/cli"];
/** Dependencies that are kept for their types alone: their code becomes part of the bundle. See docs/decisions/bundled-dist.md. */
const INLINED = new Set(["@sinclair/typebox"]);
/** Files that the code looks for beside itself. */
const DATA = { "apps/cli": "packages/ai/data" };
/** Entries that are no export: the command, and the demo's script for the tour of `npm start`. */
const FURTHER_ENTRIES = {
  "apps/cli": {
    main: "src/main.ts",
    "demo/script": "src/demo/script.ts",
    "images/image-work": "src/images/image-work.js",
  },
};

/** A command of an earlier build that still runs finds its chunks for so long. */
const LEFT_OVER_MS = 3_600_000;

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Changes when anything changes that a bundle is made of. */
function stampOfSources() {
  const hash = createHash("sha256").update(process.version);
  const sources = PACKAGES.flatMap((name) => [
    join(root, name, "package.json"),
    ...filesBelow(join(root, name, "src")),
  ]);
  const tools = ["bundle.mjs", "third-party-notices.mjs"].map((name) => join(root, "tools", name));
  for (const file of [
    ...sources,
    ...tools,
    ...filesBelow(join(root, "packages/ai/data")),
    join(root, "pnpm-lock.yaml"),
  ]) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex");
}

/** The entries of a package, from its exports: path below dist without the ending → source. */
function entriesOf(name, manifest) {
  const entries = { ...FURTHER_ENTRIES[name] };
  for (const target of Object.values(manifest.exports)) {
    const source = target["@rondo/source"];
    if (source) entries[target.default.replace(/^\.\/dist\/|\.js$/g, "")] = source;
  }
  return Object.fromEntries(Object.entries(entries).map(([entry, source]) => [entry, join(root, name, source)]));
}

/** What stays an import: Node's own modules, and the packages that are installed along. Optional peers are there for types alone. */
function isOutside({ dependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
  const outside = [...Object.keys(dependencies), ...peers].filter((dependency) => !INLINED.has(dependency));
  return (id) =>
    id.startsWith("node:") || outside.some((dependency) => id === dependency || id.startsWith(`${dependency}/`));
}

/** Writes a file so that nobody ever reads half of it. */
function writeWhole(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
}

async function bundlePackage(name, clean) {
  const manifest = readJson(join(root, name, "package.json"));
  const isCommand = manifest.bin !== undefined;
  const bundle = await rolldown({
    input: entriesOf(name, manifest),
    cwd: join(root, name),
    platform: "node",
    resolve: { conditionNames: ["@rondo/source", "node", "import", "default"] },
    external: isOutside(manifest),
    treeshake: { moduleSideEffects: (id) => id.includes("node_modules") && !id.includes("@sinclair/typebox") },
    logLevel: "warn",
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    comments: false,
    // Names of functions and classes stay, for stack traces; the rest is a third of the time of an import.
    minify: { compress: true, mangle: { toplevel: true, keepNames: true }, codegen: { removeWhitespace: true } },
    sourcemap: !isCommand,
    // Of a library all that entries and chunks share is one file: each further one is time. The command reads only what it needs.
    ...(!isCommand && { codeSplitting: { groups: [{ name: "common", minShareCount: 2 }] } }),
  });
  await bundle.close();
  const dist = join(root, name, "dist");
  const written = new Set();
  const write = (fileName, content) => {
    writeWhole(join(dist, fileName), content);
    written.add(join(dist, fileName));
  };
  for (const asset of output.filter(({ type }) => type === "asset")) write(asset.fileName, asset.source);
  const chunks = output.filter(({ type }) => type === "chunk").sort((one, other) => one.isEntry - other.isEntry);
  for (const { fileName, code } of chunks) write(fileName, code);
  if (isCommand) chmodSync(join(dist, "main.js"), 0o755);
  const notices = noticesText(chunks.flatMap(({ moduleIds }) => moduleIds));
  if (notices) write("THIRD-PARTY-NOTICES.txt", notices);
  if (DATA[name]) cpSync(join(root, DATA[name]), join(dist, "data"), { recursive: true });
  const isLeftOver = (file) => /\.js(\.map)?$/.test(file) && !written.has(file);
  // Another bundler may have taken it away already.
  const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isOld = (file) => clean || Date.now() - changedAt(file) > LEFT_OVER_MS;
  for (const file of filesBelow(dist).filter((file) => isLeftOver(file) && isOld(file))) rmSync(file, { force: true });
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { clean: { type: "boolean", default: false } },
});
const stamp = stampOfSources();
for (const name of positionals.length > 0 ? positionals : PACKAGES) {
  const stampFile = join(root, name, "node_modules/.cache/bundle-stamp");
  const upToDate = existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  if (upToDate && existsSync(join(root, name, "dist")) && !flags.clean) continue;
  await bundlePackage(name, flags.clean);
  writeWhole(stampFile, stamp);
}

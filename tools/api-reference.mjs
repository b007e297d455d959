// Writes the API reference of the libraries to docs/api, from the docstrings: `npm run docs:api`. TypeDoc needs the compiler's programming
// interface, which TypeScript 7 has not; so it and a TypeScript that has one are installed beside the repository's own, in the cache, by
// those who want the reference. The pages are not kept in git, so they cannot be out of date. A public export without a docstring fails.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "node_modules/.cache/api-reference");
const TOOLS = ["typedoc@0.28.20", "typedoc-plugin-markdown@4.14.1", "typescript@6.0.3"];
const PACKAGES = ["ai", "agent", "durable"];

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}

/** The sources of a package's public entries. */
function entriesOf(name) {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  return Object.values(manifest.exports).flatMap((conditions) => {
    const source = conditions["@rondo/source"];
    return source ? [join(root, "packages", name, source)] : [];
  });
}

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", "--silent", ...TOOLS], folder);

const compilerOptions = {
  composite: false,
  declarationMap: false,
  noEmit: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: false,
  typeRoots: [join(root, "node_modules/@types")],
};
const include = PACKAGES.map((name) => join(root, "packages", name, "src"));
const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, include };
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
const options = {
  tsconfig: "tsconfig.json",
  plugin: ["typedoc-plugin-markdown"],
  entryPoints: PACKAGES.flatMap(entriesOf),
  basePath: join(root, "packages"),
  displayBasePath: join(root, "packages"),
  out: join(root, "docs/api"),
  cleanOutputDir: true,
  name: "Rondo",
  readme: "none",
  router: "module",
  disableSources: true,
  excludePrivate: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeDeclarationFormat: "table",
  validation: { notDocumented: true, notExported: false, invalidLink: true },
  packagesRequiringDocumentation: PACKAGES.map((name) => `@rondo/${name}`),
  requiredToBeDocumented: ["Class", "Interface", "TypeAlias", "Variable"],
  treatValidationWarningsAsErrors: true,
};
writeFileSync(join(folder, "typedoc.json"), JSON.stringify(options));
run(process.execPath, [join(folder, "node_modules/typedoc/bin/typedoc"), "--options", "typedoc.json"], folder);

// Runs the benchmarks and writes their tables to docs/performance.md. Usage: npm run bench [-- deltas growth …]
// Installs the peers with npm in a folder of their own, apart from the workspace, and runs everything on the Node that lies beside
// them, since the peers need a newer one than Rondo does.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const peers = join(here, "peers");
const page = join(here, "../docs/performance.md");
const CASES = [
  "deltas",
  "growth",
  "memory",
  "start",
  "session",
  "interactive",
  "import",
  "loop",
  "size",
  "responsiveness",
];

function installPeers() {
  const { dependencies } = JSON.parse(readFileSync(join(peers, "package.json"), "utf8"));
  const installed = (name) => {
    const manifest = join(peers, "node_modules", name, "package.json");
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version;
  };
  if (Object.entries(dependencies).every(([name, version]) => installed(name) === version)) return;
  console.log("installing the peers");
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], {
    cwd: peers,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(1);
}

/** Goes on in a process of the peers' Node. */
function changeNode() {
  const node = join(peers, "node_modules/node/bin/node");
  const { version } = JSON.parse(readFileSync(join(peers, "node_modules/node/package.json"), "utf8"));
  if (process.version === `v${version}` || !existsSync(node)) return;
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: "inherit" });
  process.exit(status ?? 1);
}

function table(rows) {
  const columns = Object.keys(rows[0]);
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map((row) => line(columns.map((column) => row[column]))),
  ].join("\n");
}

function conditions() {
  const { dependencies } = JSON.parse(readFileSync(join(peers, "package.json"), "utf8"));
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  return `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0].model.trim()}. ${versions.join(", ")}.`;
}

/** Replaces what stands between the marks of a section. */
function writeSection(name, text) {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const before = readFileSync(page, "utf8");
  if (!before.includes(start)) throw new Error(`docs/performance.md has no section ${start}.`);
  const [head] = before.split(start);
  const [, tail] = before.split(end);
  writeFileSync(page, `${head}${start}\n${text}\n${end}${tail}`);
}

installPeers();
changeNode();
const names = process.argv.slice(2);
const unknown = names.find((name) => !CASES.includes(name));
if (unknown) {
  console.error(`There is no benchmark "${unknown}". There are: ${CASES.join(", ")}.`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : CASES) {
  const { title, note, measure } = await import(`./cases/${name}.mjs`);
  console.log(`\n${title}\n${note}`);
  const rows = await measure();
  console.table(rows);
  writeSection(name, `### ${title}\n\n${note}\n\n${table(rows)}`);
}
writeSection("conditions", conditions());

#!/usr/bin/env node
// Counts what the model layer was tried with: the contract of each API (recorded answers × damage, hostile servers, hostile callers) and,
// where RONDO_CORPUS names a folder of recordings, those, read by the peers too if npm run bench has installed them. Runs from the sources. Usage: npm run conformance [-- --every-byte] [--seed N]
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createServer } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values: flags } = parseArgs({
  options: { "every-byte": { type: "boolean", default: false }, seed: { type: "string", default: "1" } },
});
const seed = Number(flags.seed);
const CUTS = 60;
const PARTS = [
  "chunks",
  "cuts",
  "garbage",
  "mutations",
  "order",
  "echoes",
  "aborts",
  "leaving",
  "situations",
  "callers",
];

const conditions = ["@rondo/source", "node", "import", "module", "default"];
/** Loads the TypeScript sources, with this repository's packages resolved to theirs. Listens on no port. */
const loader = await createServer({
  root,
  configFile: false,
  logLevel: "error",
  appType: "custom",
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  ssr: { resolve: { conditions, externalConditions: conditions } },
});
const importSource = (file) => loader.ssrLoadModule(join(root, file));

const { describeProviderContract } = await importSource("packages/ai/src/testing/index.ts");
const { WIRES } = await importSource("packages/ai/test/contract/wires.ts");

/** Runs one contract without a test runner. */
async function runContract(contract) {
  const tests = [];
  const counts = {};
  describeProviderContract({
    ...contract,
    seed,
    ...(!flags["every-byte"] && { cuts: CUTS }),
    describe: (_name, body) => body(),
    it: (name, run) => tests.push({ name, run }),
    onCount: (part, calls) => {
      counts[part] = (counts[part] ?? 0) + calls;
    },
  });
  const failures = [];
  for (const { name, run } of tests) {
    try {
      await run();
    } catch (error) {
      failures.push(`${contract.name}: ${name}: ${error.message}`);
    }
  }
  return { tests: tests.length, counts, failures };
}

/** Recordings of real servers, whole in random chunks and damaged. */
async function runCorpus(corpus) {
  const { recordedAnswers } = await importSource("packages/ai/test/contract/corpus.ts");
  const { damageFaults, wholeFaults } = await importSource("packages/ai/test/contract/corpus-sweep.ts");
  const rows = {};
  const failures = [];
  for (const answer of recordedAnswers(corpus)) {
    const { calls, faults } = await damageFaults(answer, flags["every-byte"] ? Number.POSITIVE_INFINITY : 5, seed);
    const all = [...(await wholeFaults(answer, seed)), ...faults];
    rows[answer.api] ??= { recordings: 0, calls: 0, failed: 0 };
    const row = rows[answer.api];
    row.recordings++;
    row.calls += calls + 1;
    if (all.length > 0) row.failed++;
    failures.push(...all);
  }
  return { rows, failures };
}

function table(head, rows) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => String(row[column]).length)));
  const line = (row) =>
    row
      .map((cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column])))
      .join("  ");
  console.log([head, ...rows].map(line).join("\n"));
}

const failures = [];
const rows = [];
for (const contract of Object.values(WIRES)) {
  const result = await runContract(contract);
  failures.push(...result.failures);
  const calls = PARTS.map((part) => result.counts[part] ?? 0);
  rows.push([
    contract.name,
    result.tests,
    ...calls,
    calls.reduce((sum, count) => sum + count, 0),
    result.failures.length,
  ]);
}
console.log(
  `Calls that were made, by what was done to them (seed ${seed}${flags["every-byte"] ? ", cut at every byte" : ""})\n`,
);
table(["api", "tests", ...PARTS, "calls", "failed"], rows);

const corpus = process.env.RONDO_CORPUS;
if (corpus) {
  const { rows: recorded, failures: found } = await runCorpus(corpus);
  failures.push(...found);
  console.log("\nRecordings of real servers, whole and damaged\n");
  const lines = Object.entries(recorded).map(([api, row]) => [api, row.recordings, row.calls, row.failed]);
  table(["api", "recordings", "calls", "failed"], lines);
} else console.log("\nRecordings of real servers were not tried: RONDO_CORPUS names no folder of them.");

if (corpus) {
  console.log();
  const node = join(root, "benchmarks/peers/node_modules/node/bin/node");
  // The peers need a newer Node, which is installed beside them.
  spawnSync(existsSync(node) ? node : process.execPath, [join(root, "benchmarks/recordings/run.mjs")], {
    stdio: "inherit",
  });
}

for (const failure of failures) console.log(`\nFAILED ${failure}`);
await loader.close();
process.exit(failures.length > 0 ? 1 : 0);

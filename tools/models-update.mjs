#!/usr/bin/env node
// Regenerates the catalog of @rondo/ai (packages/ai/data and the types of its ids) from sources by URL or file, and shows what changed.
// The reading and merging is the package's own code, from its build; this file only fetches, compares and writes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatOf, mergeProvider } from "../packages/ai/dist/models/refresh/merge.js";
import { providerRows } from "../packages/ai/dist/providers/rows.js";

const DEFAULT_SOURCE = "https://models.dev/api.json";
/** Changed models that are listed by name; the rest are counted. */
const LISTED_MAX = 40;

const help = `npm run models:update -- [--source URL|FILE]… [--fresh] [--dry-run] [--out DIR]

--source   models.dev's api.json or a file of facts per provider; several from oldest to newest. Default ${DEFAULT_SOURCE}.
           A month in the file's name (2026-07) dates it; otherwise it is dated today.
--fresh    Forget what the catalog holds now, instead of taking it as the oldest source.
--dry-run  Show the changes and write nothing.
--out      Where to write instead of packages/ai.`;

const { values } = parseArgs({
  options: {
    source: { type: "string", multiple: true, default: [DEFAULT_SOURCE] },
    fresh: { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
    out: { type: "string", default: join(dirname(fileURLToPath(import.meta.url)), "..", "packages", "ai") },
    help: { type: "boolean", default: false },
  },
});

async function readSource(where) {
  const isUrl = /^https?:/.test(where);
  const text = isUrl ? await fetchText(where) : readFileSync(where, "utf8");
  const content = JSON.parse(text);
  const format = formatOf(content);
  const date = /\d{4}-\d{2}/.exec(basename(where))?.[0] ?? new Date().toISOString().slice(0, 7);
  return { format, content, label: `${format === "facts" ? "facts by hand" : "models.dev (MIT)"}, ${date}` };
}

async function fetchText(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}.`);
  return response.text();
}

/** One model per line, so that a change of one model is a change of one line. */
function dataText({ provider, sources, models }) {
  const lines = models.map((model) => `    ${JSON.stringify(model)}`);
  return `{\n  "provider": ${JSON.stringify(provider)},\n  "sources": ${JSON.stringify(sources)},\n  "models": [\n${lines.join(",\n")}\n  ]\n}\n`;
}

/** Literal types of the ids that are still offered. */
function idsText(catalog) {
  const lines = catalog.map(({ provider, models }) => {
    const ids = models.filter((model) => !model.deprecated).map((model) => `    | ${JSON.stringify(model.id)}`);
    return `  ${JSON.stringify(provider)}:\n${ids.length > 0 ? ids.join("\n") : "    never"};`;
  });
  return `// Made by \`npm run models:update\`. Types alone: nothing of this is loaded when the package is used.\n\n/** The model ids that the catalog holds, by provider. */\nexport interface ModelIds {\n${lines.join("\n")}\n}\n`;
}

function changesOf(before, after) {
  const known = new Map((before?.models ?? []).map((model) => [model.id, JSON.stringify(model)]));
  const changes = [];
  for (const model of after.models) {
    const old = known.get(model.id);
    known.delete(model.id);
    if (old === JSON.stringify(model)) continue;
    changes.push(`${old === undefined ? "+" : "~"} ${after.provider}/${model.id}`);
  }
  for (const id of known.keys()) changes.push(`- ${after.provider}/${id}`);
  return changes;
}

async function main() {
  if (values.help) return console.log(help);
  const sources = [];
  for (const where of values.source) sources.push(await readSource(where));
  const dataDirectory = join(values.out, "data");
  const catalog = [];
  const changes = [];
  for (const row of providerRows()) {
    if (row.variantOf !== undefined || row.liveModels) continue;
    const file = join(dataDirectory, `${row.id}.json`);
    const previous = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    const merged = mergeProvider(row, sources, values.fresh ? undefined : previous);
    if (!merged) continue;
    catalog.push(merged);
    changes.push(...changesOf(previous, merged));
  }
  for (const change of changes.slice(0, LISTED_MAX)) console.log(change);
  if (changes.length > LISTED_MAX) console.log(`… and ${changes.length - LISTED_MAX} more`);
  const models = catalog.reduce((sum, { models: list }) => sum + list.length, 0);
  console.log(
    `${changes.length === 1 ? "1 change" : `${changes.length} changes`}; ${models} models of ${catalog.length} providers`,
  );
  if (values["dry-run"]) return;
  mkdirSync(dataDirectory, { recursive: true });
  for (const data of catalog) writeFileSync(join(dataDirectory, `${data.provider}.json`), dataText(data));
  const idsFile = join(values.out, "src", "models", "model-ids.generated.ts");
  mkdirSync(dirname(idsFile), { recursive: true });
  writeFileSync(idsFile, idsText(catalog));
}

await main();

#!/usr/bin/env node
// Regenerates the catalog of @rondo/ai: packages/ai/data and the types of its ids. The work is the package's own refreshCatalog, from its
// build; this file reads the arguments, shows what changed and writes the types.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { refreshCatalog } from "../packages/ai/dist/node.js";

/** Changed models that are listed by name; the rest are counted. */
const LISTED_MAX = 40;

const help = `npm run models:update -- [--source URL|FILE]… [--fresh] [--dry-run] [--out DIR]

--source   models.dev's api.json or a file of facts per provider; several from oldest to newest. Default: models.dev.
           A month in the file's name (2026-07) dates it; otherwise it is dated today.
--fresh    Forget what the catalog holds now, instead of taking it as the oldest source.
--dry-run  Show the changes and write nothing.
--out      Where to write instead of packages/ai.`;

const { values } = parseArgs({
  options: {
    source: { type: "string", multiple: true },
    fresh: { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
    out: { type: "string", default: join(dirname(fileURLToPath(import.meta.url)), "..", "packages", "ai") },
    help: { type: "boolean", default: false },
  },
});

/** Literal types of the ids that are still offered. */
function idsText(catalog) {
  const lines = catalog.map(({ provider, models }) => {
    const ids = models.filter((model) => !model.deprecated).map((model) => `    | ${JSON.stringify(model.id)}`);
    return `  ${JSON.stringify(provider)}:\n${ids.length > 0 ? ids.join("\n") : "    never"};`;
  });
  return `// Made by \`npm run models:update\`. Types alone: nothing of this is loaded when the package is used.\n\n/** The model ids that the catalog holds, by provider. */\nexport interface ModelIds {\n${lines.join("\n")}\n}\n`;
}

async function main() {
  const dryRun = values["dry-run"];
  const { changes, catalog } = await refreshCatalog({
    directory: join(values.out, "data"),
    fresh: values.fresh,
    dryRun,
    ...(values.source && { sources: values.source }),
  });
  for (const change of changes.slice(0, LISTED_MAX)) console.log(change);
  if (changes.length > LISTED_MAX) console.log(`… and ${changes.length - LISTED_MAX} more`);
  const models = catalog.reduce((sum, { models: list }) => sum + list.length, 0);
  const counted = changes.length === 1 ? "1 change" : `${changes.length} changes`;
  console.log(`${counted}; ${models} models of ${catalog.length} providers`);
  if (dryRun) return;
  const idsFile = join(values.out, "src", "models", "model-ids.generated.ts");
  mkdirSync(dirname(idsFile), { recursive: true });
  writeFileSync(idsFile, idsText(catalog));
}

if (values.help) console.log(help);
else await main();

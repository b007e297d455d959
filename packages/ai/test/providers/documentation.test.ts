import { readFileSync } from "node:fs";
import { getModels } from "@rondo/ai";
import { expect, test } from "vitest";
import type { ProviderRow } from "../../src/providers/row.ts";
import { providerRows } from "../../src/providers/rows.ts";

/** How many models there are, to two digits, so that the page changes only when much does. */
function modelCount(row: ProviderRow): string {
  if (row.liveModels) return "live";
  if (row.variantOf !== undefined) return `as \`${row.variantOf}\``;
  const count = getModels(row.id).filter((model) => !model.deprecated).length;
  return String(count < 100 ? count : Math.floor(count / 10) * 10);
}

function providersTable(): string {
  const lines = providerRows().map((row) => {
    const variables = row.env.map((name) => `\`${name}\``).join(", ");
    return `| \`${row.id}\` | ${row.name} | ${row.api} | \`${row.baseUrl}\` | ${variables} | ${modelCount(row)} |`.replaceAll(
      /\{([^}]*)\}/g,
      (placeholder) => placeholder.replaceAll("|", "\\|"),
    );
  });
  return ["| Id | Name | API | Base URL | Key | Models |", "| --- | --- | --- | --- | --- | --- |", ...lines].join(
    "\n",
  );
}

test("docs/models.md ends with the table of providers as they are", async () => {
  const file = new URL("../../../../docs/models.md", import.meta.url);
  const written = readFileSync(file, "utf8");
  const marker = /<!-- generated from [^>]*-->\n/.exec(written);
  const before = written.slice(0, (marker?.index ?? 0) + (marker?.[0].length ?? 0));
  await expect(`${before}\n${providersTable()}\n`).toMatchFileSnapshot(file.pathname);
});

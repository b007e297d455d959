import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isRetryableKind } from "../../src/error-kinds.ts";
import { ERROR_KINDS } from "../../src/testing/grammar-facts.ts";
import type { ErrorKind } from "../../src/types.ts";

const doc = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8");
const rows = doc
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** The quoted words of the first cell. */
const names = (cell: string | undefined): string[] =>
  [...(cell ?? "").matchAll(/`([\w]+)`/g)].map((match) => match[1] ?? "");

function sources(folder: URL): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      if (entry.isDirectory()) return sources(new URL(`${entry.name}/`, folder));
      return entry.name.endsWith(".ts") ? readFileSync(new URL(entry.name, folder), "utf8") : "";
    })
    .join("\n");
}

describe("docs/errors.md", () => {
  const kindRows = rows.filter((cells) => cells.length === 6);
  it("has every kind once, and says rightly which are retryable", () => {
    const told = kindRows.map((cells) => [names(cells[1])[0], cells[3]]);
    const actual = [...ERROR_KINDS].map((kind) => [kind, isRetryableKind(kind as ErrorKind) ? "yes" : "no"]);
    expect(told).toEqual(actual);
  });

  it("says for each kind what to do", () => {
    for (const cells of kindRows) expect(cells[4]).toMatch(/^[A-Z].+\.$/);
  });

  it("names codes that the sources have", () => {
    const code = sources(new URL("../../src/", import.meta.url));
    const told = rows.filter((cells) => cells.length === 5).flatMap((cells) => names(cells[1]));
    expect(told.length).toBeGreaterThan(10);
    for (const name of told) expect(code).toContain(name);
  });
});

import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fillBaseUrl, settingsOf } from "../../src/providers/placeholders.ts";
import { providerRow, providerRows } from "../../src/providers/rows.ts";
import { isLoopback } from "../../src/wire/base-url.ts";

const rows = providerRows();
const dataDirectory = new URL("../../data/", import.meta.url);
/** A value for each variable that a base URL needs. */
const settings = (baseUrl: string) => Object.fromEntries(settingsOf(baseUrl).map(([name]) => [name, "value-1"]));

describe("provider rows", () => {
  test("ids are unique and safe in file names and commands", () => {
    const ids = rows.map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9][a-z0-9.-]*$/.test(id))).toEqual([]);
  });

  test.each(rows.map((row) => [row.id, row] as const))("%s has a base URL that becomes a plain one", (_id, row) => {
    const url = new URL(fillBaseUrl(row.baseUrl, settings(row.baseUrl)));
    expect(url.protocol).toBe(row.quirks?.keyless ? "http:" : "https:");
    expect(isLoopback(url.href)).toBe(row.quirks?.keyless === true);
    expect([url.search, url.hash, url.username, url.password]).toEqual(["", "", "", ""]);
    expect(row.baseUrl.endsWith("/")).toBe(false);
  });

  test("every provider that needs a key says where it may be, in the provider's own variables", () => {
    const needsKey = rows.filter((row) => !row.quirks?.keyless);
    expect(needsKey.filter((row) => row.env.length === 0).map((row) => row.id)).toEqual([]);
    const names = rows.flatMap((row) => row.env);
    expect(names.filter((name) => !/^[A-Z][A-Z0-9_]*(API_KEY|TOKEN)$/.test(name))).toEqual([]);
    // These open far more than a model API.
    expect(names.filter((name) => /^(GH|GITHUB|GITLAB|AWS|NPM)_|^(API_KEY|TOKEN)$/.test(name))).toEqual([
      "GITHUB_MODELS_TOKEN",
    ]);
  });

  test("a variant has the models of a row that is no variant", () => {
    for (const row of rows.filter((each) => each.variantOf !== undefined)) {
      const shared = providerRow(row.variantOf as string);
      expect(shared?.id).toBe(row.variantOf);
      expect(shared?.variantOf).toBeUndefined();
    }
  });

  test("every other row has a data file unless its server is asked, and no file is left over", () => {
    const withData = rows.filter((row) => row.variantOf === undefined && !row.liveModels).map((row) => row.id);
    for (const id of withData) expect([id, existsSync(new URL(`${id}.json`, dataDirectory))]).toEqual([id, true]);
    expect(readdirSync(dataDirectory).sort()).toEqual(withData.map((id) => `${id}.json`).sort());
  });

  test("rows survive a JSON round trip", () => {
    expect(JSON.parse(JSON.stringify(rows))).toEqual(rows);
  });
});

import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getModels } from "@rondo/ai";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDataFile } from "../../src/models/data-files.ts";

describe("data files", () => {
  test("are read by the provider's id", () => {
    expect(readDataFile("xai")).toMatchObject({
      provider: "xai",
      sources: expect.any(Array),
      models: expect.any(Array),
    });
  });

  test.each(["nobody", "../package", "../data/xai", "", "xai.json", "\u0000"])(
    "%j is no provider with a file",
    (id) => {
      expect(readDataFile(id)).toBeUndefined();
    },
  );
});

describe("a bundle of the catalog", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rondo-bundle-"));
    await mkdir(join(folder, "chunks"));
    for (const place of ["main.mjs", "chunks/main.mjs"]) {
      await build({
        input: fileURLToPath(new URL("../../src/models/catalog.ts", import.meta.url)),
        platform: "node",
        output: { file: join(folder, place) },
        logLevel: "silent",
      });
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const listed = (place: string): string => {
    const script = `const { getModels } = await import(${JSON.stringify(join(folder, place))}); console.log(getModels().length);`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    return stdout.trim() + stderr;
  };

  test("has no models without the data, and fails in nothing", () => {
    expect(listed("main.mjs")).toBe("0");
  });

  test("finds the data beside its chunk and above it", async () => {
    await cp(fileURLToPath(new URL("../../data", import.meta.url)), join(folder, "data"), { recursive: true });
    const count = String(getModels().length);
    expect([listed("main.mjs"), listed("chunks/main.mjs")]).toEqual([count, count]);
  });
});

import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withFileLock } from "../../../src/providers/node/file-lock.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rondo-lock-"));
  path = join(folder, "file");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const makeOld = (file: string): Promise<void> => utimes(file, new Date(0), new Date(0));

describe("withFileLock", () => {
  test("lets one at a time work, whoever comes", async () => {
    let inside = 0;
    let most = 0;
    const order: number[] = [];
    const work = (index: number) => async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(index);
      inside--;
      return index;
    };
    const results = await Promise.all([...Array(12).keys()].map((index) => withFileLock(path, work(index))));
    expect(results).toEqual([...Array(12).keys()]);
    expect([most, order.length]).toEqual([1, 12]);
    expect(await readdir(folder)).toEqual([]);
  });

  test("is free again after work that fails", async () => {
    const failed = withFileLock(path, () => Promise.reject(new Error("no")));
    await expect(failed).rejects.toThrow("no");
    expect(await withFileLock(path, () => Promise.resolve("yes"))).toBe("yes");
  });

  test("gives up on a lock that is held, names it and leaves it", async () => {
    await writeFile(`${path}.lock`, "somebody");
    await expect(withFileLock(path, () => Promise.resolve(), 60)).rejects.toThrow(
      `${path} is being written by another process. If none is running, delete ${path}.lock.`,
    );
    expect(await readdir(folder)).toEqual(["file.lock"]);
  });

  test("takes over a lock that was left behind, also when the one who was taking it over died too", async () => {
    for (const name of [`${path}.lock`, `${path}.lock.break`]) {
      await writeFile(name, "somebody");
      await makeOld(name);
    }
    expect(await withFileLock(path, () => Promise.resolve("mine"))).toBe("mine");
    expect(await readdir(folder)).toEqual([]);
  });

  test("does not remove a lock that somebody took meanwhile", async () => {
    await withFileLock(path, () => writeFile(`${path}.lock`, "somebody else"));
    expect(await readdir(folder)).toEqual(["file.lock"]);
  });

  test("a folder that does not exist is an error at once", async () => {
    await expect(withFileLock(join(folder, "a", "b"), () => Promise.resolve())).rejects.toThrow(/ENOENT/);
  });
});

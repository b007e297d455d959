// Which projects are trusted, when several processes say so at once.
import { join } from "node:path";
import { expect, test } from "vitest";
import { Trust } from "../../src/settings/trust.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

test("of several who change the file at once none loses what another wrote", async () => {
  const folder = join(temporaryFolder(), "data");
  const project = (number: number) => ({ folder: `/p${number}`, files: [], fingerprint: `f${number}` });
  const numbers = [1, 2, 3, 4, 5, 6];
  await Promise.all(numbers.map((number) => new Trust(folder).add(project(number))));
  expect(numbers.map((number) => new Trust(folder).covers(project(number)))).toEqual(numbers.map(() => true));
  await Promise.all([new Trust(folder).remove("/p1"), new Trust(folder).refuse(project(2))]);
  const trust = new Trust(folder);
  expect([
    trust.covers(project(1)),
    trust.covers(project(2)),
    trust.isDecided(project(2)),
    trust.covers(project(3)),
  ]).toEqual([false, false, true, true]);
});

import { quickCases } from "@rondo/durable/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { DbosRunner, skipReason } from "./dbos-rig.ts";

describe.skipIf(skipReason !== undefined)(`DBOS on PostgreSQL${skipReason ? `, skipped: ${skipReason}` : ""}`, () => {
  let runner: DbosRunner;

  beforeAll(async () => {
    runner = await DbosRunner.create();
  });
  afterAll(() => runner.dispose());

  test.concurrent.each(quickCases)("$name", async (conformance) => {
    await runner.run((rig) => conformance.run(rig));
  });
});

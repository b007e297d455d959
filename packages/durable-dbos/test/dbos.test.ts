import { quickCases } from "@rondo/durable/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { DbosRunner } from "./dbos-rig.ts";
import { skipReason } from "./test-postgres.ts";

/** Making a cluster takes two seconds, on a busy machine many more. */
const START_TIMEOUT_MS = 60_000;

/** Seconds on a machine with time; many processes on one without. */
const PATIENCE_MS = 180_000;

describe.skipIf(skipReason !== undefined)(`DBOS on PostgreSQL${skipReason ? `, skipped: ${skipReason}` : ""}`, () => {
  let runner: DbosRunner | undefined;

  beforeAll(async () => {
    runner = await DbosRunner.create();
  }, START_TIMEOUT_MS);
  afterAll(() => runner?.dispose(), START_TIMEOUT_MS);

  test.each(quickCases)(
    "$name",
    async (conformance) => {
      await runner?.run((rig) => conformance.run(rig));
    },
    PATIENCE_MS,
  );
});

import { processCases, quickCases } from "@rondo/durable/testing";
import { afterAll, beforeAll, test } from "vitest";
import { journalRunner } from "./journal-rig.ts";

/** Seconds on a machine with time; many processes on one without. */
const PATIENCE_MS = 180_000;

let runner: Awaited<ReturnType<typeof journalRunner>>;

beforeAll(async () => {
  runner = await journalRunner();
});
afterAll(() => runner.dispose());

test.concurrent.each([...quickCases, ...processCases])(
  "the journal: $name",
  async (conformance) => {
    await runner.run(conformance);
  },
  PATIENCE_MS,
);

import { processCases, quickCases } from "@rondo/durable/testing";
import { afterAll, beforeAll, test } from "vitest";
import { journalRunner } from "./journal-rig.ts";

let runner: Awaited<ReturnType<typeof journalRunner>>;

beforeAll(async () => {
  runner = await journalRunner();
});
afterAll(() => runner.dispose());

test.concurrent.each([...quickCases, ...processCases])("the journal: $name", async (conformance) => {
  await runner.run(conformance);
});

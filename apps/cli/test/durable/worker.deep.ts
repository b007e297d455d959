// Workers and clients on DBOS, on the server of DATABASE_URL or a private one.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished, test } from "vitest";
import { skipReason, TestPostgres } from "../../../../packages/durable-dbos/test/test-postgres.ts";
import { tellWorkerStory } from "./worker-story.ts";

const why = skipReason === undefined ? "" : `, skipped: ${skipReason}`;

test.skipIf(skipReason !== undefined)(`a worker on DBOS is killed, and another ends the run${why}`, async () => {
  const bundle = fileURLToPath(new URL("../../../../tools/bundle.mjs", import.meta.url));
  const packages = ["ai", "agent", "durable", "durable-dbos"].map((name) => `packages/${name}`);
  await promisify(execFile)(process.execPath, [bundle, ...packages]);
  const postgres = await TestPostgres.start();
  onTestFinished(() => postgres.dispose());
  const url = await postgres.createDatabase();
  onTestFinished(() => postgres.dropDatabase(url));
  await tellWorkerStory(["--database-url", url]);
});

// Workers and clients on DBOS, with a private PostgreSQL if its programs are here.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished, test } from "vitest";
import { findPostgres, PostgresCluster } from "../../../../packages/durable-dbos/test/postgres-cluster.ts";
import { tellWorkerStory } from "./worker-story.ts";

const programs = findPostgres();
const why = programs === undefined ? ", skipped: PostgreSQL's programs are not installed" : "";

test.skipIf(programs === undefined)(`a worker on DBOS is killed, and another ends the run${why}`, async () => {
  const bundle = fileURLToPath(new URL("../../../../tools/bundle.mjs", import.meta.url));
  const packages = ["ai", "agent", "durable", "durable-dbos"].map((name) => `packages/${name}`);
  await promisify(execFile)(process.execPath, [bundle, ...packages]);
  const cluster = await PostgresCluster.create(programs ?? "");
  onTestFinished(() => cluster.dispose());
  await tellWorkerStory(["--database-url", cluster.url("postgres")]);
});

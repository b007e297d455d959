// A DBOS engine on a database of its own for each case, and worker processes for it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Rig, WorkerProcess, type WorkerProcessOptions } from "@rondo/durable/testing";
import { dbosEngine } from "@rondo/durable-dbos";
import { bundleChild } from "../../../tools/bundle-child.ts";
import type { PostgresCluster } from "./postgres-cluster.ts";
import { TestPostgres } from "./test-postgres.ts";

const here = dirname(fileURLToPath(import.meta.url));
/** Short, so that tests of dead workers are; long enough for a busy machine to beat in time. */
export const LEASE_MS = 3_000;

export interface DbosRig extends Rig {
  /** Where the database is. */
  url: string;
  /** Starts a worker that reaches the database by another way. */
  startWorkerVia(url: string): Promise<WorkerProcess>;
  /** Undefined where the server is not the tests' own. */
  cluster: PostgresCluster | undefined;
}

export class DbosRunner {
  readonly #script: string;
  readonly #postgres: TestPostgres;
  /** A database with the tables, of which each case gets a copy. */
  readonly #templateUrl: string;

  private constructor(script: string, postgres: TestPostgres, templateUrl: string) {
    this.#script = script;
    this.#postgres = postgres;
    this.#templateUrl = templateUrl;
  }

  static async create(): Promise<DbosRunner> {
    const script = await bundleChild(dirname(here), join(here, "dbos-child.ts"));
    const postgres = await TestPostgres.start();
    const url = await postgres.createDatabase();
    const engine = await dbosEngine({ url });
    await engine.close();
    return new DbosRunner(script, postgres, url);
  }

  async run(use: (rig: DbosRig) => Promise<void>): Promise<void> {
    const url = await this.#postgres.createDatabase(this.#templateUrl);
    const root = mkdtempSync(join(tmpdir(), "rondo-dbos-"));
    const engineOptions = { url, leaseMs: LEASE_MS, migrate: false };
    const engine = await dbosEngine(engineOptions);
    const workers: WorkerProcess[] = [];
    const start = (options: WorkerProcessOptions) => {
      const started = new WorkerProcess(this.#script, options);
      workers.push(started);
      return started.ready();
    };
    const startWorker: Rig["startWorker"] = ({ crash, version = "v1", ...worker } = {}) =>
      start({ engine: engineOptions, worker: { version, ...worker }, ...(crash ? { crash } : {}) });
    const startWorkerVia = (url: string) => start({ engine: { ...engineOptions, url }, worker: { version: "v1" } });
    try {
      const { cluster } = this.#postgres;
      await use({ engine, url, logPath: join(root, "log"), startWorker, startWorkerVia, cluster });
    } finally {
      await Promise.all(workers.filter((worker) => worker.alive).map((worker) => worker.kill()));
      await engine.close();
      await this.#postgres.dropDatabase(url);
      rmSync(root, { recursive: true });
    }
  }

  async dispose(): Promise<void> {
    rmSync(this.#script);
    await this.#postgres.dropDatabase(this.#templateUrl);
    await this.#postgres.dispose();
  }
}

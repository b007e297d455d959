// A DBOS engine on a database of its own for each case, and worker processes for it. The server is that of DATABASE_URL,
// or a private one if PostgreSQL's programs are here.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";
import { type Rig, WorkerProcess, type WorkerProcessOptions } from "@rondo/durable/testing";
import { dbosEngine } from "@rondo/durable-dbos";
import { Client } from "pg";
import { bundleChild } from "../../../tools/bundle-child.ts";
import { findPostgres, PostgresCluster } from "./postgres-cluster.ts";

const here = dirname(fileURLToPath(import.meta.url));
const TEMPLATE = "rondo_template";
/** Short, so that tests of dead workers are; long enough for a busy machine to beat in time. */
const LEASE_MS = 3_000;

/** Why the tests on PostgreSQL cannot run here, if that is so. */
export const skipReason: string | undefined =
  process.env["DATABASE_URL"] || findPostgres()
    ? undefined
    : "no DATABASE_URL, and PostgreSQL's programs are not installed (Debian: apt-get install postgresql)";

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
  readonly #cluster: PostgresCluster | undefined;
  readonly #adminUrl: string;
  #databases = 0;

  private constructor(script: string, cluster: PostgresCluster | undefined, adminUrl: string) {
    this.#script = script;
    this.#cluster = cluster;
    this.#adminUrl = adminUrl;
  }

  static async create(): Promise<DbosRunner> {
    const script = await bundleChild(dirname(here), join(here, "dbos-child.ts"));
    const given = process.env["DATABASE_URL"];
    const cluster = given ? undefined : await PostgresCluster.create(findPostgres() ?? "");
    const runner = new DbosRunner(script, cluster, given ?? cluster?.url("postgres") ?? "");
    await runner.#admin(`drop database if exists ${TEMPLATE}`, `create database ${TEMPLATE}`);
    const engine = await dbosEngine({ url: runner.#url(TEMPLATE) });
    await engine.close();
    return runner;
  }

  async run(use: (rig: DbosRig) => Promise<void>): Promise<void> {
    const database = `rondo_test_${process.pid}_${threadId}_${this.#databases++}`;
    await this.#admin(`create database ${database} template ${TEMPLATE}`);
    const root = mkdtempSync(join(tmpdir(), "rondo-dbos-"));
    const engineOptions = { url: this.#url(database), leaseMs: LEASE_MS, migrate: false };
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
      const { url } = engineOptions;
      await use({ engine, url, logPath: join(root, "log"), startWorker, startWorkerVia, cluster: this.#cluster });
    } finally {
      await Promise.all(workers.filter((worker) => worker.alive).map((worker) => worker.kill()));
      await engine.close();
      await this.#admin(`drop database ${database} with (force)`);
      rmSync(root, { recursive: true });
    }
  }

  async dispose(): Promise<void> {
    rmSync(this.#script);
    await this.#admin(`drop database ${TEMPLATE} with (force)`);
    await this.#cluster?.dispose();
  }

  #url(database: string): string {
    const url = new URL(this.#adminUrl);
    url.pathname = `/${database}`;
    return url.href;
  }

  async #admin(...statements: string[]): Promise<void> {
    const client = new Client({ connectionString: this.#adminUrl });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
}

// PostgreSQL for tests: the server of DATABASE_URL, or a private one if its programs are here. Invariant: on a server that is
// not the tests' own they touch nothing but databases that they made, under names that nobody else has.
import { threadId } from "node:worker_threads";
import { Client } from "pg";
import { findPostgres, PostgresCluster } from "./postgres-cluster.ts";

/** Why the tests on PostgreSQL cannot run here, if that is so. */
export const skipReason: string | undefined =
  process.env["DATABASE_URL"] || findPostgres()
    ? undefined
    : "no DATABASE_URL, and PostgreSQL's programs are not installed (Debian: apt-get install postgresql)";

let databases = 0;

export class TestPostgres {
  /** Undefined where the server is not the tests' own. */
  readonly cluster: PostgresCluster | undefined;
  readonly #adminUrl: string;

  private constructor(cluster: PostgresCluster | undefined, adminUrl: string) {
    this.cluster = cluster;
    this.#adminUrl = adminUrl;
  }

  /** Takes the server that is there, or starts one. The role of DATABASE_URL must be allowed to create databases. */
  static async start(): Promise<TestPostgres> {
    const given = process.env["DATABASE_URL"];
    if (given) return new TestPostgres(undefined, given);
    const cluster = await PostgresCluster.create(findPostgres() ?? "");
    return new TestPostgres(cluster, cluster.url("postgres"));
  }

  /** Makes a database, empty or like another one, and gives its connection string. */
  async createDatabase(likeUrl?: string): Promise<string> {
    const url = new URL(this.#adminUrl);
    url.pathname = `/rondo_test_${process.pid}_${threadId}_${databases++}`;
    await this.#admin(`create database ${nameOf(url.href)}${likeUrl ? ` template ${nameOf(likeUrl)}` : ""}`);
    return url.href;
  }

  async dropDatabase(url: string): Promise<void> {
    await this.#admin(`drop database ${nameOf(url)} with (force)`);
  }

  async dispose(): Promise<void> {
    await this.cluster?.dispose();
  }

  async #admin(statement: string): Promise<void> {
    const client = new Client({ connectionString: this.#adminUrl });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  }
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

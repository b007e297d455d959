// What this package keeps in PostgreSQL beside DBOS's own tables: who is alive, who was asked to abort, and what was put
// into mailboxes, so that nothing sent is lost when a run ends. All waiting, claiming and fencing is DBOS's.
import { setTimeout as delay } from "node:timers/promises";
import type { DLogger } from "@dbos-inc/dbos-sdk";
import { ensureSystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import { GlobalLogger } from "@dbos-inc/dbos-sdk/internal/telemetry/logs";
import type { MailboxMessage } from "@rondo/durable";
import { Pool, type PoolClient } from "pg";

/** Serialises migrations: two that meet on an empty database would fail each other. The number is this package's own. */
const MIGRATION_LOCK = 7_266_366;

const TABLES = `
  create schema if not exists rondo;
  create table if not exists rondo.workers (
    executor_id text primary key, version text not null, beat_at timestamptz not null);
  create table if not exists rondo.aborts (
    run_id text primary key, reason text not null, requested_at timestamptz not null default now());
  create table if not exists rondo.mail (
    run_id text not null, request_id text not null, message jsonb not null, sent_at timestamptz not null default now(),
    primary key (run_id, request_id));`;

const LOCK_POLL_MS = 100;

/** Asks again and again: a query that waits holds a snapshot, for which DBOS's concurrent index builds would wait in turn. */
async function takeLock(client: PoolClient): Promise<void> {
  while (true) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken) return;
    await delay(LOCK_POLL_MS);
  }
}

export class Store {
  readonly #pool: Pool;

  /** @param url a connection string of PostgreSQL */
  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, max: 4 });
    // A connection that breaks while nobody uses it is replaced at the next use; there is nobody to tell.
    this.#pool.on("error", () => {});
  }

  /** Creates or updates all tables, DBOS's and these. Safe to do from several processes at once, and again. */
  async migrate(url: string, logger: DLogger): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await takeLock(client);
      // DBOS.migrate does the same and writes to the console.
      await ensureSystemDatabase(url, new GlobalLogger(undefined, { logger }));
      await client.query(TABLES);
    } finally {
      await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]).finally(() => client.release());
    }
  }

  /** Says that a worker is alive. One that was given up for dead is alive again with that; its old runs are fenced. */
  async beat(executorId: string, version: string): Promise<void> {
    await this.#pool.query(
      `insert into rondo.workers values ($1, $2, now()) on conflict (executor_id) do update set beat_at = now()`,
      [executorId, version],
    );
  }

  /** Workers of this version that have been silent for so long. */
  async silentWorkers(version: string, leaseMs: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ executor_id: string }>(
      `select executor_id from rondo.workers where version = $1 and beat_at < now() - $2 * interval '1 millisecond'`,
      [version, leaseMs],
    );
    return rows.map((row) => row.executor_id);
  }

  /** Forgets a worker whose runs were taken over, unless it has come back since. */
  async forgetWorker(executorId: string, leaseMs: number): Promise<void> {
    await this.#pool.query(
      `delete from rondo.workers where executor_id = $1 and beat_at < now() - $2 * interval '1 millisecond'`,
      [executorId, leaseMs],
    );
  }

  /** Says that a worker leaves, so that nobody waits for its lease to run out. */
  async leave(executorId: string): Promise<void> {
    await this.#pool.query(`update rondo.workers set beat_at = 'epoch' where executor_id = $1`, [executorId]);
  }

  async requestAbort(runId: string, reason: string): Promise<void> {
    await this.#pool.query(`insert into rondo.aborts (run_id, reason) values ($1, $2) on conflict do nothing`, [
      runId,
      reason,
    ]);
  }

  /** The reasons for which some of these runs shall be aborted. */
  async abortRequests(runIds: string[]): Promise<Map<string, string>> {
    if (runIds.length === 0) return new Map();
    const { rows } = await this.#pool.query<{ run_id: string; reason: string }>(
      `select run_id, reason from rondo.aborts where run_id = any($1)`,
      [runIds],
    );
    return new Map(rows.map((row) => [row.run_id, row.reason]));
  }

  /** Notes a message, and in the same transaction does what `deliver` does. */
  async putMail(runId: string, message: MailboxMessage, deliver: (client: PoolClient) => Promise<void>): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query("begin");
      await client.query(
        `insert into rondo.mail (run_id, request_id, message) values ($1, $2, $3) on conflict do nothing`,
        [runId, message.requestId, JSON.stringify(message)],
      );
      await deliver(client);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }

  /** Everything that was sent to a run and did not enter its conversation. */
  async undeliveredMail(runId: string, taken: string[]): Promise<MailboxMessage[]> {
    const { rows } = await this.#pool.query<{ message: MailboxMessage }>(
      `select message from rondo.mail where run_id = $1 and request_id <> all($2) order by sent_at, request_id`,
      [runId, taken],
    );
    return rows.map((row) => row.message);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

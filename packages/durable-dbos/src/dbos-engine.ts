// Durable runs on any number of machines: DBOS on PostgreSQL behind the interface of @rondo/durable. This is the client's
// half, which needs the database alone and no worker; the worker's half is dbos-worker.ts.
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { DBOSClient, type DLogger } from "@dbos-inc/dbos-sdk";
import {
  type AgentFactory,
  type DurableEngine,
  type DurableEvent,
  EventFilter,
  type Json,
  type MailboxMessage,
  type PublishedEvent,
  RunConflictError,
  RunFailedError,
  type RunResult,
  type RunState,
  requireRunId,
  type SendOptions,
  type SendOutcome,
  type SubmitOptions,
  UnknownPositionError,
  type Worker,
  type WorkerOptions,
} from "@rondo/durable";
import { connectionString } from "./connection.ts";
import { EVENTS_KEY, MAIL_TOPIC } from "./dbos-steps.ts";
import { DbosWorker } from "./dbos-worker.ts";
import {
  queueOf,
  type SegmentArguments,
  type SegmentState,
  segmentState,
  WORKFLOW_NAME,
  workflowIdOf,
} from "./segments.ts";
import { Store } from "./store.ts";

const LEASE_MS = 5_000;
const POLL_MS = 200;

const SILENT: DLogger = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };

export interface DbosEngineOptions {
  /** A connection string of PostgreSQL 13 or later, `postgresql://user:password@host:port/database`. */
  url: string;
  /** How long a worker may be silent before its runs go to others. Default 5,000. Blocking the event loop is silence. */
  leaseMs?: number;
  /** Creates and updates the tables first. Default true. `false` for roles that may not, after `migrate` was done by another. */
  migrate?: boolean;
  /** Where DBOS logs to. Default: nowhere. */
  logger?: DLogger;
}

/** Connects to a database. Rejects if it cannot be reached. */
export async function dbosEngine(given: DbosEngineOptions): Promise<DbosEngine> {
  const options = { ...given, url: connectionString(given.url) };
  const store = new Store(options.url);
  try {
    const { logger = SILENT } = options;
    if (options.migrate !== false) await store.migrate(options.url, logger);
    const client = await DBOSClient.create({ systemDatabaseUrl: options.url, applicationName: "rondo", logger });
    return new DbosEngine(options, client, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

type EndState = Extract<SegmentState, { state: "ended" | "failed" }>;

/** An engine on PostgreSQL. See `dbosEngine`. */
export class DbosEngine implements DurableEngine {
  readonly #options: DbosEngineOptions;
  readonly #client: DBOSClient;
  readonly #store: Store;

  constructor(options: DbosEngineOptions, client: DBOSClient, store: Store) {
    this.#options = options;
    this.#client = client;
    this.#store = store;
  }

  /** Starts the one worker of this process. */
  worker(agents: Record<string, AgentFactory>, options: WorkerOptions): Promise<Worker> {
    const { url, leaseMs = LEASE_MS, logger = SILENT } = this.#options;
    return DbosWorker.start(agents, {
      ...options,
      url,
      leaseMs,
      logger,
      client: this.#client,
      store: this.#store,
    });
  }

  async submit(agent: string, input: Json, { runId }: SubmitOptions): Promise<void> {
    requireRunId(runId);
    const segment: SegmentArguments = { runId, agent, input, segment: 1 };
    const options = { queueName: queueOf(agent), workflowName: WORKFLOW_NAME, workflowID: runId };
    const handle = await this.#client.enqueue<(segment: SegmentArguments) => Promise<unknown>>(options, segment);
    const status = await handle.getStatus();
    if (!isDeepStrictEqual(status?.input, [segment])) throw new RunConflictError(runId);
  }

  async send(runId: string, { kind, content, requestId }: SendOptions): Promise<SendOutcome> {
    const mail: MailboxMessage = { kind, content, requestId, sentAt: Date.now() };
    for (let segment = 1; ; segment++) {
      const before = await segmentState(this.#client, runId, segment);
      if (before.state === "waiting" || before.state === "running") {
        await this.#store.putMail(runId, mail, (client) =>
          this.#client.sendInTransaction(client, workflowIdOf(runId, segment), mail, MAIL_TOPIC, requestId),
        );
      }
      const after = await segmentState(this.#client, runId, segment);
      if (after.state === "failed") return "ended";
      if (after.state !== "ended") return "waiting";
      if ("result" in after.output) return after.output.result.taken.includes(requestId) ? "taken" : "ended";
      if (after.output.seen.includes(requestId)) return "waiting";
    }
  }

  async abort(runId: string, reason = "somebody asked for it"): Promise<void> {
    const state = await this.state(runId);
    if (state === "waiting" || state === "running") await this.#store.requestAbort(runId, reason);
  }

  async *events(runId: string, options: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<DurableEvent> {
    const { after } = options;
    if (after !== undefined && !/^\d+\.\d+\.\d+$/.test(after)) throw new UnknownPositionError(runId, after);
    const filter = new EventFilter();
    let passed = after === undefined;
    for (let segment = 1; ; segment++) {
      await segmentState(this.#client, runId, segment);
      let offset = 0;
      for await (const batch of this.#batches(workflowIdOf(runId, segment), options.signal)) {
        for (const [index, published] of batch.entries()) {
          const position = `${segment}.${offset}.${index}`;
          const { turn, attempt, event } = published;
          if (filter.admit(published) && passed) yield { position, turn, attempt, event };
          if (position === after) passed = true;
        }
        offset++;
      }
      if (options.signal?.aborted) return;
      const end = await this.#end(runId, segment, options.signal);
      if (end.state === "failed" || "result" in end.output) break;
    }
    if (after !== undefined && !passed) throw new UnknownPositionError(runId, after);
  }

  async result(runId: string, { signal }: { signal?: AbortSignal } = {}): Promise<RunResult> {
    for (let segment = 1; ; segment++) {
      const end = await this.#end(runId, segment, signal);
      if (end.state === "failed") throw new RunFailedError(runId, end.why);
      if (!("result" in end.output)) continue;
      const { result } = end.output;
      return { ...result, undelivered: await this.#store.undeliveredMail(runId, result.taken) };
    }
  }

  async state(runId: string): Promise<RunState> {
    for (let segment = 1; ; segment++) {
      const current = await segmentState(this.#client, runId, segment);
      if (current.state !== "ended" || "result" in current.output) return current.state;
    }
  }

  async close(): Promise<void> {
    await this.#client.destroy();
    await this.#store.close();
  }

  async #end(runId: string, segment: number, signal?: AbortSignal): Promise<EndState> {
    while (true) {
      const current = await segmentState(this.#client, runId, segment);
      if (current.state === "failed" || current.state === "ended") return current;
      await delay(POLL_MS, undefined, signal ? { signal } : {});
    }
  }

  /** The event stream of a segment, from its beginning until it ends or the reader leaves. */
  async *#batches(workflowId: string, signal?: AbortSignal): AsyncGenerator<PublishedEvent[]> {
    const stream = this.#client.readStream<PublishedEvent[]>(workflowId, EVENTS_KEY, { pollingIntervalMs: POLL_MS });
    const left = new Promise<{ done: true; value: undefined }>((resolve) => {
      signal?.addEventListener("abort", () => resolve({ done: true, value: undefined }), { once: true });
    });
    while (signal?.aborted !== true) {
      const next = await Promise.race([stream.next(), left]);
      if (next.done) return;
      yield next.value;
    }
  }
}

// A worker: DBOS launched in this process, the workflow that runs segments, a queue for each agent, and the sweeper. DBOS
// is one per process, and so is the worker.
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { DBOS, type DBOSClient, type DLogger, type WorkflowStatus } from "@dbos-inc/dbos-sdk";
import { type AgentFactory, runSegment, SuspendedError, type Worker, type WorkerOptions } from "@rondo/durable";
import { DbosSteps } from "./dbos-steps.ts";
import { LeaseSweeper } from "./lease-sweeper.ts";
import { queueOf, type SegmentArguments, type SegmentOutput, WORKFLOW_NAME, workflowIdOf } from "./segments.ts";
import type { Store } from "./store.ts";

const CONCURRENCY = 10;
const ATTEMPTS_MAX = 100;
/** How soon a waiting run is noticed. */
const QUEUE_POLL_MS = 200;

export interface DbosWorkerOptions extends WorkerOptions {
  url: string;
  leaseMs: number;
  logger: DLogger;
  client: DBOSClient;
  store: Store;
}

/** Before the database was asked whose a run is. */
const UNKNOWN_TERM = 0;

interface ActiveRun {
  abort: AbortController;
  /** The term of the lease in which the run was last known to be this worker's. */
  term: number;
}

/** Never settles: what DBOS is told about a run that this process lets go of, since anything else would be its end. */
const NEVER = new Promise<never>(() => {});

export class DbosWorker implements Worker {
  readonly #agents: Record<string, AgentFactory>;
  readonly #options: DbosWorkerOptions;
  readonly #executorId = randomUUID();
  readonly #active = new Map<string, ActiveRun>();
  readonly #halt = new AbortController();
  readonly #sweeper: LeaseSweeper;
  readonly #workflow: (segment: SegmentArguments) => Promise<SegmentOutput>;

  private constructor(agents: Record<string, AgentFactory>, options: DbosWorkerOptions) {
    this.#agents = agents;
    this.#options = options;
    // One listener a run is no leak.
    setMaxListeners(0, this.#halt.signal);
    const { store, version, leaseMs } = options;
    const lease = { executorId: this.#executorId, version, leaseMs };
    this.#sweeper = new LeaseSweeper(store, lease, () => this.#lookForAborts());
    this.#workflow = DBOS.registerWorkflow((segment: SegmentArguments) => this.#run(segment), {
      name: WORKFLOW_NAME,
      maxRecoveryAttempts: options.attemptsMax ?? ATTEMPTS_MAX,
    });
  }

  /** Launches DBOS and begins to take runs. */
  static async start(agents: Record<string, AgentFactory>, options: DbosWorkerOptions): Promise<DbosWorker> {
    if (DBOS.isInitialized()) throw new Error("DBOS is running in this process already. Start one worker per process.");
    if (options.runIds) throw new Error("A DBOS worker takes any run of its agents; runIds is for the journal alone.");
    const worker = new DbosWorker(agents, options);
    await worker.#launch();
    return worker;
  }

  async close(): Promise<void> {
    this.#halt.abort();
    await this.#sweeper.stop();
    await DBOS.shutdown({ deregister: true });
    await this.#options.store.leave(this.#executorId);
  }

  async #launch(): Promise<void> {
    const { url, version, logger, concurrency = CONCURRENCY } = this.#options;
    const queues = Object.keys(this.#agents).map(queueOf);
    DBOS.setConfig({
      name: "rondo",
      systemDatabaseUrl: url,
      applicationVersion: version,
      executorID: this.#executorId,
      runMigrations: false,
      listenQueues: queues,
      logger,
    });
    await this.#sweeper.start();
    await DBOS.launch();
    for (const queue of queues) {
      await DBOS.registerQueue(queue, {
        workerConcurrency: concurrency,
        minPollingIntervalMs: QUEUE_POLL_MS,
        onConflict: "always_update",
      });
    }
  }

  async #run(segmentArguments: SegmentArguments): Promise<SegmentOutput> {
    const { runId, agent, input, segment, carry } = segmentArguments;
    const workflowId = workflowIdOf(runId, segment);
    const active: ActiveRun = { abort: new AbortController(), term: UNKNOWN_TERM };
    this.#active.set(runId, active);
    try {
      const factory = this.#agents[agent];
      if (!factory) throw new Error(`This worker knows no agent "${agent}".`);
      const { term } = this.#sweeper.lease;
      const { executorId, recoveryAttempts: attempt = 1 } = (await this.#statusOf(workflowId)) ?? {};
      if (executorId === this.#executorId) active.term = term;
      await this.#lookForAborts();
      const signals = { abort: active.abort.signal, halt: this.#halt.signal };
      const confirm = () => this.#confirm(runId, workflowId, active);
      const steps = new DbosSteps({ runId, segment, attempt, ...signals, confirm });
      const end = await runSegment(steps, { factory, input, carry, onRecord: this.#options.onRecord });
      if (end.type === "end") return { result: end.result };
      const next = { runId, agent, input, segment: segment + 1, carry: end.carry };
      const continuedAs = workflowIdOf(runId, segment + 1);
      await DBOS.startWorkflow(this.#workflow, { workflowID: continuedAs, queueName: queueOf(agent) })(next);
      return { continuedAs, seen: [...end.carry.taken, ...end.carry.waiting.map(({ requestId }) => requestId)] };
    } catch (error) {
      if (!this.#halt.signal.aborted && !(error instanceof SuspendedError)) throw error;
    } finally {
      if (this.#active.get(runId) === active) this.#active.delete(runId);
    }
    return NEVER;
  }

  /** Asked for past DBOS's records, since it differs from attempt to attempt, as the records must not. */
  #statusOf(workflowId: string): Promise<WorkflowStatus | null> {
    return this.#options.client.retrieveWorkflow(workflowId).getStatus();
  }

  /** Costs nothing while the lease goes on. After a pause the database is asked, for as long as it cannot be reached. */
  async #confirm(runId: string, workflowId: string, active: ActiveRun): Promise<void> {
    const { lease } = this.#sweeper;
    while (!lease.holds || active.term !== lease.term) {
      if (this.#halt.signal.aborted) throw new SuspendedError(runId);
      try {
        await this.#sweeper.beat();
        const { term } = lease;
        const status = await this.#statusOf(workflowId);
        if (status?.executorId !== this.#executorId || this.#active.get(runId) !== active)
          throw new SuspendedError(runId);
        active.term = term;
      } catch (error) {
        if (error instanceof SuspendedError) throw error;
        await delay(this.#options.leaseMs / 5);
      }
    }
  }

  async #lookForAborts(): Promise<void> {
    const requests = await this.#options.store.abortRequests([...this.#active.keys()]);
    for (const [runId, reason] of requests) this.#active.get(runId)?.abort.abort(reason);
  }
}

// Finds workers that have died and puts their runs back into the queue, which DBOS leaves to its commercial Conductor.
// Each worker has an id of its own, says every second that it is alive, and looks who has not. Taking over is DBOS's:
// recovering a run gives it a new owner, and whatever the old one still does to it is refused. So two sweepers that find
// the same dead worker, or a worker that was only asleep, do no harm.
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import { Lease } from "./lease.ts";
import type { Store } from "./store.ts";

export interface LeaseOptions {
  executorId: string;
  version: string;
  /** How long a worker may be silent. */
  leaseMs: number;
}

/** Beats and sweeps until it is stopped. */
export class LeaseSweeper {
  readonly lease: Lease;
  readonly #store: Store;
  readonly #options: LeaseOptions;
  readonly #onBeat: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** @param onBeat what else is to be done at each beat */
  constructor(store: Store, options: LeaseOptions, onBeat: () => Promise<void>) {
    this.#store = store;
    this.#options = options;
    this.#onBeat = onBeat;
    this.lease = new Lease(options.leaseMs);
  }

  /** Resolves after the first beat, which must come before the worker takes a run. */
  async start(): Promise<void> {
    const { leaseMs } = this.#options;
    await this.beat();
    this.#timer = setInterval(() => {
      this.#running ??= this.#beatAndSweep().finally(() => {
        this.#running = undefined;
      });
    }, leaseMs / 5);
  }

  /** Says that this worker is alive. */
  beat(): Promise<void> {
    const { executorId, version } = this.#options;
    return this.lease.renew(() => this.#store.beat(executorId, version));
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** A database that cannot be reached is tried again at the next beat. */
  async #beatAndSweep(): Promise<void> {
    const { version, leaseMs } = this.#options;
    try {
      await this.beat();
      for (const dead of await this.#store.silentWorkers(version, leaseMs)) {
        await DBOSExecutor.globalInstance?.recoverPendingWorkflows([dead]);
        await this.#store.forgetWorker(dead, leaseMs);
      }
      await this.#onBeat();
    } catch {
      return;
    }
  }
}

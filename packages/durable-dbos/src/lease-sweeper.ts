// Finds workers that have died and puts their runs back into the queue, which DBOS leaves to its commercial Conductor.
// Each worker has an id of its own, says every second that it is alive, and looks who has not. Taking over is DBOS's:
// recovering a run gives it a new owner, and whatever the old one still does to it is refused. So two sweepers that find
// the same dead worker, or a worker that was only asleep, do no harm.
import { DBOSExecutor } from "@dbos-inc/dbos-sdk/internal/dbos-executor";
import type { Store } from "./store.ts";

export interface LeaseOptions {
  executorId: string;
  version: string;
  /** How long a worker may be silent. */
  leaseMs: number;
}

/** Beats and sweeps until it is stopped. */
export class LeaseSweeper {
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
  }

  /** Resolves after the first beat, which must come before the worker takes a run. */
  async start(): Promise<void> {
    const { executorId, version, leaseMs } = this.#options;
    await this.#store.beat(executorId, version);
    this.#timer = setInterval(() => {
      this.#running ??= this.#beat().finally(() => {
        this.#running = undefined;
      });
    }, leaseMs / 5);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** A database that cannot be reached is tried again at the next beat. */
  async #beat(): Promise<void> {
    const { executorId, version, leaseMs } = this.#options;
    try {
      await this.#store.beat(executorId, version);
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

// Worker processes that a test starts, kills and is sure to be rid of: each ends with its parent's pipe, after a time of
// its own, or when its rig is disposed of. The second half of the file is what runs inside such a process.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { DurableEngine, WorkerOptions } from "../types.ts";
import { rehearsalAgent } from "./rehearsal-agent.ts";

/** No rehearsal takes as long; a worker that is older was forgotten. */
const LIFETIME_MS = 300_000;

/** Where a worker is to kill itself: around the n-th new record of its life, from 0. */
export interface CrashPoint {
  moment: "before" | "after";
  index: number;
}

/** What a worker process is told. Plain JSON. */
export interface WorkerProcessOptions {
  /** What its engine is made with. */
  engine: unknown;
  worker: Omit<WorkerOptions, "onRecord">;
  crash?: CrashPoint;
}

/** A worker in a process of its own. */
export class WorkerProcess {
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #errorOutput = "";

  constructor(script: string, options: WorkerProcessOptions) {
    // Node 20 reads this file at each start, which takes longer than the start itself.
    const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
    const args = [script, JSON.stringify(options)];
    this.#child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    this.exited = once(this.#child, "exit").then(() => {});
    this.#child.stderr?.on("data", (data) => {
      this.#errorOutput += data;
    });
    const told = this.#child.stdout ? once(this.#child.stdout, "data") : Promise.resolve();
    this.#ready = Promise.race([told, this.exited]).then(() => {});
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when the worker takes runs. Rejects with its last words if it does not come to that. */
  async ready(): Promise<this> {
    await this.#ready;
    if (!this.alive && this.#child.signalCode !== "SIGKILL") throw new Error(`A worker ended: ${this.#errorOutput}`);
    return this;
  }

  /** Sends a signal. Resolves at once for those that a process survives. */
  async kill(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM" = "SIGKILL"): Promise<void> {
    this.#child.kill(signal);
    if (signal === "SIGKILL" || signal === "SIGTERM") await this.exited;
  }
}

/** Runs inside a worker process: works on rehearsals until it is killed, its parent goes, or its time is over. */
export async function runWorkerProcess(makeEngine: (options: unknown) => Promise<DurableEngine>): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? "{}") as WorkerProcessOptions;
  process.stdin.on("close", () => process.kill(process.pid, "SIGKILL")).resume();
  setTimeout(() => process.kill(process.pid, "SIGKILL"), LIFETIME_MS).unref();
  const engine = await makeEngine(options.engine);
  const onRecord = options.crash ? crashAt(options.crash) : undefined;
  const workerOptions = { ...options.worker, ...(onRecord ? { onRecord } : {}) };
  const worker = await engine.worker({ rehearsal: rehearsalAgent }, workerOptions);
  process.on("SIGTERM", () => void worker.close().then(() => process.kill(process.pid, "SIGKILL")));
  process.stdout.write("ready\n");
}

function crashAt({ moment, index }: CrashPoint): NonNullable<WorkerOptions["onRecord"]> {
  let seen = 0;
  return (now) => {
    if (now === moment && seen++ === index) process.kill(process.pid, "SIGKILL");
  };
}

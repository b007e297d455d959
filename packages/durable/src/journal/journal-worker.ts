// Looks for runs that nobody works on and works on them, up to a number at a time. Several workers, in one process or in
// many, may share a folder: the lock of each run decides.
import { setMaxListeners } from "node:events";
import type { AgentFactory, Worker, WorkerOptions } from "../types.ts";
import { takeUp } from "./journal-run.ts";
import { tryOwnerLock } from "./owner-lock.ts";
import { RunFolder, runIdsIn } from "./run-folder.ts";

const CONCURRENCY = 10;
/** How soon a new run, or one whose worker died, is noticed. */
const SCAN_MS = 100;

export class JournalWorker implements Worker {
  readonly #root: string;
  readonly #agents: Record<string, AgentFactory>;
  readonly #options: WorkerOptions;
  readonly #halt = new AbortController();
  readonly #active = new Map<string, Promise<void>>();
  /** Runs that this worker need not look at again. */
  readonly #done = new Set<string>();
  /** What was told of runs. */
  readonly #problems = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  #scan: Promise<void> | undefined;

  constructor(root: string, agents: Record<string, AgentFactory>, options: WorkerOptions) {
    this.#root = root;
    this.#agents = agents;
    this.#options = options;
    // One listener a run is no leak.
    setMaxListeners(0, this.#halt.signal);
    this.#timer = setInterval(() => this.look(), SCAN_MS);
    this.look();
  }

  /** Looks for work now. */
  look(): void {
    this.#scan ??= this.#takeUpRuns()
      .catch(() => {})
      .finally(() => {
        this.#scan = undefined;
      });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#halt.abort();
    await this.#scan;
    await Promise.all(this.#active.values());
  }

  async #takeUpRuns(): Promise<void> {
    const concurrency = this.#options.concurrency ?? CONCURRENCY;
    for (const runId of this.#options.runIds ?? (await runIdsIn(this.#root))) {
      if (this.#halt.signal.aborted || this.#active.size >= concurrency) return;
      if (this.#active.has(runId) || this.#done.has(runId)) continue;
      // One whose files cannot be read must not keep the others waiting.
      await this.#tryRun(new RunFolder(this.#root, runId)).catch((error: unknown) => this.#tellProblem(runId, error));
    }
  }

  async #tryRun(folder: RunFolder): Promise<void> {
    const { runId } = folder;
    if (await folder.outcome()) {
      this.#done.add(runId);
      return;
    }
    const submission = await folder.submission().catch(() => undefined);
    const factory = submission && this.#agents[submission.agent];
    if (!factory) return;
    const lock = tryOwnerLock(folder.file("owner.lock"));
    if (!lock) return;
    const work = { folder, factory, input: submission.input, options: this.#options, halt: this.#halt.signal };
    const ended = this.#runLocked(work).finally(() => {
      lock.release();
      this.#active.delete(runId);
    });
    this.#active.set(runId, ended);
  }

  async #runLocked(work: Parameters<typeof takeUp>[0]): Promise<void> {
    const { folder } = work;
    if (await folder.outcome()) return;
    const came = await takeUp(work).catch((error: unknown) => this.#tellProblem(folder.runId, error));
    if (came === "otherVersion" || came === "ended") this.#done.add(folder.runId);
  }

  #tellProblem(runId: string, error: unknown): void {
    const problem = error instanceof Error ? error : new Error(String(error));
    if (this.#problems.get(runId) === problem.message) return;
    this.#problems.set(runId, problem.message);
    this.#options.onProblem?.(runId, problem);
  }
}

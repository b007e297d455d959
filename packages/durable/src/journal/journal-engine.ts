// Durable runs on one machine with nothing but a folder: the engine's public face. Every method but `worker` only reads
// files or adds to them, so it works from any process, whether or not a worker lives.
import { mkdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { RunFailedError, requireRunId, UnknownPositionError } from "../errors.ts";
import type {
  AgentFactory,
  DurableEngine,
  DurableEvent,
  Json,
  MailboxMessage,
  RunResult,
  RunState,
  SendOptions,
  SendOutcome,
  SubmitOptions,
  Worker,
  WorkerOptions,
} from "../types.ts";
import { followEvents } from "./event-log.ts";
import { putIntoInbox, readInbox } from "./inbox.ts";
import { JournalWorker } from "./journal-worker.ts";
import { tryOwnerLock } from "./owner-lock.ts";
import { RunFolder, runIdsIn } from "./run-folder.ts";

const POLL_MS = 50;

/** How a journal is kept. */
export interface JournalEngineOptions {
  /** Where the runs are, one folder each. It is created if it is missing. A local disk: locks on network disks vary. */
  folder: string;
}

/** Makes an engine that keeps runs in a folder of this machine. */
export async function journalEngine(options: JournalEngineOptions): Promise<JournalEngine> {
  await mkdir(options.folder, { recursive: true });
  return new JournalEngine(options.folder);
}

/** An engine of files. See `journalEngine`. */
export class JournalEngine implements DurableEngine {
  readonly #root: string;
  readonly #workers = new Set<JournalWorker>();

  constructor(root: string) {
    this.#root = root;
  }

  async worker(agents: Record<string, AgentFactory>, options: WorkerOptions): Promise<Worker> {
    for (const runId of options.runIds ?? []) requireRunId(runId);
    const worker = new JournalWorker(this.#root, agents, options);
    this.#workers.add(worker);
    return {
      close: async () => {
        this.#workers.delete(worker);
        await worker.close();
      },
    };
  }

  async submit(agent: string, input: Json, { runId }: SubmitOptions): Promise<void> {
    await new RunFolder(this.#root, runId).submit({ agent, input });
    for (const worker of this.#workers) worker.look();
  }

  async send(runId: string, { kind, content, requestId }: SendOptions): Promise<SendOutcome> {
    const folder = await this.#folder(runId);
    const before = await folder.outcome();
    if (!before) {
      const mail: MailboxMessage = { kind, content, requestId, sentAt: Date.now() };
      await putIntoInbox(folder.file("inbox.jsonl"), mail);
    }
    const outcome = before ?? (await folder.outcome());
    if (!outcome) return "waiting";
    return "result" in outcome && outcome.result.taken.includes(requestId) ? "taken" : "ended";
  }

  async abort(runId: string, reason = "somebody asked for it"): Promise<void> {
    const folder = await this.#folder(runId);
    if (!(await folder.outcome())) await putIntoInbox(folder.file("inbox.jsonl"), { kind: "abort", reason });
  }

  async *events(runId: string, options: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<DurableEvent> {
    const folder = await this.#folder(runId);
    const hasEnded = async () => (await folder.outcome()) !== undefined;
    const unknownPosition = (position: string) => new UnknownPositionError(runId, position);
    yield* followEvents(folder.file("events.jsonl"), hasEnded, unknownPosition, options);
  }

  async result(runId: string, { signal }: { signal?: AbortSignal } = {}): Promise<RunResult> {
    const folder = await this.#folder(runId);
    while (true) {
      const outcome = await folder.outcome();
      if (outcome && "failure" in outcome) throw new RunFailedError(runId, outcome.failure);
      if (outcome) return { ...outcome.result, undelivered: await undelivered(folder, outcome.result) };
      await delay(POLL_MS, undefined, signal ? { signal } : {});
    }
  }

  async state(runId: string): Promise<RunState> {
    const folder = await this.#folder(runId);
    const outcome = await folder.outcome();
    if (outcome) return "failure" in outcome ? "failed" : "ended";
    const lock = tryOwnerLock(folder.file("owner.lock"));
    lock?.release();
    return lock ? "waiting" : "running";
  }

  /** The names of all runs in the folder. */
  runIds(): Promise<string[]> {
    return runIdsIn(this.#root);
  }

  async close(): Promise<void> {}

  async #folder(runId: string): Promise<RunFolder> {
    const folder = new RunFolder(this.#root, runId);
    await folder.submission();
    return folder;
  }
}

/** Everything in the inbox that did not enter the conversation, even what came after the end. */
async function undelivered(folder: RunFolder, { taken }: RunResult): Promise<MailboxMessage[]> {
  const { messages } = await readInbox(folder.file("inbox.jsonl"), 0);
  const ids = new Set(taken);
  return messages.filter(({ requestId }) => {
    const isNew = !ids.has(requestId);
    ids.add(requestId);
    return isNew;
  });
}

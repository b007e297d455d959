// Takes up one run whose lock this process holds, and goes on with it until it ends, fails or is let go.
import { SuspendedError } from "../errors.ts";
import { runSegment } from "../run-segment.ts";
import type { AgentFactory, Json, WorkerOptions } from "../types.ts";
import { EventWriter } from "./event-log.ts";
import { readInbox } from "./inbox.ts";
import { Journal } from "./journal.ts";
import { JournalSteps } from "./journal-steps.ts";
import type { RunFolder, RunOutcome } from "./run-folder.ts";

const ATTEMPTS_MAX = 10;
/** How soon a run sees that it is to be aborted. */
const ABORT_POLL_MS = 100;

export interface RunWork {
  folder: RunFolder;
  factory: AgentFactory;
  input: Json;
  options: WorkerOptions;
  halt: AbortSignal;
}

/** What came of it: the run has ended or failed, which is on the disk then, another version has to do it, or it was let go. */
export type TakeUp = "ended" | "otherVersion" | "suspended";

/** Never throws: a run that cannot go on ends with the reason on the disk. */
export async function takeUp(work: RunWork): Promise<TakeUp> {
  const { folder } = work;
  let outcome: RunOutcome | "otherVersion" | "suspended";
  try {
    outcome = await withJournal(work, (journal) => attempt(work, journal));
  } catch (error) {
    if (error instanceof SuspendedError) return "suspended";
    outcome = { failure: error instanceof Error ? error.message : String(error) };
  }
  if (typeof outcome === "string") return outcome;
  await folder.end(outcome);
  return "ended";
}

async function withJournal<T>({ folder, options }: RunWork, use: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = await Journal.open(folder.runId, folder.file("journal.jsonl"), options.version);
  return use(journal).finally(() => journal.close());
}

async function attempt(work: RunWork, journal: Journal): Promise<RunOutcome | "otherVersion"> {
  const { folder, options } = work;
  if (journal.version !== options.version) return "otherVersion";
  const attemptsMax = options.attemptsMax ?? ATTEMPTS_MAX;
  if (journal.fruitless > attemptsMax)
    return { failure: `it was taken up ${attemptsMax} times without getting any further.` };
  const events = await EventWriter.open(folder.file("events.jsonl"));
  const abort = watchForAbort(folder.file("inbox.jsonl"));
  try {
    return await runSegments(work, journal, events, abort.signal);
  } catch (error) {
    if (error instanceof SuspendedError && work.halt.aborted) await journal.letGo();
    throw error;
  } finally {
    abort.stop();
    await events.close();
  }
}

async function runSegments(
  { folder, factory, input, options, halt }: RunWork,
  journal: Journal,
  events: EventWriter,
  abort: AbortSignal,
): Promise<RunOutcome> {
  const { runId } = folder;
  while (true) {
    const inboxPath = folder.file("inbox.jsonl");
    const steps = new JournalSteps({ runId, journal, events, inboxPath, abort, halt });
    const end = await runSegment(steps, { factory, input, carry: journal.carry, onRecord: options.onRecord });
    if (end.type === "end") return { result: end.result };
    await journal.beginSegment(end.carry);
  }
}

/** Looks into the inbox now and then for a request to abort. */
function watchForAbort(inboxPath: string): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  let cursor = 0;
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    const content = await readInbox(inboxPath, cursor).catch(() => undefined);
    looking = false;
    cursor = content?.cursor ?? cursor;
    if (content?.abortReason !== undefined) controller.abort(content.abortReason);
  };
  void look();
  const timer = setInterval(() => void look(), ABORT_POLL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

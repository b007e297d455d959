// Where a run's files are and how those come to be that are written once: whole, at once, or not at all.
//   run.json  what was submitted     journal.jsonl  the records     inbox.jsonl  mailbox and abort requests
//   events.jsonl  events for readers     result.json  how it ended     owner.lock  see owner-lock.ts
import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isRunId, RunConflictError, requireRunId, UnknownRunError } from "../errors.ts";
import type { Json, RunResult } from "../types.ts";

/** What was submitted. */
export interface Submission {
  agent: string;
  input: Json;
}

/** How a run ended. */
export type RunOutcome = { result: RunResult } | { failure: string };

export class RunFolder {
  readonly runId: string;
  readonly path: string;

  constructor(root: string, runId: string) {
    requireRunId(runId);
    this.runId = runId;
    this.path = join(root, runId);
  }

  file(name: "run.json" | "journal.jsonl" | "inbox.jsonl" | "events.jsonl" | "result.json" | "owner.lock"): string {
    return join(this.path, name);
  }

  /** Creates the run. Doing it again with the same submission changes nothing. */
  async submit(submission: Submission): Promise<void> {
    await mkdir(this.path, { recursive: true });
    const created = await createWhole(this.file("run.json"), submission);
    if (created) await syncFolder(dirname(this.path));
    else if (!isDeepStrictEqual(await this.submission(), submission)) throw new RunConflictError(this.runId);
  }

  async submission(): Promise<Submission> {
    const submission = await readJson<Submission>(this.file("run.json"));
    if (!submission) throw new UnknownRunError(this.runId);
    return submission;
  }

  outcome(): Promise<RunOutcome | undefined> {
    return readJson<RunOutcome>(this.file("result.json"));
  }

  async end(outcome: RunOutcome): Promise<void> {
    const path = this.file("result.json");
    await rename(await writeTemporary(path, outcome), path);
    await syncFolder(this.path);
  }
}

/** The names of all runs in a folder, in alphabetical order. Whatever else lies there is passed over. */
export async function runIdsIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() && isRunId(entry.name) ? [entry.name] : [])).sort();
}

/** Whether the file was created by this call. A file that is there is whole, whoever created it. */
async function createWhole(path: string, value: unknown): Promise<boolean> {
  const temporary = await writeTemporary(path, value);
  try {
    await link(temporary, path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary);
  }
}

async function writeTemporary(path: string, value: unknown): Promise<string> {
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, "wx");
  try {
    await file.writeFile(`${JSON.stringify(value)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}

/** Windows opens no folders, and writes their entries through by itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`The file ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

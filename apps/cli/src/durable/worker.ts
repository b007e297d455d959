// `rondo worker`: works on submitted tasks in this folder until it is told to stop. Its own flags and settings decide on model,
// permissions and limits; there is nobody to ask, so what would be asked about is refused.
import { once } from "node:events";
import type { AgentFactory, DurableEngine } from "@rondo/durable";
import type { Ending } from "../exit-codes.ts";
import type { CommandLine } from "../flags/parse.ts";
import { createSession, type Session, type SessionSettings } from "../session/create-session.ts";
import { readSettings } from "../settings/read-settings.ts";
import type { Output } from "../terminal/output.ts";
import { durableAgent, RECORDS_VERSION } from "./durable-agent.ts";
import type { ChosenEngine } from "./engines.ts";

/** The name by which engines know the agent of submitted tasks. */
export const TASK_AGENT = "task";

/** Runs share the folder, and two agents that change the same files are in each other's way. */
const CONCURRENCY = 1;

/** Where a command writes to. */
export interface Console {
  answer: Output;
  progress: Output;
}

/** Works until SIGINT, SIGTERM or SIGHUP. Runs under way are let go of then; the next worker goes on with them. */
export async function runWorker(
  { engine, place }: ChosenEngine,
  commandLine: CommandLine,
  { progress }: Console,
): Promise<Ending> {
  const tell = (text: string) => progress.write(`rondo: ${progress.escape(text)}\n`);
  const settings = await readSettings(commandLine, process);
  for (const notice of settings.notices) await tell(notice);
  const sessions = new RunSessions(settings, engine, tell);
  await sessions.check();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  process.once("exit", () => sessions.close());
  const worker = await engine.worker(
    { [TASK_AGENT]: sessions.factory },
    {
      version: RECORDS_VERSION,
      concurrency: commandLine.number("concurrency") ?? CONCURRENCY,
      onProblem: (runId, { message }) => void tell(`${runId} cannot be worked on: ${message}`),
    },
  );
  await tell(
    `Working on tasks from ${place}, in this folder. Ctrl-C stops; the next worker goes on with what is left.`,
  );
  if (!stop.signal.aborted) await once(stop.signal, "abort");
  await worker.close();
  sessions.close();
  return "done";
}

/** One session for each run that this worker has. Owns them: a session is closed when its run has ended or the worker stops. */
class RunSessions {
  readonly #settings: SessionSettings;
  readonly #engine: DurableEngine;
  readonly #tell: (text: string) => Promise<void>;
  readonly #sessions = new Map<string, Session>();
  readonly #closing = new AbortController();

  constructor(settings: SessionSettings, engine: DurableEngine, tell: (text: string) => Promise<void>) {
    this.#settings = settings;
    this.#engine = engine;
    this.#tell = tell;
  }

  /** Says what is wrong with the settings before a run can fail for it. */
  async check(): Promise<void> {
    const session = await this.#create();
    session.close();
  }

  readonly factory: AgentFactory = async (input, scope) => {
    const { runId } = scope;
    const { task } = input as { task: string };
    const session = this.#sessions.get(runId) ?? (await this.#begin(runId));
    return durableAgent(session, { prompt: task }, scope);
  };

  close(): void {
    this.#closing.abort();
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
  }

  async #begin(runId: string): Promise<Session> {
    const session = await this.#create();
    this.#sessions.set(runId, session);
    session.keeper.onNotice = (text) => void this.#tell(`${runId}: ${text}`);
    await this.#tell(`${runId} is under way.`);
    void this.#closeAtEnd(runId);
    return session;
  }

  #create(): Promise<Session> {
    const { rules, shelf } = this.#settings;
    return Promise.resolve(createSession({ ...this.#settings, rules: [...rules], store: shelf.begin() }));
  }

  async #closeAtEnd(runId: string): Promise<void> {
    const reason = await this.#engine.result(runId, { signal: this.#closing.signal }).then(
      (result) => result.reason,
      (error: Error) => (this.#closing.signal.aborted ? undefined : error.message),
    );
    if (reason === undefined) return;
    this.#sessions.get(runId)?.close();
    this.#sessions.delete(runId);
    await this.#tell(`${runId} ended: ${reason}`);
  }
}

// `rondo --durable`: the command's own run on the journal. The prompt is kept in the session, the run is named for it, and what the
// run said is added to the session, in one piece, when it has ended. So a session that ends with a prompt is a run that was cut.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentMessage } from "@rondo/agent";
import { type JournalEngine, journalEngine, type RunEvent, RunFailedError } from "@rondo/durable";
import { UsageError } from "../exit-codes.ts";
import { countOf } from "../presentation/count-of.ts";
import type { RunEnd } from "../presentation/report-end.ts";
import type { Prompt } from "../prompt/assemble-prompt.ts";
import type { Session, SessionSettings } from "../session/create-session.ts";
import type { SessionKeeper } from "../session/session-keeper.ts";
import type { Interruption } from "../session/watch-signals.ts";
import { durableAgent, RECORDS_VERSION } from "./durable-agent.ts";
import { runsFolder } from "./engines.ts";

/** No worker of submitted tasks knows this agent, so none takes such a run up. */
const AGENT = "prompt";

/** What a run of the command's own needs. */
export interface OwnRun {
  settings: SessionSettings;
  session: Session;
  /** Absent if a run that was cut is to go on. */
  prompt: Prompt | undefined;
  /** Hears of the run, from its beginning. */
  show: (event: RunEvent) => Promise<void>;
  /** Tells the person something. */
  tell: (text: string) => Promise<void>;
  signal: AbortSignal;
}

/**
 * Runs a prompt, or goes on with one, to its end. Undefined if a signal other than an interruption cut it: it can be gone on with.
 * Rejects with a `UsageError` if the session is not in the state for it.
 */
export async function runDurably(run: OwnRun): Promise<RunEnd | undefined> {
  const { session, settings, tell } = run;
  const folder = runsFolder(settings.env, settings.root);
  const engine = await journalEngine({ folder });
  const isBegun = await hasCutRun(engine, session.keeper);
  if (run.prompt && isBegun)
    throw new UsageError(
      "A run of this session was cut. Go on with it first: rondo --continue --durable, without a prompt.",
    );
  if (run.prompt) session.keeper.adopt([userMessage(run.prompt)]);
  const prompt = session.agent.state.messages.at(-1);
  if (prompt?.role !== "user")
    throw new UsageError("No run of this session was cut, so there is none to go on with. Write what you want.");
  await tell(
    isBegun
      ? "Going on with the run that was cut. What it did before is told again, not done again."
      : "Every step is recorded. If this is cut, rondo --continue --durable goes on with it.",
  );
  const runId = runIdOf(session.keeper);
  await engine.submit(AGENT, null, { runId });
  const end = await drive(engine, runId, prompt, run);
  // The session has it all now.
  if (end) await rm(join(folder, runId), { recursive: true });
  return end;
}

async function drive(
  engine: JournalEngine,
  runId: string,
  prompt: AgentMessage,
  { session, show, tell, signal }: OwnRun,
): Promise<RunEnd | undefined> {
  const messages = session.agent.state.messages.slice(0, -1);
  const worker = await engine.worker(
    { [AGENT]: (_input, scope) => durableAgent(session, { messages, prompt: [prompt] }, scope) },
    { version: RECORDS_VERSION, runIds: [runId] },
  );
  const left = new AbortController();
  const onSignal = () => {
    if ((signal.reason as Interruption) === "interrupted") void engine.abort(runId, "interrupted");
    else left.abort();
  };
  signal.addEventListener("abort", onSignal);
  if (signal.aborted) onSignal();
  try {
    for await (const { event } of engine.events(runId, { signal: left.signal })) await show(event);
    if (left.signal.aborted) return undefined;
    const result = await engine.result(runId);
    // The prompt is in the session already.
    session.keeper.adopt(result.messages.slice(1));
    if (result.undelivered.length > 0)
      await tell(`Sent too late to be answered: ${countOf(result.undelivered.length, "message")}.`);
    return { type: "agent_end", ...result };
  } catch (error) {
    if (!(error instanceof RunFailedError)) throw error;
    throw new UsageError(`${error.message} rondo --continue goes on without it.`, "modelError");
  } finally {
    signal.removeEventListener("abort", onSignal);
    await worker.close();
  }
}

function userMessage({ text, images }: Prompt): AgentMessage {
  return { role: "user", content: [{ type: "text", text }, ...images], timestamp: Date.now() };
}

/** The run of the prompt that the session ends with. */
function runIdOf({ id, tree }: SessionKeeper): string {
  return `${id}-${tree.leafId}`;
}

async function hasCutRun(engine: JournalEngine, keeper: SessionKeeper): Promise<boolean> {
  return (await engine.runIds()).includes(runIdOf(keeper));
}

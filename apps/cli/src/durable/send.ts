// `rondo send`: a message to a run, or the request to end it. It waits with the run if no worker is there.
import { randomUUID } from "node:crypto";
import type { SendOutcome } from "@rondo/durable";
import { type Ending, UsageError } from "../exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import type { ChosenEngine } from "./engines.ts";

const OUTCOMES: Record<SendOutcome, string> = {
  waiting: "The message waits for the run.",
  taken: "The message has reached the run.",
  ended: "The run has ended, so the message came too late.",
};

/** What is sent, and to which run. */
export interface Sending {
  runId: string;
  text: string;
  /** For when the run would end, instead of before its next model call. */
  isFollowUp: boolean;
  /** Ask it to end; the text is the reason. */
  isAbort: boolean;
}

/** Sends it and says what became of it. A message that came too late is a failure. */
export async function sendToRun(
  { engine }: ChosenEngine,
  { runId, text, isFollowUp, isAbort }: Sending,
  progress: Output,
): Promise<Ending> {
  if (runId === "") throw new UsageError('Name a run: rondo send <run> "what to do". rondo submit prints the name.');
  if (isAbort && isFollowUp) throw new UsageError("--abort and --follow-up exclude each other.");
  if (isAbort) {
    await engine.abort(runId, text === "" ? undefined : text);
    await progress.write("rondo: The run was asked to end.\n");
    return "done";
  }
  if (text === "") throw new UsageError(`There is no message. Write one: rondo send ${runId} "what to do".`);
  const kind = isFollowUp ? "followUp" : "steer";
  const outcome = await engine.send(runId, { kind, content: text, requestId: randomUUID() });
  await progress.write(`rondo: ${OUTCOMES[outcome]}\n`);
  return outcome === "ended" ? "modelError" : "done";
}

// `rondo submit`: leaves a task for the workers.
import { randomBytes } from "node:crypto";
import { requireRunId } from "@rondo/durable";
import { type Ending, UsageError } from "../exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import type { ChosenEngine } from "./engines.ts";
import { TASK_AGENT } from "./worker.ts";

/** Submits a task and prints the name of its run. A run that has the name and the same task is left as it is. */
export async function submitTask(
  { engine }: ChosenEngine,
  { task, runId = `run-${randomBytes(4).toString("hex")}` }: { task: string; runId: string | undefined },
  answer: Output,
): Promise<Ending> {
  if (task.trim() === "") throw new UsageError('There is no task. Write one: rondo submit "update the change log".');
  try {
    requireRunId(runId);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  await engine.submit(TASK_AGENT, { task }, { runId });
  await answer.write(`${runId}\n`);
  return "done";
}

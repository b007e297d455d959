// `rondo watch`: shows a run from its beginning until it ends, whoever works on it. It only reads.
import type { RunResult } from "@rondo/durable";
import { type Ending, UsageError } from "../exit-codes.ts";
import { createPrinter } from "../modes/print.ts";
import { formatLine } from "../presentation/json-lines.ts";
import type { ChosenEngine } from "./engines.ts";
import { eventLine } from "./event-line.ts";
import type { Console } from "./worker.ts";

/** Shows the events and ends as the run does. */
export async function watchRun(
  { engine }: ChosenEngine,
  { runId, rest, isJson }: { runId: string; rest: string[]; isJson: boolean },
  { answer, progress }: Console,
): Promise<Ending> {
  if (runId === "" || rest.length > 0)
    throw new UsageError("Name one run: rondo watch <run>. rondo submit prints the name.");
  const print = createPrinter(answer, progress);
  for await (const durable of engine.events(runId)) {
    if (isJson) await answer.write(formatLine({ ...durable, event: eventLine(durable.event) }));
    else await print(durable.event);
  }
  await answer.endLine();
  try {
    const result = await engine.result(runId);
    const ending = endingOf(result);
    if (ending !== "done")
      await progress.write(`rondo: ${progress.escape(result.errorMessage ?? "The run ended without an answer.")}\n`);
    return ending;
  } catch (error) {
    if ((error as Error).name === "RunFailedError") throw new UsageError((error as Error).message, "modelError");
    throw error;
  }
}

function endingOf({ reason }: RunResult): Ending {
  switch (reason) {
    case "completed":
    case "terminated":
    case "stopped":
      return "done";
    case "budget":
      return "budget";
    case "aborted":
      return "interrupted";
    default:
      return "modelError";
  }
}

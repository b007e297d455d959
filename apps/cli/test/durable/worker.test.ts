// Workers and clients on the journal; worker.deep.ts tells the same story on DBOS.
import { expect, test } from "vitest";
import { rondo } from "../command.ts";
import { tellWorkerStory } from "./worker-story.ts";

/** Seconds on a machine with time; many processes on one without. */
const PATIENCE_MS = 180_000;

test("a worker on the journal is killed, and another ends the run", () => tellWorkerStory([]), PATIENCE_MS);

test.each([
  [["submit"], "There is no task."],
  [["submit", "--run", "a/b", "work"], '"a/b" cannot name a run'],
  [["watch"], "Name one run"],
  [["watch", "nobody"], 'There is no run "nobody" here.'],
  [["submit", "--yolo", "work"], "--yolo means nothing to rondo submit."],
  [["submit", "--engine", "dbos", "work"], "needs a database"],
])("rondo %j is a usage error", async (args, message) => {
  const end = await rondo(args);
  expect([end.code, end.stderr]).toEqual([2, expect.stringContaining(message)]);
});

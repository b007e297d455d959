import { test } from "vitest";
import { killRuns } from "./killed-runs.ts";

test("a run that is killed at any moment loses nothing that was reported, and its session goes on", async () => {
  await killRuns(Number(process.env["RONDO_RUNS"] ?? 200), Number(process.env["RONDO_SEED"] ?? 11));
});

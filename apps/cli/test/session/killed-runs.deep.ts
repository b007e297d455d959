import { test } from "vitest";
import { killRuns } from "./killed-runs.ts";

test("a run that is killed at any moment loses nothing that was reported, and its session goes on", async () => {
  const seed = Number(process.env["RONDO_SEED"] ?? 11);
  console.log(`seed ${seed}`);
  await killRuns(Number(process.env["RONDO_RUNS"] ?? 300), seed);
});

// A folder of a test's own, gone when the test has finished.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rondo-durable-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// A journal engine in a temporary folder, and worker processes for it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { journalEngine } from "@rondo/durable";
import { type ConformanceCase, type Rig, WorkerProcess } from "@rondo/durable/testing";
import { bundleChild } from "../../../tools/bundle-child.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** Bundles the worker once; gives what runs a case on a store of its own. */
export async function journalRunner(): Promise<{ run(test: ConformanceCase): Promise<void>; dispose(): void }> {
  const script = await bundleChild(dirname(here), join(here, "journal-child.ts"));
  return {
    run: (test) => withRig(script, (rig) => test.run(rig)),
    dispose: () => rmSync(script),
  };
}

async function withRig(script: string, use: (rig: Rig) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "rondo-journal-"));
  const workers: WorkerProcess[] = [];
  const engineOptions = { folder: join(root, "runs") };
  const startWorker: Rig["startWorker"] = ({ crash, version = "v1", ...worker } = {}) => {
    const options = { engine: engineOptions, worker: { version, ...worker }, ...(crash ? { crash } : {}) };
    const started = new WorkerProcess(script, options);
    workers.push(started);
    return started.ready();
  };
  try {
    await use({ engine: await journalEngine(engineOptions), logPath: join(root, "log"), startWorker });
  } finally {
    await Promise.all(workers.filter((worker) => worker.alive).map((worker) => worker.kill()));
    rmSync(root, { recursive: true });
  }
}

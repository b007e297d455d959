// Makes one plain JavaScript file of a TypeScript child process, since Node 20 runs no TypeScript: from the sources of the
// workspace, so that tests need no build. It lies inside its package, where the packages that are left outside are found.
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { threadId } from "node:worker_threads";
import { rolldown } from "rolldown";

/** Large, and loaded on first use or never. */
const OUTSIDE = /^(@anthropic-ai\/sdk|openai|@google\/genai|@dbos-inc\/dbos-sdk|pg)(\/|$)/;

/** Bundles `entry` and gives the path of the script. Each test process makes its own. */
export async function bundleChild(packageFolder: string, entry: string): Promise<string> {
  const folder = join(packageFolder, "node_modules/.cache/rondo-test");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${basename(entry, ".ts")}-${process.pid}-${threadId}.mjs`);
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    resolve: { conditionNames: ["@rondo/source", "node", "import", "default"] },
    external: [OUTSIDE],
    logLevel: "warn",
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}

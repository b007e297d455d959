import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Workspace packages resolve to their TypeScript sources through the custom export condition: no build before tests.
// "import" and "default" are implied; named here they would also reach require() inside CommonJS dependencies.
const conditions = ["@rondo/source", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: process.env["RONDO_DEEP"]
      ? ["{packages,apps}/*/test/**/*.deep.ts", "test-fixtures/test/**/*.deep.ts"]
      : ["{packages,apps}/*/test/**/*.test.ts", "{test-fixtures,tools,examples}/test/**/*.test.ts"],
    setupFiles: ["tools/property-seed.ts"],
    // One worker per core for the whole run: with isolation each file pays for a new worker and its imports again. The default is one
    // core less, but half of the tests wait for child processes.
    maxWorkers: Math.max(2, availableParallelism()),
    pool: "threads",
    isolate: false,
    testTimeout: process.env["RONDO_DEEP"] ? 1_200_000 : 60_000,
  },
});

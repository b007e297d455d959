// The deployment of docs/durable.md, command by command: its programs as they stand, on the built packages, with a model that
// answers from a local server.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { replayScript, startReplayServer } from "../../../test-fixtures/src/index.ts";
import { skipReason, TestPostgres } from "./test-postgres.ts";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const PACKAGES = ["ai", "durable", "durable-dbos"];
/** Loaded before a program: whatever is asked of the internet is asked of RONDO_REPLAY. */
const REDIRECT = `const { fetch } = globalThis;
globalThis.fetch = (url, init) => {
  const { pathname, search } = new URL(url);
  return fetch(process.env.RONDO_REPLAY + pathname + search, init);
};
`;

/** The programs of the page, in its order. */
function programs(): string[] {
  const page = readFileSync(join(root, "docs/durable.md"), "utf8");
  const [, section = ""] = page.split("## Two workers and a database, in ten commands");
  return [...section.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code ?? "");
}

/** A folder as `npm install` would leave it, with the programs of the page. */
async function makeProject(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "rondo-deployment-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const bundle = join(root, "tools/bundle.mjs");
  await promisify(execFile)(process.execPath, [
    bundle,
    "packages/agent",
    ...PACKAGES.map((name) => `packages/${name}`),
  ]);
  mkdirSync(join(folder, "node_modules/@rondo"), { recursive: true });
  for (const name of PACKAGES) symlinkSync(join(root, "packages", name), join(folder, "node_modules/@rondo", name));
  const [worker = "", submit = "", watch = ""] = programs();
  for (const [name, code] of Object.entries({ worker, submit, watch, redirect: REDIRECT }))
    writeFileSync(join(folder, `${name}.mjs`), code);
  return folder;
}

test.skipIf(skipReason !== undefined)(
  `two workers and a database, as the page has it${skipReason ? `, skipped: ${skipReason}` : ""}`,
  async () => {
    const postgres = await TestPostgres.start();
    onTestFinished(() => postgres.dispose());
    const url = await postgres.createDatabase();
    onTestFinished(() => postgres.dropDatabase(url));
    const server = await startReplayServer(
      replayScript(() => ({ content: [{ type: "text", text: "The MIT licence." }] })),
    );
    onTestFinished(() => server.close());
    const cwd = await makeProject();
    const node = (...args: string[]): ChildProcess => {
      const env = { ANTHROPIC_API_KEY: "none-needed", DATABASE_URL: url, RONDO_REPLAY: server.url };
      const preload = pathToFileURL(join(cwd, "redirect.mjs")).href;
      const child = spawn(process.execPath, ["--import", preload, ...args], {
        ...{ cwd, env },
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => {
        child.kill("SIGKILL");
      });
      return child;
    };
    const printedBy = ({ stdout }: ChildProcess) => (stdout ? text(stdout) : Promise.reject(new Error("no output")));
    const [first] = [node("worker.mjs"), node("worker.mjs")];
    await printedBy(node("submit.mjs", "review-1", "Which of these licences may we use?"));
    first.kill("SIGKILL");
    expect(await printedBy(node("watch.mjs", "review-1"))).toBe("The MIT licence.\ncompleted\n");
  },
);

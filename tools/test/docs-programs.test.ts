// The library programs of the READMEs are run as they stand, each in a process of its own, whose fetch goes to a local server that
// speaks the wire formats of the providers.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { beforeAll, expect, test } from "vitest";
import {
  replayScript,
  type ScriptedReply,
  startReplayServer,
  type WireRequest,
} from "../../test-fixtures/src/index.ts";
import { documents, ROOT } from "./docs-markdown.ts";

/** Inside the model layer, where the SDKs are found. */
const FOLDER = join(ROOT, "packages/ai/node_modules/.cache/docs-programs");
const KEYS = { ANTHROPIC_API_KEY: "none-needed", OPENAI_API_KEY: "none-needed" };
/** Loaded before the program: whatever is asked of the internet is asked of RONDO_REPLAY. */
const REDIRECT = `const { fetch } = globalThis;
globalThis.fetch = (url, init) => {
  const { pathname, search } = new URL(url);
  return fetch(process.env.RONDO_REPLAY + pathname + search, init);
};
`;

const say = (content: string): ScriptedReply => ({ content: [{ type: "text", text: content }] });
const resultsIn = ({ messages }: WireRequest): string[] =>
  messages.flatMap((message) => (message.role === "toolResult" ? [message.text] : []));

const wishesIn = ({ messages }: WireRequest): string =>
  messages.flatMap((message) => (message.role === "user" ? [message.text] : [])).join(" ");

/** The programs by document and place, what the model says, and what is printed. */
const PROGRAMS: { path: string; index: number; reply: (request: WireRequest) => ScriptedReply; prints: RegExp }[] = [
  {
    path: "README.md",
    index: 0,
    reply: ({ messages }) => say(`${messages[0]?.text} Because.`),
    prints: /^Why is the sky blue\? Because\.$/,
  },
  {
    path: "README.md",
    index: 1,
    reply: (request) => {
      const [time] = resultsIn(request);
      if (time !== undefined) return say(`It is ${time}`);
      return { content: [{ type: "toolCall", id: "call_1", name: "time", arguments: {} }] };
    },
    prints: /^running time\n\[.*text: 'It is \d{4}-\d\d-\d\dT.*\]$/s,
  },
  {
    path: "packages/ai/README.md",
    index: 0,
    reply: ({ messages }) => say(`${messages[0]?.text} Because.`),
    prints: /^Why is the sky blue\? Because\.\nstop, \$0\.\d+$/,
  },
  {
    path: "packages/agent/README.md",
    index: 0,
    reply: (request) => {
      const results = resultsIn(request);
      if (results.length > 0) return say(`${results.join("; ")}. You said: ${wishesIn(request)}`);
      const call = (id: string, city: string) => ({
        type: "toolCall" as const,
        id,
        name: "get_weather",
        arguments: { city },
      });
      return { content: [call("1", "Beijing"), call("2", "Shanghai")] };
    },
    prints:
      /^\n\[get_weather\]\n\n\[get_weather\]\nBeijing: sunny, 26 °C; Shanghai: sunny, 26 °C\. You said: How is the weather in Beijing and Shanghai\?\nIn Fahrenheit, please\.\ncompleted, \$0\.\d+$/,
  },
];

/** The name of a program's files. */
const nameOf = ({ path, index }: { path: string; index: number }): string => `${path.replaceAll(/\W/g, "-")}-${index}`;

/** Makes JavaScript of the programs and the sources of the workspace. Only the SDKs stay outside. */
async function bundlePrograms(): Promise<void> {
  const read = documents();
  for (const program of PROGRAMS) {
    const blocks = read.find(({ path }) => path === program.path)?.blocks.filter(({ info }) => info === "ts");
    const code = blocks?.[program.index]?.code;
    if (code === undefined) throw new Error(`${program.path} has no ts block number ${program.index}.`);
    writeFileSync(join(FOLDER, `${nameOf(program)}.ts`), code);
  }
  const bundle = await rolldown({
    input: PROGRAMS.map((program) => join(FOLDER, `${nameOf(program)}.ts`)),
    platform: "node",
    resolve: {
      conditionNames: ["@rondo/source", "node", "import", "default"],
      alias: Object.fromEntries(
        ["ai", "agent"].map((name) => [`@rondo/${name}`, join(ROOT, "packages", name, "src/index.ts")]),
      ),
    },
    external: [/^(@anthropic-ai\/sdk|openai|@google\/genai)(\/|$)/],
    logLevel: "warn",
  });
  await bundle.write({ dir: FOLDER, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
}

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  cpSync(join(ROOT, "packages/ai/data"), join(FOLDER, "data"), { recursive: true });
  writeFileSync(join(FOLDER, "redirect.mjs"), REDIRECT);
  await bundlePrograms();
});

test.each(PROGRAMS)("the ts block of $path that has the index $index runs", async (program) => {
  const server = await startReplayServer(replayScript(program.reply), { chunks: 30 });
  const preload = pathToFileURL(join(FOLDER, "redirect.mjs")).href;
  const child = spawn(process.execPath, ["--import", preload, join(FOLDER, `${nameOf(program)}.mjs`)], {
    env: { ...KEYS, RONDO_REPLAY: server.url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await server.close();
  expect(complaints).toBe("");
  expect(printed.trimEnd()).toMatch(program.prints);
  expect(server.requests.length).toBeGreaterThan(0);
});

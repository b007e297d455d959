#!/usr/bin/env node
// Reads every recording of real servers with Rondo and with the peers that are installed, and prints how many each read right: the same
// text, the same tool calls, and an end that is an error where the recording's is. Needs RONDO_CORPUS. Usage: node run.mjs [--wrong]
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { READERS } from "./readers.mjs";

const corpus = process.env.RONDO_CORPUS;
if (!corpus) {
  console.log("Recordings of real servers were not tried: RONDO_CORPUS names no folder of them.");
  process.exit(0);
}
const SPOKEN_AS = { mistral: "openai-completions" };
const APIS = ["anthropic-messages", "openai-completions", "openai-responses", "google-generative-ai", "mistral"];
const VERSION_PATH = {
  "anthropic-messages": "",
  "openai-completions": "/v1",
  "openai-responses": "/v1",
  "google-generative-ai": "/v1beta",
};
const HANG_MS = 20_000;

function loadRecordings() {
  return APIS.filter((api) => existsSync(join(corpus, api))).flatMap((folder) =>
    readdirSync(join(corpus, folder))
      .sort()
      .map((name) => join(corpus, folder, name))
      .filter((at) => existsSync(join(at, "response.sse")) && existsSync(join(at, "expected.json")))
      .map((at) => ({
        name: at.slice(corpus.length + 1),
        folder,
        api: SPOKEN_AS[folder] ?? folder,
        meta: JSON.parse(readFileSync(join(at, "meta.json"), "utf8")),
        expected: JSON.parse(readFileSync(join(at, "expected.json"), "utf8")),
        body: readFileSync(join(at, "response.sse")),
      }))
      .filter(({ meta }) => meta.kind === undefined || meta.kind === "recorded"),
  );
}

const squeeze = (text) => text.replace(/\s+/g, "");
const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
};
const same = (left, right) => JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));

/** What is wrong with an answer, or undefined. */
function fault({ expected }, answer) {
  const withRefusal = expected.text + (expected.refusal ?? "");
  if (![expected.text, withRefusal].some((text) => squeeze(text) === squeeze(answer.text))) return "text";
  const whole = expected.toolCalls.filter((call) => call.arguments != null);
  const wanted = whole.map(({ name, arguments: input }) => ({ name, arguments: input }));
  if (whole.length === expected.toolCalls.length && !same(answer.toolCalls, wanted)) return "tool calls";
  if (expected.errorEvent && answer.ended !== "error") return "an error was not told";
  return undefined;
}

async function withServer(recordings, run) {
  const server = createServer((request, response) => {
    const { body, meta } = recordings[Number(/^\/(\d+)\//.exec(request.url)?.[1])] ?? {};
    request.resume().on("end", () => {
      response.writeHead(meta?.status ?? 200, { "content-type": "text/event-stream" });
      response.end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await run(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function countRight(read, recordings) {
  const wrong = [];
  await withServer(recordings, async (url) => {
    for (const [index, recording] of recordings.entries()) {
      let timer;
      const hang = new Promise((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error("it hung")), HANG_MS);
      });
      const why = await Promise.race([read(recording.api, `${url}/${index}${VERSION_PATH[recording.api]}`), hang]).then(
        (answer) => fault(recording, answer),
        // A refused stream is a right answer where the recording ends in an error.
        (error) => (recording.expected.errorEvent ? undefined : `it threw: ${error.message}`),
      );
      clearTimeout(timer);
      if (why) wrong.push(`${recording.name}: ${why}`);
    }
  });
  return wrong;
}

process.on("unhandledRejection", () => {}); // Peers leave promises of failed calls behind.
const recordings = loadRecordings();
console.log(`Recordings of real servers read right (text, tool calls, errors told), of ${recordings.length}\n`);
for (const [name, load] of Object.entries(READERS)) {
  const read = await load().catch(() => undefined);
  if (!read) {
    console.log(`${name.padEnd(8)} not installed: npm run bench installs it`);
    continue;
  }
  const wrong = await countRight(read, recordings);
  console.log(`${name.padEnd(8)} ${recordings.length - wrong.length}`);
  if (process.argv.includes("--wrong")) for (const line of wrong) console.log(`  ${line}`);
}
process.exit(0);

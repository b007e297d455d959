// A test of code that asks a model, without a key and without a network: the first run records what the model said in a file, and each
// later run plays it. A request that is not in the file fails, and says where it differs. Commit the file with the test.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import {
  createCassette,
  getModel,
  type Model,
  readCassette,
  type StreamFunction,
  streamSimple,
  withRecording,
  withReplay,
  writeCassette,
} from "@rondo/ai";

/** The code under test takes its stream function as an argument. */
async function translate(word: string, model: Model, streamFn: StreamFunction): Promise<string> {
  const context = {
    systemPrompt: "Translate into French. Answer with the word alone.",
    messages: [{ role: "user" as const, content: word, timestamp: 0 }],
  };
  const { content } = await streamFn(model, context).result();
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}

export async function main(
  model: Model = getModel("anthropic", "claude-sonnet-5-5"), // ANTHROPIC_API_KEY, for the recording alone
  file = "translate.cassette.json",
  print = console.log,
): Promise<void> {
  const isRecorded = existsSync(file);
  const cassette = isRecorded ? await readCassette(file) : createCassette();
  const streamFn = isRecorded ? withReplay(cassette) : withRecording(streamSimple, cassette);
  assert.equal(await translate("sea", model, streamFn), "mer");
  if (!isRecorded) await writeCassette(file, cassette);
  print(isRecorded ? "passed, from the recording" : `passed, and recorded in ${file}`);
}

if (process.argv[1] === import.meta.filename) await main();

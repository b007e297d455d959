// One recorded answer of a real server, whole in random chunks and damaged: the grammar holds, and damage never ends in done.
import { createModelLayer } from "@rondo/ai";
import { cutIntoChunks, seededRandom } from "@rondo/test-fixtures";
import { type ObservedCall, observe, visibleTextOf } from "../../src/testing/observed-call.ts";
import { serveBody } from "../../src/testing/served-bodies.ts";
import { isWholeFrame, splitFrames } from "../../src/testing/wire-frames.ts";
import { type RecordedAnswer, STOP_EVIDENCE } from "./corpus.ts";
import { WIRES } from "./wires.ts";

const { streamSimple } = createModelLayer({ env: {} });

async function call(
  { api }: RecordedAnswer,
  chunks: readonly (string | Uint8Array)[],
  ending: "end" | "break" | "stall" = "end",
  signal?: AbortController,
  damaged = true,
): Promise<ObservedCall> {
  const served = serveBody({ chunks, ending, onDrained: () => signal?.abort() });
  const model = { ...WIRES[api].model, baseUrl: "http://127.0.0.1:9/v1" };
  const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };
  const options = { apiKey: "test-key", fetch: served.fetch, ...(signal && { signal: signal.signal }) };
  return observe(streamSimple(model, context, options), { damaged });
}

/** The faults of an answer in random chunks. */
export async function wholeFaults(answer: RecordedAnswer, seed: number): Promise<string[]> {
  const chunks = [...cutIntoChunks(answer.bytes, { seed, maxBytes: 400 })];
  const { faults } = await call(answer, chunks, "end", undefined, false);
  return faults.map((fault) => `${answer.id}: ${fault}`);
}

/** The faults of an answer that is cut at `cuts` places, has each frame replaced by garbage, and is aborted after each frame. */
export async function damageFaults(
  answer: RecordedAnswer,
  cuts: number,
  seed: number,
): Promise<{ calls: number; faults: string[] }> {
  const found: string[] = [];
  let calls = 1;
  const whole = visibleTextOf((await call(answer, [answer.bytes])).message);
  const note = (where: string, { faults, message }: ObservedCall, mayBeDone: boolean): void => {
    calls++;
    if (message.error === undefined && !mayBeDone) faults.push("done, though the answer was damaged");
    if (!whole.startsWith(visibleTextOf(message))) faults.push("the text is not the beginning of the whole");
    for (const fault of faults) found.push(`${answer.id}, ${where}: ${fault}`);
  };
  for (const place of sample(answer.bytes.length, cuts, seed)) {
    const bytes = answer.bytes.subarray(0, place);
    note(`cut after byte ${place}`, await call(answer, [bytes]), mayBeWhole(answer, bytes));
    note(`broken after byte ${place}`, await call(answer, [bytes], "break"), mayBeWhole(answer, bytes));
  }
  const frames = splitFrames(new TextDecoder().decode(answer.bytes));
  for (const index of sample(frames.length, cuts, seed)) {
    const garbled = await call(answer, frames.with(index, "data: {garbage\n\n"));
    note(
      `frame ${index} of ${frames.length} replaced`,
      garbled,
      STOP_EVIDENCE[answer.api].test(frames.slice(0, index).join("")),
    );
    const aborted = await call(answer, frames.slice(0, index), "stall", new AbortController());
    note(`aborted after frame ${index}`, aborted, STOP_EVIDENCE[answer.api].test(frames.slice(0, index).join("")));
  }
  return { calls, faults: found };
}

/** Whether a beginning of an answer says why the model stopped, and does not end inside a frame. */
function mayBeWhole({ api }: RecordedAnswer, bytes: Uint8Array): boolean {
  const frames = splitFrames(new TextDecoder().decode(bytes));
  const whole = isWholeFrame(frames.at(-1) ?? "") ? frames : frames.slice(0, -1);
  const text = whole.join("");
  // A last event that had come before the cut has ended the message already.
  return STOP_EVIDENCE[api].test(text) && (whole === frames || /message_stop|\[DONE\]|response\.\w+"/.test(text));
}

/** All numbers below a size, or so many of them drawn from the seed. */
function sample(size: number, count: number, seed: number): number[] {
  if (count >= size) return Array.from({ length: size }, (_unused, index) => index);
  const random = seededRandom(seed);
  return [...new Set(Array.from({ length: count }, () => Math.floor(random() * size)))];
}

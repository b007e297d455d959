// Damages recorded answers in every way: cut at every byte, each frame replaced by garbage, each value by another, aborted and left at
// every event. Whatever comes in, a grammatical sequence with the right ending must come out.
import { isDeepStrictEqual } from "node:util";
import type { AssistantMessage } from "../types.ts";
import { type ContractSubject, expectNoFaults, type Fixture, remains } from "./contract-subject.ts";
import { comparableEvents, type ObservedCall, visibleTextOf } from "./observed-call.ts";
import { mutateJson, pick, seededNumbers } from "./seeded-choice.ts";
import { framePayload } from "./wire-frames.ts";

/** Bodies up to this size are cut at every byte. */
const EVERY_BYTE_MAX = 20 * 1024;
const CUTS_OF_LARGE_BODIES = 500;
const MUTATIONS_PER_FRAME = 8;

const isDone = (message: AssistantMessage): boolean =>
  message.stopReason !== "error" && message.stopReason !== "aborted";

/** The answer as it is, whole, byte by byte and in random chunks: always the same events, and it is done. */
export async function sweepChunks(subject: ContractSubject, fixture: Fixture, seed: number): Promise<void> {
  const whole = await subject.callWith({ chunks: [fixture.bytes] });
  const body = fixture.frames.join("");
  const faults = [...whole.faults];
  if (!isDone(whole.message)) faults.push("a whole answer is not done");
  const shown = subject.visibleText(fixture.frames);
  if (shown !== undefined && visibleTextOf(whole.message) !== shown) faults.push("text differs from the frames' own");
  expectNoFaults("whole", faults, whole.message);
  const random = seededNumbers(seed);
  const sizes = [() => 1, () => 1 + Math.floor(random() * 40), () => 1 + Math.floor(random() * 400)];
  for (const [index, size] of sizes.entries()) {
    const cut = await subject.callWith({ chunks: chunksOf(fixture.bytes, size) });
    const same = isDeepStrictEqual(comparableEvents(cut.events, body), comparableEvents(whole.events, body));
    expectNoFaults(
      `chunking ${index}`,
      same ? cut.faults : [...cut.faults, "other events than unchunked"],
      cut.message,
    );
  }
}

function chunksOf(bytes: Uint8Array, size: () => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + size());
    chunks.push(bytes.subarray(start, end));
    start = end;
  }
  return chunks;
}

/** Cut everywhere, by a clean end and by a broken connection: what came is kept, and only a whole answer is done. */
export async function sweepCuts(subject: ContractSubject, fixture: Fixture, seed: number): Promise<void> {
  for (const at of cutPlaces(subject, fixture, seed)) {
    const bytes = fixture.bytes.subarray(0, at);
    const { frames, isComplete } = remains(fixture, bytes);
    for (const ending of ["end", "break"] as const) {
      const call = await subject.callWith({ chunks: at === 0 ? [] : [bytes], ending });
      const mayBeDone = ending === "end" ? isComplete : frames.some((frame) => subject.contract.endFrame?.test(frame));
      const faults = [...call.faults, ...cutFaults(subject, call, frames, mayBeDone)];
      expectNoFaults(`cut after byte ${at} of ${fixture.bytes.length}, ${ending}`, faults, call.message);
    }
  }
}

function cutFaults(
  subject: ContractSubject,
  { message }: ObservedCall,
  frames: string[],
  mayBeDone: boolean,
): string[] {
  const faults: string[] = [];
  if (isDone(message) && !mayBeDone) faults.push("done, though the answer was damaged");
  if (message.stopReason === "aborted") faults.push("aborted, though nobody aborted it");
  if (message.error && !["truncated", "network", "malformed_response"].includes(message.error.kind))
    faults.push(`kind ${message.error.kind}`);
  if (message.error && !message.error.retryable) faults.push("a cut is not retryable");
  const shown = subject.visibleText(frames);
  if (shown !== undefined && visibleTextOf(message) !== shown)
    faults.push(`kept ${JSON.stringify(visibleTextOf(message))} of ${JSON.stringify(shown)}`);
  return faults;
}

function cutPlaces(subject: ContractSubject, fixture: Fixture, seed: number): number[] {
  const size = fixture.bytes.length;
  const wanted = subject.contract.cuts ?? (size <= EVERY_BYTE_MAX ? size : CUTS_OF_LARGE_BODIES);
  if (wanted >= size) return Array.from({ length: size }, (_unused, index) => index);
  const places = new Set<number>([0]);
  let border = 0;
  for (const frame of fixture.frames) {
    border += Buffer.byteLength(frame);
    // Around a border every byte counts: before the blank line, in it, after it and inside the name of the next field.
    for (let offset = -2; offset <= 2; offset++) places.add(border + offset);
  }
  const random = seededNumbers(seed);
  for (let count = 0; count < wanted; count++) places.add(Math.floor(random() * size));
  return [...places].filter((place) => place >= 0 && place < size).sort((left, right) => left - right);
}

const GARBAGE: readonly string[] = [
  'data: {"cut": \n\n',
  "data: not json\n\n",
  "data: 42\n\n",
  "<html>502</html>\n\n",
  "\u0000\u0001\ufffd\ufffd garbage\n\n",
];

/** Each frame replaced by garbage: never done, since the message would have a hole. */
export async function sweepGarbage(subject: ContractSubject, fixture: Fixture): Promise<void> {
  const { frames } = fixture;
  const { endFrame } = subject.contract;
  const last = endFrame ? frames.findIndex((frame) => endFrame.test(frame)) : frames.length - 1;
  for (const [index] of frames.slice(0, last + 1).entries()) {
    for (const garbage of GARBAGE) {
      const call = await subject.callWith({ chunks: frames.with(index, garbage) });
      const faults = [...call.faults];
      if (call.message.error?.kind !== "malformed_response") faults.push(`kind ${call.message.error?.kind}`);
      const shown = subject.visibleText(frames.slice(0, index));
      if (shown !== undefined && visibleTextOf(call.message) !== shown) faults.push("text before the garbage was lost");
      expectNoFaults(`frame ${index} replaced by ${JSON.stringify(garbage)}`, faults, call.message);
    }
  }
}

/** Values of the wrong kind in frames that are JSON: any ending is right, but it must be an ending. */
export async function sweepMutations(subject: ContractSubject, fixture: Fixture, seed: number): Promise<void> {
  const random = seededNumbers(seed);
  for (const [index, frame] of fixture.frames.entries()) {
    const payload = framePayload(frame);
    if (payload === undefined) continue;
    for (let count = 0; count < MUTATIONS_PER_FRAME; count++) {
      const data = JSON.stringify(mutateJson(payload, random));
      const mutated = fixture.frames.with(
        index,
        frame.replace(/^data:.*$/m, () => `data: ${data}`),
      );
      const call = await subject.callWith({ chunks: [mutated.join("")] }, {}, { damaged: true });
      const faults = [...call.faults];
      if (call.message.error?.kind === "unknown") faults.push("kind unknown");
      expectNoFaults(`frame ${index} changed to ${data}`, faults, call.message);
    }
  }
}

/** Frames repeated, left out and exchanged at random. */
export async function sweepOrder(subject: ContractSubject, fixture: Fixture, seed: number): Promise<void> {
  const random = seededNumbers(seed);
  for (let round = 0; round < 3 * fixture.frames.length; round++) {
    const frames = [...fixture.frames];
    const action = pick(["drop", "repeat", "swap"] as const, random);
    const at = Math.floor(random() * frames.length);
    const frame = frames[at] as string;
    if (action === "drop") frames.splice(at, 1);
    else if (action === "repeat") frames.splice(at, 0, frame);
    else {
      const other = Math.floor(random() * frames.length);
      frames[at] = frames[other] as string;
      frames[other] = frame;
    }
    const call = await subject.callWith({ chunks: [frames.join("")] }, {}, { damaged: true });
    expectNoFaults(`${action} of frame ${at}`, call.faults, call.message);
  }
}

/** Aborted when each frame has been read: the message is aborted at once, with what had come. */
export async function sweepAborts(subject: ContractSubject, fixture: Fixture): Promise<void> {
  const { endFrame } = subject.contract;
  for (let count = 0; count < fixture.frames.length; count++) {
    const frames = fixture.frames.slice(0, count);
    if (frames.some((frame) => endFrame?.test(frame))) break;
    const controller = new AbortController();
    const call = await subject.callWith(
      { chunks: frames, ending: "stall", onDrained: () => controller.abort() },
      { signal: controller.signal },
    );
    const faults = [...call.faults];
    if (call.message.stopReason !== "aborted") faults.push(`ended as ${call.message.stopReason}`);
    const shown = subject.visibleText(frames);
    if (shown !== undefined && visibleTextOf(call.message) !== shown) faults.push("text before the abort was lost");
    if (!call.served.cancelled) faults.push("the body was not let go of");
    expectNoFaults(`aborted after ${count} frames`, faults, call.message);
  }
}

/** Left at each event: the rest is not read, and result() tells of an abort. */
export async function sweepLeaving(subject: ContractSubject, fixture: Fixture): Promise<void> {
  const whole = await subject.callWith({ chunks: fixture.frames });
  const frames = fixture.frames.slice(0, fixture.stopFrame);
  const reached = (await subject.callWith({ chunks: frames, ending: "break" })).events.length - 1;
  for (let index = 0; index < Math.min(reached, whole.events.length - 1); index++) {
    const call = await subject.callWith(
      { chunks: frames, ending: "stall" },
      {},
      { onEvent: (_event, number) => (number === index ? "leave" : undefined) },
    );
    // The body is let go of in the turn after the consumer left.
    await new Promise((resolve) => setImmediate(resolve));
    const faults = call.message.stopReason === "aborted" ? [] : [`result() is ${call.message.stopReason}`];
    if (!call.served.cancelled) faults.push("the body was not let go of");
    if (call.message.error?.kind !== "aborted") faults.push(`kind ${call.message.error?.kind}`);
    expectNoFaults(`left at event ${index}`, faults, call.message);
  }
}

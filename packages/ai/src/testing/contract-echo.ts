// Servers and proxies that repeat what they were sent: the key in each text of each frame, one after another. What the model says (text,
// thinking, arguments of calls) is told as it came, since it is the answer; everything else may show no key.
import type { AssistantMessage } from "../types.ts";
import { CONTRACT_KEY, type ContractSubject, expectNoFaults, type Fixture } from "./contract-subject.ts";
import type { ObservedCall } from "./observed-call.ts";
import { framePayload } from "./wire-frames.ts";

/** The fields that hold what the model says. */
const SAID = new Set(["text", "thinking", "arguments", "malformedArguments", "delta", "content"]);

/** Each text of each frame replaced by the key, and followed by it; then the API's error event in the same way. */
export async function sweepEchoes(subject: ContractSubject, fixture: Fixture): Promise<void> {
  for (const [index, frame] of fixture.frames.entries()) {
    for (const echo of echoesIn(frame)) await tryEcho(subject, fixture.frames.with(index, echo));
  }
  const start = fixture.frames.slice(0, fixture.stopFrame);
  for (const echo of echoesIn(subject.contract.errorFrame.text)) await tryEcho(subject, [...start, echo]);
}

async function tryEcho(subject: ContractSubject, frames: readonly string[]): Promise<void> {
  const call = await subject.callWith({ chunks: [frames.join("")] }, {}, { damaged: true, secrets: [] });
  const told = JSON.stringify([toldOf(call), call.message.errorMessage], withoutWords);
  const faults = [...call.faults, ...(told.includes("Rondo.contract/key") ? ["a key is in the message"] : [])];
  const changed = frames.find((frame) => frame.includes(CONTRACT_KEY));
  expectNoFaults(`the server repeats the key: ${changed?.trim()}`, faults, call.message);
}

/** The message, and the calls as their events told of them. */
function toldOf({ events, message }: ObservedCall): (AssistantMessage | object)[] {
  return [message, ...events.map((event) => ({ ...event, partial: undefined, message: undefined, error: undefined }))];
}

function withoutWords(this: unknown, name: string, value: unknown): unknown {
  const isBlocks = name === "content" && Array.isArray(value);
  return SAID.has(name) && !isBlocks ? undefined : value;
}

/** The frame with the key in the place of each text of its data, and behind it. */
function echoesIn(frame: string): string[] {
  const payload = framePayload(frame);
  if (typeof payload !== "object" || payload === null) return [];
  return textPlaces(payload).flatMap((path) =>
    [CONTRACT_KEY, undefined].map((whole) => {
      const copy = structuredClone(payload);
      const last = path.at(-1) as string;
      const holder = path.slice(0, -1).reduce((inner, key) => inner[key] as Fields, copy as Fields);
      holder[last] = whole ?? `${String(holder[last])}${CONTRACT_KEY}`;
      return frame.replace(/^data:.*$/m, () => `data: ${JSON.stringify(copy)}`);
    }),
  );
}

type Fields = Record<string, unknown>;

function textPlaces(value: unknown, path: string[] = []): string[][] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textPlaces(inner, [...path, key]));
}

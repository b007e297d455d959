// The provider under test with all that every part of the contract needs: a key that may appear nowhere, its fixtures cut into frames,
// and one way to call it.
import type { AssistantMessage, Context, Model, SimpleStreamOptions } from "../types.ts";
import type { ProviderContract } from "./contract-types.ts";
import { type ObservedCall, type ObserveOptions, observe } from "./observed-call.ts";
import { type ServedBody, type ServedFetch, serveBody } from "./served-bodies.ts";
import type { ServedMaterial } from "./situations.ts";
import { framePayload, isWholeFrame, splitFrames } from "./wire-frames.ts";

/** Has the shape of no vendor's key, so that only knowing it takes it out. */
export const CONTRACT_KEY = "Rondo.contract/key+0123456789abcdef==";

const CONTEXT: Context = {
  systemPrompt: "Answer in one word.",
  messages: [{ role: "user", content: "Hello", timestamp: 0 }],
};

/** One recorded answer. */
export interface Fixture {
  name: string;
  bytes: Uint8Array;
  frames: string[];
  /** Number of the frame that says why the model stopped. */
  stopFrame: number;
}

export class ContractSubject {
  readonly contract: ProviderContract;
  readonly fixtures: readonly Fixture[];
  readonly context: Context;
  #calls = 0;

  constructor(contract: ProviderContract) {
    this.contract = contract;
    this.context = contract.context ?? CONTEXT;
    this.fixtures = Object.entries(contract.fixtures).map(([name, body]) => fixtureOf(name, body, contract.stopFrame));
  }

  /** Counts a call that was not made through `call`. */
  countCall(): void {
    this.#calls++;
  }

  /** Calls made since it was last asked. */
  takeCount(): number {
    const calls = this.#calls;
    this.#calls = 0;
    return calls;
  }

  /** The fixture that is broken in every way. */
  get material(): ServedMaterial {
    const { errorFrame, errors, ping } = this.contract;
    const fixture = this.fixtures.find(({ name }) => name === "text") ?? this.fixtures[0];
    if (fixture === undefined) throw new Error(`The contract of ${this.contract.name} has no fixtures.`);
    return {
      frames: fixture.frames,
      stopFrame: fixture.stopFrame,
      errorFrame,
      errors,
      key: CONTRACT_KEY,
      ...(ping !== undefined && { ping }),
    };
  }

  model(origin: string): Model {
    return { ...this.contract.model, baseUrl: `${origin}${this.contract.basePath ?? ""}` };
  }

  /** Calls the provider at an address. */
  call(origin: string, options: SimpleStreamOptions = {}, observing: ObserveOptions = {}): Promise<ObservedCall> {
    this.#calls++;
    const stream = this.contract.streamFn(this.model(origin), this.context, { apiKey: CONTRACT_KEY, ...options });
    return observe(stream, { secrets: [CONTRACT_KEY, encodeURIComponent(CONTRACT_KEY)], ...observing });
  }

  /** Calls the provider with a body from memory. */
  async callWith(
    body: ServedBody,
    options: SimpleStreamOptions = {},
    observing: ObserveOptions = {},
  ): Promise<ObservedCall & { served: ServedFetch }> {
    const served = serveBody(body);
    const call = await this.call("http://127.0.0.1:9", { fetch: served.fetch, ...options }, observing);
    return { ...call, served };
  }

  /** What the frames show, by the contract's own reading; undefined where it has none. */
  visibleText(frames: readonly string[]): string | undefined {
    const { visibleText } = this.contract;
    if (!visibleText) return undefined;
    return frames
      .map(framePayload)
      .map((payload) => (typeof payload === "object" && payload !== null ? visibleText(payload) : ""))
      .join("");
  }
}

function fixtureOf(name: string, body: string | Uint8Array, stop: RegExp): Fixture {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const frames = splitFrames(new TextDecoder().decode(bytes));
  const stopFrame = frames.findIndex((frame) => stop.test(frame));
  if (stopFrame < 0) throw new Error(`No frame of the fixture ${name} matches ${stop}: it is no whole answer.`);
  return { name, bytes, frames, stopFrame };
}

/** What a cut left of a fixture: the frames that came whole, and whether nothing is missing. */
export function remains(fixture: Fixture, bytes: Uint8Array): { frames: string[]; isComplete: boolean } {
  const frames = splitFrames(new TextDecoder().decode(bytes));
  const last = frames.at(-1);
  const endsWhole = last === undefined || isWholeFrame(last);
  const whole = endsWhole ? frames : frames.slice(0, -1);
  return { frames: whole, isComplete: endsWhole && whole.length > fixture.stopFrame };
}

/** Throws with all faults of a call, and where it was made. */
export function expectNoFaults(where: string, faults: readonly string[], message: AssistantMessage): void {
  if (faults.length === 0) return;
  const shown = JSON.stringify({ ...message, content: message.content.length });
  throw new Error(`${where}:\n  ${faults.join("\n  ")}\n  ${shown.slice(0, 600)}`);
}

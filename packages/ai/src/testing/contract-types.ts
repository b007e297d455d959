// What a provider's author hands to the contract.
import type { AssistantMessageEventStream } from "../event-stream.ts";
import type { Context, ErrorKind, Model, SimpleStreamOptions } from "../types.ts";

/** A test runner's `describe` and `it`, as vitest, jest, mocha and node:test have them. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** A provider under test, its wire, and how far to go. */
export interface ProviderContract extends Partial<TestRunner> {
  /** Heads the names of the tests. */
  name: string;
  /** The stream function under test, such as `createModelLayer({ apis }).streamSimple`. It must honour `options.fetch`. */
  streamFn: (model: Model, context: Context, options?: SimpleStreamOptions) => AssistantMessageEventStream;
  /** The model that is asked; its base URL is replaced. */
  model: Model;
  /** What follows the server's address in a base URL of this API, such as `/v1`. Default: nothing. */
  basePath?: string;
  /** Bodies of good answers by name. One of them, `text` if there is one by this name, must hold text and is broken in every way. */
  fixtures: Record<string, string | Uint8Array>;
  /** Matches the frame that says why the model stopped. Until it has come, no answer is whole. */
  stopFrame: RegExp;
  /**
   * Matches the frame with which the API ends its streams, if it has one: a connection that breaks after it breaks nothing. Without it
   * only a clean end of the body counts.
   */
  endFrame?: RegExp;
  /** Keep-alive events as they stand on the wire, if the API has any: frames that carry nothing of an answer. */
  ping?: string;
  /** An error in the middle of a stream, as it stands on the wire, and the kind that a person would call it. */
  errorFrame: { text: string; kind: ErrorKind };
  /** Bodies of refused requests in the API's own words. `auth` may hold `{key}`, where the server repeats the key. */
  errors: { auth: string; rateLimit: string; overflow: string };
  /** The text and thinking that one frame adds, read from its parsed data: a second opinion on what must be kept. Default: not checked. */
  visibleText?: (payload: unknown) => string;
  /** What is asked. Default: one short user message. */
  context?: Context;
  /** How many places each body is cut at, beside every border of a frame. Default: every byte of bodies up to 20 KB, else 500. */
  cuts?: number;
  /** Seed of all random choices; it is in the names of the tests. Default 1. */
  seed?: number;
  /** Receives the number of calls that each part made. */
  onCount?: (part: string, calls: number) => void;
}

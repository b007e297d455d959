// A contract that nobody can break proves nothing: providers that break one promise each, and the test that finds it.
import {
  type ApiProtocol,
  type AssistantMessage,
  type AssistantMessageEvent,
  AssistantMessageEventStream,
  createModelLayer,
  type SimpleStreamOptions,
  type StreamFunction,
  withRetry,
} from "@rondo/ai";
import { describeProviderContract } from "@rondo/ai/testing";
import { describe, expect, it } from "vitest";
import { testModel } from "../api/decoding.ts";
import { parrot } from "./parrot/parrot.ts";
import { WIRES } from "./wires.ts";

const { streamSimple } = createModelLayer({ env: {} });
const wire = WIRES["anthropic-messages"];

/** A stream function whose events are passed through `change`. */
function changed(
  change: (event: AssistantMessageEvent, options: SimpleStreamOptions) => AssistantMessageEvent | undefined,
  optionsOf = (options: SimpleStreamOptions): SimpleStreamOptions => options,
): StreamFunction {
  return (model, context, options = {}) => {
    const inner = streamSimple(model, context, optionsOf(options));
    const outer = new AssistantMessageEventStream();
    void (async () => {
      for await (const event of inner) {
        const passed = change(event, options);
        if (passed) outer.push(passed);
      }
      outer.end();
    })();
    return outer;
  };
}

const onError = (change: (error: AssistantMessage, options: SimpleStreamOptions) => AssistantMessageEvent) =>
  changed((event, options) => (event.type === "error" ? change(event.error, options) : event));
const failed = (error: AssistantMessage): AssistantMessageEvent => ({ type: "error", reason: "error", error });

const BROKEN: [what: string, streamFn: StreamFunction, foundBy: string][] = [
  [
    "takes half an answer for whole",
    onError((error) => {
      const { error: _details, errorMessage: _sentence, ...message } = error;
      return { type: "done", reason: "stop", message: { ...message, stopReason: "stop" } };
    }),
    "text cut anywhere keeps what came and is not done (seed 1)",
  ],
  [
    "loses the text of a failed call",
    onError((error) => failed({ ...error, content: [] })),
    "the server: clean-early-end",
  ],
  [
    "shows the key",
    onError((error, { apiKey }) => failed({ ...error, errorMessage: `${error.errorMessage} Was ${apiKey} right?` })),
    "the server: bare-500",
  ],
  [
    "forgets the kind",
    onError((error) => failed({ ...error, error: { kind: "unknown", retryable: false } })),
    "the server: context-overflow",
  ],
  [
    "forgets how long to wait",
    onError((error) => failed({ ...error, error: { kind: "rate_limit", retryable: true } })),
    "the server: rate-limit-seconds",
  ],
  ["tries again by itself", withRetry(streamSimple, { attemptsMax: 2, delayBaseMs: 0 }), "the server: bare-500"],
  [
    "drops a delta",
    changed((event) => (event.type === "text_delta" ? undefined : event)),
    "text in chunks of any size gives the same events (seed 1)",
  ],
  ["forgets to end", changed((event) => (event.type === "done" ? undefined : event)), "the server: good"],
  [
    "does not hear an abort",
    changed(
      (event) => event,
      ({ signal: _signal, ...options }) => options,
    ),
    "a call that was aborted before it began sends nothing",
  ],
  [
    "puts the clock into its requests",
    changed(
      (event) => event,
      (options) => ({ ...options, onPayload: (body) => ({ ...(body as object), at: performance.now() }) }),
    ),
    "the same conversation is sent as the same bytes",
  ],
  ["reads on when it is left", changed((event) => event), "text left at each event is not read on"],
];

describe("the contract", () => {
  for (const [what, streamFn, foundBy] of BROKEN) {
    it(`finds a provider that ${what}`, async () => {
      const tests = new Map<string, () => Promise<void>>();
      describeProviderContract({
        ...wire,
        fixtures: { text: wire.fixtures["text"] as Uint8Array },
        streamFn,
        cuts: 5,
        describe: (_name, body) => body(),
        it: (name, run) => tests.set(name, run),
      });
      const test = tests.get(foundBy);
      expect(test).toBeTypeOf("function");
      await expect(test?.()).rejects.toThrow();
    });
  }

  it("knows the key of an API that sends it in a header of its own", async () => {
    const inOwnHeader: ApiProtocol = {
      ...parrot,
      send: ({ body, apiKey, baseUrl, fetch, signal }) =>
        fetch(`${baseUrl}/talk`, {
          method: "POST",
          headers: { "x-perch": apiKey },
          body: JSON.stringify(body),
          signal,
        }),
    };
    const tests = new Map<string, () => Promise<void>>();
    describeProviderContract({
      ...wire,
      model: testModel("parrot"),
      streamFn: createModelLayer({ apis: { parrot: inOwnHeader }, env: {} }).streamSimple,
      fixtures: { text: 'data: {"say":"Hello"}\n\ndata: {"bye":"done"}\n\n' },
      stopFrame: /"bye"/,
      errors: { ...wire.errors, auth: '{"error":{"message":"Who is {key}?"}}' },
      describe: (_name, body) => body(),
      it: (name, run) => tests.set(name, run),
    });
    await tests.get("the server: key-echo")?.();
  });

  it("says which test runner it needs when there is none", () => {
    expect(() => describeProviderContract({ ...wire, streamFn: streamSimple })).toThrow("pass its describe and it");
  });
});

// Stream functions that were put together keep every promise that a provider keeps.
import { createModelLayer, withConcurrencyLimit, withFallback, withRecording, withRetry } from "@rondo/ai";
import { describeProviderContract } from "@rondo/ai/testing";
import { describe, it } from "vitest";
import { WIRES } from "../contract/wires.ts";

const { streamSimple } = createModelLayer({ env: {} });
const retried = withRetry(streamSimple, { attemptsMax: 1 });
const composed = withRecording(withConcurrencyLimit(withFallback(retried, []), 4), { version: 1, recordings: [] });
const { text, "one-tool-call": call } = WIRES["anthropic-messages"].fixtures;

describeProviderContract({
  ...WIRES["anthropic-messages"],
  name: "composed stream functions",
  fixtures: { text: text as Uint8Array, call: call as Uint8Array },
  streamFn: composed,
  cuts: 10,
  describe,
  it,
});

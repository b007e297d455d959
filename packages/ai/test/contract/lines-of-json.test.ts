// An API that sends a line of JSON for each event keeps the same contract: what it says comes as it is said, and a cut is a cut.
import { createModelLayer } from "@rondo/ai";
import { describeProviderContract } from "@rondo/ai/testing";
import { describe, it } from "vitest";
import { testModel } from "../api/decoding.ts";
import { parrot } from "./parrot/parrot.ts";

const lines = (...payloads: object[]): string => payloads.map((payload) => `${JSON.stringify(payload)}\n`).join("");

describeProviderContract({
  name: "lines of JSON",
  streamFn: createModelLayer({ apis: { parrot }, env: {} }).streamSimple,
  model: testModel("parrot"),
  fixtures: {
    text: lines({ say: "Polly wants " }, { say: "a crücker 🎵" }, { spent: { in: 3, out: 5 } }, { bye: "done" }),
    tools: lines({ ponder: "Shiny!" }, { use: { id: "t1", tool: "fetch", with: { what: "nut" } } }, { bye: "done" }),
  },
  stopFrame: /"bye"/,
  ping: "\n",
  errorFrame: { text: lines({ error: { message: "The server is busy." } }), kind: "overloaded" },
  errors: {
    auth: '{"error":{"message":"Who is {key}?"}}',
    rateLimit: '{"error":{"message":"Not so fast."}}',
    overflow: '{"error":{"message":"The prompt is too long for a parrot."}}',
  },
  visibleText: (payload) => {
    const { say = "", ponder = "" } = payload as { say?: string; ponder?: string };
    return ponder + say;
  },
  describe,
  it,
});

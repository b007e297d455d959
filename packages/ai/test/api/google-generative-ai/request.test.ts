import { arbitraryHistory, checkGoogleGenerativeAiRequest } from "@rondo/test-fixtures";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { googleGenerativeAi } from "../../../src/api/google-generative-ai/index.ts";
import type { RequestOptions } from "../../../src/protocol.ts";
import { prepareTranscript } from "../../../src/transcript/prepare.ts";
import type { Message, Model } from "../../../src/types.ts";
import {
  answer,
  call,
  changed,
  effectOf,
  ignored,
  input,
  READ,
  readParameters,
  result,
  user,
} from "../conversation.ts";

const API = "google-generative-ai";
const build = (more: Parameters<typeof input>[1] = {}, model: Partial<Model> = {}) =>
  googleGenerativeAi.buildRequest(input(API, more, model));
const config = (generationConfig: object) => ({ generationConfig });
const calling = (functionCallingConfig: object) => ({ toolConfig: { functionCallingConfig } });
const WORDS = { off: null, low: "low", high: "high" };

describe("options", () => {
  test.each<{ name: string; options: RequestOptions; model?: Partial<Model>; body: object; said?: string[] }>([
    { name: "temperature", options: { temperature: 0 }, body: config({ temperature: 0 }) },
    {
      name: "temperature for a model without it",
      options: { temperature: 0 },
      model: { quirks: { supportsTemperature: false } },
      body: {},
      said: ignored("temperature"),
    },
    {
      name: "maxTokens above the model's own",
      options: { maxTokens: 100_000 },
      model: { maxTokens: 8_192 },
      body: config({ maxOutputTokens: 8_192 }),
      said: changed("maxTokens", "it was lowered to 8192, the most that model-1 gives"),
    },
    {
      name: "too many stop sequences",
      options: { stopSequences: ["a", "b", "", "c", "d", "e", "f"] },
      body: config({ stopSequences: ["a", "b", "c", "d", "e"] }),
      said: changed("stopSequences", "only the first 5 were sent"),
    },
    { name: "tool choice auto", options: { toolChoice: "auto" }, body: calling({ mode: "AUTO" }) },
    { name: "tool choice none", options: { toolChoice: "none" }, body: calling({ mode: "NONE" }) },
    { name: "tool choice required", options: { toolChoice: "required" }, body: calling({ mode: "ANY" }) },
    {
      name: "tool choice of one tool",
      options: { toolChoice: { name: "read" } },
      body: calling({ mode: "ANY", allowedFunctionNames: ["read"] }),
    },
    {
      name: "tool choice of an unknown tool",
      options: { toolChoice: { name: "write" } },
      body: {},
      said: ignored("toolChoice", "there is no tool of that name"),
    },
    { name: "one call at a time", options: { parallelToolCalls: false }, body: {}, said: ignored("parallelToolCalls") },
    { name: "metadata", options: { metadata: { user_id: "u" } }, body: {}, said: ignored("metadata") },
    {
      name: "a long cache",
      options: { cacheRetention: "long" },
      body: {},
      said: ignored("cacheRetention", "Gemini decides that itself"),
    },
    {
      name: "thinking as a number of tokens",
      options: { reasoning: "low", thinkingBudgets: { low: 3_000 } },
      body: config({ thinkingConfig: { thinkingBudget: 3_000, includeThoughts: true } }),
    },
    {
      name: "thinking off as a number of tokens",
      options: { reasoning: "off" },
      body: config({ thinkingConfig: { thinkingBudget: 0 } }),
    },
    {
      name: "thinking as a word",
      options: { reasoning: "high" },
      model: { thinkingLevelMap: WORDS },
      body: config({ thinkingConfig: { thinkingLevel: "high", includeThoughts: true } }),
    },
    {
      name: "thinking that cannot be turned off",
      options: { reasoning: "off" },
      model: { thinkingLevelMap: { ...WORDS, minimal: null } },
      body: config({ thinkingConfig: { thinkingLevel: "low", includeThoughts: true } }),
      said: changed("reasoning", "model-1 does not have the level off; low was used"),
    },
    {
      name: "thinking of a model that does not think",
      options: { reasoning: "high" },
      model: { reasoning: false },
      body: {},
      said: ignored("reasoning", "it does not think"),
    },
    {
      name: "an answer by schema",
      options: { responseSchema: { schema: readParameters } },
      body: config({ responseMimeType: "application/json", responseJsonSchema: readParameters }),
    },
  ])("$name", ({ options, model, body, said = [] }) => {
    expect(effectOf(googleGenerativeAi, options, model)).toEqual({ body, said });
  });

  test("a forced call without tools is told, and a free choice is none", () => {
    expect(effectOf(googleGenerativeAi, { toolChoice: "required" }, {}, [])).toEqual({
      body: {},
      said: ignored("toolChoice", "there are no tools"),
    });
    expect(effectOf(googleGenerativeAi, { toolChoice: "auto" }, {}, [])).toEqual({ body: {}, said: [] });
  });
});

describe("thought signatures", () => {
  const history = (from: string): Message[] => [
    user("Read a and b."),
    {
      ...answer(API, [call("call_1", "a", "c2ln"), call("call_2", "b")]),
      ...(from === "another model" && { provider: "other", model: "other" }),
    },
    result("call_1", [{ type: "text", text: "A" }]),
    result("call_2", [{ type: "text", text: "B" }]),
  ];
  const partsOf = (from: string, quirks: NonNullable<Model["quirks"]>): Record<string, unknown>[] => {
    const { messages } = prepareTranscript(history(from), input(API).model);
    const { body } = build({ messages, tools: [READ] }, { quirks });
    expect(checkGoogleGenerativeAiRequest(body)).toEqual([]);
    return ((body["contents"] as { parts: Record<string, unknown>[] }[])[1] ?? { parts: [] }).parts;
  };
  const standIn = { thoughtSignatureStandIn: "c2tpcA" };
  test.each([
    ["its own call keeps the signature, and the call beside it has none", "itself", standIn, ["c2ln", undefined]],
    ["the first call of another model gets the stand-in", "another model", standIn, ["c2tpcA", undefined]],
    ["a model without one gets none", "another model", {}, [undefined, undefined]],
  ])("%s", (_name, from, quirks, signatures) => {
    const parts = partsOf(from, quirks);
    expect(parts.map((part) => part["thoughtSignature"])).toEqual(signatures);
    expect(parts.every((part) => part["functionCall"] !== undefined)).toBe(true);
  });
});

test("any history becomes a request that the API accepts, the same bytes each time", () => {
  const own = { provider: "google", id: "gemini-fixture", quirks: { thoughtSignatureStandIn: "c2tpcA" } };
  fc.assert(
    fc.property(arbitraryHistory(), (history) => {
      const { messages } = prepareTranscript(history as unknown as Message[], input(API, {}, own).model);
      fc.pre(messages.length > 0);
      const request = () => build({ messages, tools: [READ], systemPrompt: "Be brief." }, own).body;
      expect(checkGoogleGenerativeAiRequest(request(), { requiresThoughtSignatures: true })).toEqual([]);
      expect(JSON.stringify(request())).toBe(JSON.stringify(request()));
    }),
    { numRuns: 150 },
  );
});

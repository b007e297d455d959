import { arbitraryHistory, checkAnthropicMessagesRequest } from "@rondo/test-fixtures";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropicMessages } from "../../../src/api/anthropic-messages/index.ts";
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

const API = "anthropic-messages";
const build = (more: Parameters<typeof input>[1] = {}, model: Partial<Model> = {}) =>
  anthropicMessages.buildRequest(input(API, more, model));
const mark = { cache_control: { type: "ephemeral" } };

describe("options", () => {
  test.each<{ name: string; options: RequestOptions; model?: Partial<Model>; body: object; said?: string[] }>([
    { name: "temperature", options: { temperature: 0 }, body: { temperature: 0 } },
    {
      name: "temperature that is too high",
      options: { temperature: 1.5 },
      body: { temperature: 1 },
      said: changed("temperature", "it was lowered to 1, the most that this API takes"),
    },
    {
      name: "temperature for a model without it",
      options: { temperature: 0 },
      model: { quirks: { supportsTemperature: false } },
      body: {},
      said: ignored("temperature"),
    },
    { name: "maxTokens", options: { maxTokens: 100 }, body: { max_tokens: 100 } },
    {
      name: "maxTokens above the model's own",
      options: { maxTokens: 100_000 },
      model: { maxTokens: 8_192 },
      body: {},
      said: changed("maxTokens", "it was lowered to 8192, the most that model-1 gives"),
    },
    {
      name: "stop sequences, of which blank ones are refused",
      options: { stopSequences: ["END", "\n"] },
      body: { stop_sequences: ["END"] },
      said: changed("stopSequences", "those of white space alone were left out"),
    },
    { name: "tool choice auto", options: { toolChoice: "auto" }, body: { tool_choice: { type: "auto" } } },
    { name: "tool choice none", options: { toolChoice: "none" }, body: { tool_choice: { type: "none" } } },
    { name: "tool choice required", options: { toolChoice: "required" }, body: { tool_choice: { type: "any" } } },
    {
      name: "tool choice of one tool",
      options: { toolChoice: { name: "read" } },
      body: { tool_choice: { type: "tool", name: "read" } },
    },
    {
      name: "one call at a time",
      options: { parallelToolCalls: false },
      body: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    },
    { name: "metadata", options: { metadata: { user_id: "u" } }, body: { metadata: { user_id: "u" } } },
    {
      name: "metadata of other names",
      options: { metadata: { user_id: "u", team: "blue" } },
      body: { metadata: { user_id: "u" } },
      said: changed("metadata", "only user_id was sent"),
    },
    {
      name: "metadata without a user",
      options: { metadata: { team: "blue" } },
      body: {},
      said: ignored("metadata", "this API takes user_id alone"),
    },
    {
      name: "tool choice of an unknown tool",
      options: { toolChoice: { name: "write" } },
      body: {},
      said: ignored("toolChoice", "there is no tool of that name"),
    },
    {
      name: "thinking with a budget, for which there is room beside the answer",
      options: { reasoning: "high", maxTokens: 1_024 },
      body: { max_tokens: 17_408, thinking: { type: "enabled", budget_tokens: 16_384 } },
    },
    {
      name: "a budget that is larger than the model's output",
      options: { reasoning: "high", thinkingBudgets: { high: 50_000 }, maxTokens: 1_024 },
      model: { maxTokens: 8_192 },
      body: { thinking: { type: "enabled", budget_tokens: 7_168 } },
      said: changed("thinkingBudgets", "the one for high became 7168 tokens, which is what there is room for"),
    },
    {
      name: "a budget that is smaller than the API's least",
      options: { reasoning: "low", thinkingBudgets: { low: 5 } },
      body: { max_tokens: 5_120, thinking: { type: "enabled", budget_tokens: 1_024 } },
      said: changed("thinkingBudgets", "the one for low became 1024 tokens, which is what there is room for"),
    },
    {
      name: "no room for thinking at all",
      options: { reasoning: "high" },
      model: { maxTokens: 1_000 },
      body: {},
      said: ignored("reasoning", "its output limit of 1000 tokens leaves no room"),
    },
    {
      name: "an effort for a model that decides by itself",
      options: { reasoning: "high" },
      model: { quirks: { adaptiveThinking: true } },
      body: { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
    },
    {
      name: "temperature beside thinking",
      options: { reasoning: "low", temperature: 0 },
      body: { max_tokens: 6_144, thinking: { type: "enabled", budget_tokens: 2_048 } },
      said: ignored("temperature", "it cannot be combined with thinking"),
    },
    {
      name: "thinking beside a forced tool",
      options: { reasoning: "low", toolChoice: "required" },
      body: { tool_choice: { type: "any" } },
      said: ignored("reasoning", "it cannot be combined with a forced tool call"),
    },
    { name: "thinking off", options: { reasoning: "off" }, body: {} },
    {
      name: "an answer by schema",
      options: { responseSchema: { schema: readParameters } },
      body: {
        output_config: { format: { type: "json_schema", schema: { ...readParameters, additionalProperties: false } } },
      },
    },
  ])("$name", ({ options, model, body, said = [] }) => {
    expect(effectOf(anthropicMessages, options, model)).toEqual({ body, said });
  });

  test("a forced call without tools is told, and a free choice is none", () => {
    expect(effectOf(anthropicMessages, { toolChoice: "required" }, {}, [])).toEqual({
      body: {},
      said: ignored("toolChoice", "there are no tools"),
    });
    expect(effectOf(anthropicMessages, { toolChoice: "auto" }, {}, [])).toEqual({ body: {}, said: [] });
  });
});

describe("thinking in a tool loop that is under way", () => {
  const loop = (thinking: object[]): Message[] => [
    user("Read a."),
    answer(API, [...thinking, call("call_1", "a")] as Parameters<typeof answer>[1]),
    result("call_1", [{ type: "text", text: "A" }]),
  ];
  const signed = { type: "thinking", thinking: "Hm.", thinkingSignature: "c2ln" };
  const unsigned = { type: "thinking", thinking: "Hm." };
  test.each([
    ["on, and signed thinking before the call", "low", [signed], true],
    ["on, and unsigned thinking before the call", "low", [unsigned], false],
    ["on, and no thinking before the call", "low", [], false],
    ["off, and signed thinking before the call", "off", [signed], false],
    ["off, and no thinking before the call", "off", [], false],
  ] as const)("%s", (_name, reasoning, thinking, thinks) => {
    const { messages } = prepareTranscript(loop([...thinking]), input(API).model);
    const { body } = build({ messages, tools: [READ], options: { reasoning } });
    expect(body["thinking"] !== undefined).toBe(thinks);
    expect(checkAnthropicMessagesRequest({ ...body, stream: true })).toEqual([]);
  });

  const later = [answer(API, [call("call_2", "b")]), result("call_2", [{ type: "text", text: "B" }])];

  test("stays on when the model thought before the first call alone", () => {
    const { messages } = prepareTranscript([...loop([signed]), ...later], input(API).model);
    const { body, diagnostics } = build({ messages, tools: [READ], options: { reasoning: "low" } });
    expect(body["thinking"]).toEqual({ type: "enabled", budget_tokens: 2048 });
    expect(diagnostics).toEqual([]);
    expect(checkAnthropicMessagesRequest({ ...body, stream: true })).toEqual([]);
  });

  test.each([
    ["turned off", {}, { reasoning: "off" }, false],
    ["not asked for", {}, {}, false],
    ["kept out by a forced call", {}, { reasoning: "low", toolChoice: "required" }, false],
    ["disabled in so many words", { thinkingLevelMap: { off: "disabled" } }, { reasoning: "off" }, false],
    ["on unless it is disabled", { thinkingLevelMap: { off: "disabled" } }, {}, true],
    ["always on", { thinkingLevelMap: { off: null } }, {}, true],
    ["down to notes between calls", { thinkingLevelMap: { off: "between_tools" } }, { reasoning: "off" }, true],
    ["taken back whatever is asked", { quirks: { takesThinkingWhenOff: true } }, { reasoning: "off" }, true],
  ] as const)("goes back where thinking is %s: %j %j", (_name, model, options, goesBack) => {
    const { messages } = prepareTranscript([...loop([signed]), ...later], input(API).model);
    const { body } = build({ messages, tools: [READ], options }, model);
    expect(JSON.stringify(body["messages"]).includes('"signature":"c2ln"')).toBe(goesBack);
  });

  test("signed and withheld thinking goes back as it came", () => {
    const redacted = { type: "thinking", thinking: "", thinkingSignature: "ZW5j", redacted: true };
    const odd = { ...signed, thinking: "  Hm. \u2028 " };
    const { messages } = prepareTranscript(loop([odd, redacted]), input(API).model);
    const { body } = build({ messages, tools: [READ], options: { reasoning: "low" } });
    const [, turn] = body["messages"] as { content: object[] }[];
    expect(turn?.content.slice(0, 2)).toEqual([
      { type: "thinking", thinking: "  Hm. \u2028 ", signature: "c2ln" },
      { type: "redacted_thinking", data: "ZW5j" },
    ]);
  });
});

describe("a model that thinks unless it is told otherwise", () => {
  const opus = { thinkingLevelMap: { off: "disabled" }, quirks: { adaptiveThinking: true } };
  test.each([
    ["is not told when nobody asks", {}, undefined],
    ["is told to leave it", { reasoning: "off" }, { type: "disabled" }],
    ["is told to leave it where a call is forced", { toolChoice: "required" }, { type: "disabled" }],
    [
      "is told to leave it where thinking and a forced call are asked for",
      { reasoning: "low", toolChoice: "required" },
      { type: "disabled" },
    ],
    ["thinks as it is asked to", { reasoning: "low" }, { type: "adaptive", display: "summarized" }],
  ] as const)("%s", (_name, options, thinking) => {
    const { body } = build({ tools: [READ], options }, opus);
    expect(body["thinking"]).toEqual(thinking);
    expect(checkAnthropicMessagesRequest({ ...body, stream: true })).toEqual([]);
  });

  test("and takes a temperature when it is told", () => {
    expect(build({ options: { reasoning: "off", temperature: 0.5 } }, opus).body["temperature"]).toBe(0.5);
  });

  test("may have another word for it", () => {
    const { body } = build({ options: { reasoning: "off" } }, { thinkingLevelMap: { off: "between_tools" } });
    expect(body["thinking"]).toEqual({ type: "between_tools" });
  });
});

test("a model that cannot be forced to call a tool decides itself, and thinks as asked", () => {
  const model = { quirks: { adaptiveThinking: true, supportsForcedToolChoice: false } };
  const how = "model-1 cannot be forced to call a tool, so it decides itself";
  for (const toolChoice of ["required", { name: "read" }] as const) {
    const { body, diagnostics } = build({ tools: [READ], options: { toolChoice, reasoning: "low" } }, model);
    expect(body["tool_choice"]).toEqual({ type: "auto" });
    expect(body["thinking"]).toEqual({ type: "adaptive", display: "summarized" });
    expect(diagnostics.map(({ message }) => message)).toEqual([`The option toolChoice was changed: ${how}.`]);
  }
  expect(build({ tools: [READ], options: { toolChoice: "none" } }, model).body["tool_choice"]).toEqual({
    type: "none",
  });
});

describe("cache marks", () => {
  test("stand on the last tool, the system prompt and the last two user turns", () => {
    const messages = [
      user("One"),
      answer(API, [{ type: "text", text: "A" }]),
      user("Two"),
      answer(API, [{ type: "text", text: "B" }]),
      user("Three"),
    ];
    const { body } = build({ messages, tools: [READ], systemPrompt: "Be brief." });
    expect(body["tools"]).toEqual([
      { name: "read", description: "Reads a file.", input_schema: readParameters, ...mark },
    ]);
    expect(body["system"]).toEqual([{ type: "text", text: "Be brief.", ...mark }]);
    expect(body["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "One" }] },
      { role: "assistant", content: [{ type: "text", text: "A" }] },
      { role: "user", content: [{ type: "text", text: "Two", ...mark }] },
      { role: "assistant", content: [{ type: "text", text: "B" }] },
      { role: "user", content: [{ type: "text", text: "Three", ...mark }] },
    ]);
  });

  test.each([
    ["none", {}, 0],
    ["short", {}, 3],
    ["long", {}, 3],
    ["short", { supportsCacheControl: false }, 0],
  ] as const)("retention %s with %j", (cacheRetention, quirks, count) => {
    const { body } = build({ tools: [READ], systemPrompt: "Be brief.", options: { cacheRetention } }, { quirks });
    const marks = JSON.stringify(body).match(/"cache_control":\{[^}]*\}/g) ?? [];
    expect(marks.length).toBe(count);
    if (cacheRetention === "long") expect(marks.every((found) => found.includes('"ttl":"1h"'))).toBe(true);
  });
});

test("any history becomes a request that the API accepts, with at most four marks and the same bytes each time", () => {
  const own = { provider: "anthropic", id: "claude-fixture" };
  fc.assert(
    fc.property(arbitraryHistory(), fc.constantFrom("off" as const, "high" as const), (history, reasoning) => {
      const { messages } = prepareTranscript(history as unknown as Message[], input(API, {}, own).model);
      fc.pre(messages.length > 0);
      const request = () =>
        build({ messages, tools: [READ], systemPrompt: "Be brief.", options: { reasoning } }, own).body;
      expect(checkAnthropicMessagesRequest({ ...request(), stream: true })).toEqual([]);
      expect(JSON.stringify(request()).match(/"cache_control"/g)?.length).toBeLessThanOrEqual(4);
      expect(JSON.stringify(request())).toBe(JSON.stringify(request()));
    }),
    { numRuns: 150 },
  );
});

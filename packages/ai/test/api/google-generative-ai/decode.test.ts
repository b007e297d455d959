import { describe, expect, test } from "vitest";
import { googleGenerativeAi } from "../../../src/api/google-generative-ai/index.ts";
import { decode, testDecoding } from "../decoding.ts";
import { calling, chunk, stop, text, thought } from "./chunks.ts";

const hello = ["start", "text_start 0", 'text_delta 0 "Hello"', 'text_end 0 "Hello"'];
const readA = [
  "start",
  "toolcall_start 0",
  'toolcall_delta 0 "{\\"path\\":\\"a\\"}"',
  'toolcall_end 0 call_a read {"path":"a"}',
];
const READ_A = { id: "call_a", name: "read", args: { path: "a" } };
const contentOf = (frames: object[]) => decode(googleGenerativeAi, frames).message.content;

describe("text", () => {
  testDecoding(googleGenerativeAi, [
    {
      name: "parts become one block",
      frames: [text("Hel"), text("lo"), stop()],
      events: ["start", "text_start 0", 'text_delta 0 "Hel"', 'text_delta 0 "lo"', 'text_end 0 "Hello"', "done stop"],
    },
    {
      name: "only the first candidate counts",
      frames: [
        { candidates: [{ index: 1, content: { parts: [{ text: "no" }] } }, ...text("Hello").candidates] },
        { candidates: [{ index: 1, content: { parts: [] }, finishReason: "MAX_TOKENS" }] },
        stop(),
      ],
      events: [...hello, "done stop"],
    },
    {
      name: "chunks in an array, as some proxies send them",
      frames: [[text("Hello")], [stop()]],
      events: [...hello, "done stop"],
    },
    {
      name: "two chunks that both say why it stopped: the first is believed, the usage of both is read",
      frames: [text("Hello"), stop("MAX_TOKENS"), stop("STOP")],
      events: [...hello, "done length"],
    },
    { name: "no parts at all", frames: [{ candidates: [{ finishReason: "STOP" }] }], events: ["start", "done stop"] },
    {
      name: "parts of kinds that are not known are passed over",
      frames: [
        chunk([{ executableCode: { code: "1" } }, { codeExecutionResult: { output: "1" } }]),
        text("Hello"),
        stop(),
      ],
      events: [...hello, "done stop"],
    },
    { name: "no reason to stop is no answer", frames: [text("Hello")], events: [...hello.slice(0, 3), "open"] },
  ]);
});

describe("thinking and signatures", () => {
  test("thoughts are a block of their own", () => {
    expect(contentOf([thought("Hm"), thought("."), text("Hello"), stop()])).toEqual([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Hello" },
    ]);
  });

  test("a signature belongs to the part that it came with", () => {
    const frames = [text("One", { thoughtSignature: "c2ln" }), text("Two"), stop()];
    expect(contentOf(frames)).toEqual([
      { type: "text", text: "One", textSignature: "c2ln" },
      { type: "text", text: "Two" },
    ]);
  });

  test("a signature behind the text signs the text", () => {
    expect(contentOf([text("Hello"), text("", { thoughtSignature: "c2ln" }), stop()])).toEqual([
      { type: "text", text: "Hello", textSignature: "c2ln" },
    ]);
  });

  test("a signature with nothing before it is kept as thinking that shows nothing", () => {
    expect(contentOf([text("", { thoughtSignature: "c2ln" }), text("Hello"), stop()])).toEqual([
      { type: "thinking", thinking: "", thinkingSignature: "c2ln" },
      { type: "text", text: "Hello" },
    ]);
  });

  test("only the first of parallel calls is signed", () => {
    const frames = [
      chunk([{ functionCall: READ_A, thoughtSignature: "c2ln" }, { functionCall: { ...READ_A, id: "call_b" } }]),
      stop(),
    ];
    expect(contentOf(frames)).toMatchObject([{ id: "call_a", thoughtSignature: "c2ln" }, { id: "call_b" }]);
    expect(contentOf(frames)[1]).not.toHaveProperty("thoughtSignature");
  });
});

describe("tool calls", () => {
  testDecoding(googleGenerativeAi, [
    { name: "a whole call", frames: [calling(READ_A), stop()], events: [...readA, "done toolUse"] },
    {
      name: "a call without an id gets one",
      frames: [calling({ name: "read", args: { path: "a" } }), stop()],
      events: [...readA.map((line) => line.replace("call_a", "made_1")), "done toolUse"],
    },
    {
      name: "a call without arguments",
      frames: [calling({ id: "call_a", name: "read" }), stop()],
      events: ["start", "toolcall_start 0", 'toolcall_delta 0 "{}"', "toolcall_end 0 call_a read {}", "done toolUse"],
    },
    {
      name: "arguments in pieces at their paths",
      frames: [
        calling({ id: "call_a", name: "edit", willContinue: true }),
        calling({ partialArgs: [{ jsonPath: "$.path", stringValue: "a.", willContinue: true }], willContinue: true }),
        calling({ partialArgs: [{ jsonPath: "$.path", stringValue: "txt" }], willContinue: true }),
        calling({ partialArgs: [{ jsonPath: "$.edits[0].line", numberValue: 3 }], willContinue: true }),
        calling({
          partialArgs: [
            { jsonPath: "$['a b']", boolValue: true },
            { jsonPath: "$.none", nullValue: "NULL_VALUE" },
          ],
        }),
        stop(),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"path\\":\\"a.txt\\",\\"edits\\":[{\\"line\\":3}],\\"a b\\":true,\\"none\\":null}"',
        'toolcall_end 0 call_a edit {"path":"a.txt","edits":[{"line":3}],"a b":true,"none":null}',
        "done toolUse",
      ],
    },
    {
      name: "values of a gateway that fills the kinds it does not use with null",
      frames: [
        calling({
          id: "call_a",
          name: "edit",
          partialArgs: [
            { jsonPath: "$.line", stringValue: null, numberValue: 3, boolValue: null },
            { jsonPath: "$.all", stringValue: null, numberValue: null, boolValue: false },
          ],
        }),
        stop(),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"line\\":3,\\"all\\":false}"',
        'toolcall_end 0 call_a edit {"line":3,"all":false}',
        "done toolUse",
      ],
    },
    {
      name: "places of an array that no path fills are null",
      frames: [
        calling({ id: "call_a", name: "edit", partialArgs: [{ jsonPath: "$.lines[2]", numberValue: 3 }] }),
        stop(),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"lines\\":[null,null,3]}"',
        'toolcall_end 0 call_a edit {"lines":[null,null,3]}',
        "done toolUse",
      ],
    },
    {
      name: "a path far beyond the end of its array is damage",
      frames: [calling({ name: "edit", partialArgs: [{ jsonPath: "$.lines[99999999]", numberValue: 3 }] }), stop()],
      events: ["start", "toolcall_start 0", "error unknown thrown A path goes to place 99999999 of an array of 0."],
    },
    {
      name: "pieces that never came to their end are no arguments",
      frames: [
        calling({ id: "call_a", name: "edit", willContinue: true }),
        calling({ partialArgs: [{ jsonPath: "$.path", stringValue: "/sr" }], willContinue: true }),
      ],
      events: ["start", "toolcall_start 0", "open"],
    },
    {
      name: "a path into the prototype is a field like any other",
      frames: [
        calling({ id: "call_a", name: "edit", partialArgs: [{ jsonPath: "$.__proto__.polluted", stringValue: "x" }] }),
        stop(),
      ],
      events: [
        "start",
        "toolcall_start 0",
        'toolcall_delta 0 "{\\"__proto__\\":{\\"polluted\\":\\"x\\"}}"',
        'toolcall_end 0 call_a edit {"__proto__":{"polluted":"x"}}',
        "done toolUse",
      ],
    },
    {
      name: "text after a call",
      frames: [calling(READ_A), text("Hello"), stop()],
      events: [...readA, "text_start 1", 'text_delta 1 "Hello"', 'text_end 1 "Hello"', "done toolUse"],
    },
  ]);

  test("what no path fills is held by the message as null, and no hole", () => {
    const { content } = decode(googleGenerativeAi, [
      calling({ id: "call_a", name: "edit", partialArgs: [{ jsonPath: "$.lines[1]", boolValue: true }] }),
      stop(),
    ]).message;
    expect(content).toStrictEqual([
      { type: "toolCall", id: "call_a", name: "edit", arguments: { lines: [null, true] } },
    ]);
  });

  test("no path reaches a real prototype", () => {
    decode(googleGenerativeAi, [
      calling({ name: "x", partialArgs: [{ jsonPath: "$.constructor.prototype.polluted", stringValue: "x" }] }),
      stop(),
    ]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("why it stopped", () => {
  test.each<[string | number, string]>([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    [1, "stop"],
    [2, "length"],
    ["FINISH_REASON_UNSPECIFIED", "stop"],
    ["SOMETHING_NEW", "stop"],
  ])("%s is %s, and its own word is kept", (reason, stopReason) => {
    const { message } = decode(googleGenerativeAi, [text("Hello"), stop(reason)]);
    expect([message.stopReason, message.rawStopReason]).toEqual([stopReason, String(reason)]);
  });

  test.each([
    ["SAFETY", "Gemini stopped because of its content policy (SAFETY). Rephrase the request."],
    [3, "Gemini stopped because of its content policy (SAFETY). Rephrase the request."],
    ["RECITATION", "Gemini stopped because of its content policy (RECITATION). Rephrase the request."],
    ["MALFORMED_FUNCTION_CALL", "Gemini could not complete the answer (MALFORMED_FUNCTION_CALL). Try again."],
    ["UNEXPECTED_TOOL_CALL", "Gemini could not complete the answer (UNEXPECTED_TOOL_CALL). Try again."],
  ])("%s is an error", (reason, words) => {
    expect(decode(googleGenerativeAi, [text("Hel"), stop(reason)]).events.at(-1)).toBe(`error unknown thrown ${words}`);
  });

  test("a blocked prompt is an error that says why", () => {
    const blocked = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 5 } };
    expect(decode(googleGenerativeAi, [blocked]).events.at(-1)).toBe(
      "error unknown thrown Gemini blocked the prompt (PROHIBITED_CONTENT). Rephrase it.",
    );
  });

  test("an error object in the middle ends the answer with what the server said", () => {
    const error = { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } };
    expect(decode(googleGenerativeAi, [text("Hel"), error]).events.at(-1)).toContain("The model is overloaded.");
  });
});

describe("counts of tokens", () => {
  const usageOf = (...usages: unknown[]) => {
    const frames = usages.map((usageMetadata) => ({ usageMetadata }));
    const { cost: _cost, ...counts } = decode(googleGenerativeAi, [...frames, text("Hello"), stop()]).message.usage;
    return counts;
  };
  test.each<[string, unknown[], object]>([
    [
      "cached tokens are part of the prompt, thoughts are none of the candidates",
      [{ promptTokenCount: 1000, cachedContentTokenCount: 800, candidatesTokenCount: 10, thoughtsTokenCount: 40 }],
      { input: 200, cacheRead: 800, output: 50, reasoning: 40, totalTokens: 1050 },
    ],
    [
      "what tools brought in is prompt",
      [{ promptTokenCount: 100, toolUsePromptTokenCount: 20, candidatesTokenCount: 1 }],
      { input: 120, output: 1, totalTokens: 121 },
    ],
    [
      "a later chunk that leaves a count out keeps it",
      [{ promptTokenCount: 100, candidatesTokenCount: 5 }, { candidatesTokenCount: 9 }],
      { input: 100, output: 9, totalTokens: 109 },
    ],
    [
      "a later chunk that leaves the cached tokens out does not count them twice",
      [
        { promptTokenCount: 1000, cachedContentTokenCount: 800 },
        { promptTokenCount: 1000, candidatesTokenCount: 5 },
      ],
      { input: 200, cacheRead: 800, output: 5, totalTokens: 1005 },
    ],
    ["usage that is no object", ["none", 5, [], null], {}],
    ["none", [], {}],
    ["nonsense is no count", [{ promptTokenCount: "many", candidatesTokenCount: null, thoughtsTokenCount: -4 }], {}],
    [
      "more cached than prompted: they are counted apart",
      [{ promptTokenCount: 100, cachedContentTokenCount: 800, candidatesTokenCount: 1 }],
      { input: 100, cacheRead: 800, output: 1, totalTokens: 901 },
    ],
  ])("%s", (_name, usages, counts) => {
    expect(usageOf(...usages)).toEqual(counts);
  });
});

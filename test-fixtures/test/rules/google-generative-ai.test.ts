import { expect, test } from "vitest";
import { checkGoogleGenerativeAiRequest } from "../../src/rules/google-generative-ai.ts";
import { changed, png } from "./bodies.ts";

type Part = Record<string, unknown>;
const good = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  tools: [
    {
      functionDeclarations: [
        {
          name: "read",
          description: "Reads",
          parametersJsonSchema: { type: "object", properties: { path: { type: "string" } } } as Part,
        },
      ],
    },
  ],
  toolConfig: { functionCallingConfig: { mode: "AUTO" } as Part },
  generationConfig: { temperature: 1, thinkingConfig: { thinkingLevel: "low" } as Part },
  contents: [
    { role: "user", parts: [{ text: "Look." }, { inlineData: { mimeType: "image/png", data: png(2, 2) } }] as Part[] },
    {
      role: "model",
      parts: [
        { text: "hm", thought: true },
        { functionCall: { id: "a", name: "read", args: { path: "." } }, thoughtSignature: "c2ln" },
        { functionCall: { id: "b", name: "read", args: {} } },
      ] as Part[],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "a", name: "read", response: { output: "done" } } },
        { functionResponse: { id: "b", name: "read", response: { error: "no" } } },
      ] as Part[],
    },
  ],
};

test("a good body is accepted", () => {
  expect(checkGoogleGenerativeAiRequest(good, { requiresThoughtSignatures: true })).toEqual([]);
});

test.each<[string, (body: typeof good) => unknown, RegExp]>([
  ["no contents", (body) => (body.contents = []), /contents is not specified/],
  ["a last turn of the model", (body) => body.contents.pop(), /last turn must be the user's/],
  ["a first turn of the model", (body) => body.contents.shift(), /first turn must be the user's/],
  ["two turns of one role", (body) => body.contents.push({ role: "user", parts: [{ text: "x" }] }), /must alternate/],
  ["a turn without parts", (body) => (body.contents[0]!.parts = []), /at least one parts field/],
  ["an empty part", (body) => body.contents[0]!.parts.push({}), /exactly one kind of data/],
  ["blank text", (body) => (body.contents[0]!.parts[0] = { text: "" }), /must not be blank/],
  ["fewer responses than calls", (body) => body.contents[2]!.parts.pop(), /must equal that of the function call parts/],
  [
    "a response to another call",
    (body) => (body.contents[2]!.parts[0] = { functionResponse: { id: "c", name: "read", response: {} } }),
    /do not match the function calls/,
  ],
  [
    "a call without a signature",
    (body) => delete body.contents[1]!.parts[1]!["thoughtSignature"],
    /missing a thought_signature/,
  ],
  [
    "a signature of the user's",
    (body) => (body.contents[0]!.parts[0]!["thoughtSignature"] = "c2ln"),
    /only for the model's parts/,
  ],
  [
    "a GIF",
    (body) => (body.contents[0]!.parts[1] = { inlineData: { mimeType: "image/gif", data: "R0lGODlhAgADAAAAADs=" } }),
    /type: must be one of/,
  ],
  [
    "a function name of the wrong form",
    (body) => (body.tools[0]!.functionDeclarations[0]!.name = "3d"),
    /invalid function name/,
  ],
  [
    "an unknown keyword",
    (body) => (body.tools[0]!.functionDeclarations[0]!.parametersJsonSchema["$schema"] = "x"),
    /\$schema: extra fields/,
  ],
  [
    "a name that is not declared",
    (body) => (body.toolConfig.functionCallingConfig = { mode: "ANY", allowedFunctionNames: ["write"] }),
    /write is not declared/,
  ],
  [
    "a budget beside a level",
    (body) => (body.generationConfig.thinkingConfig["thinkingBudget"] = 5),
    /a budget or a level/,
  ],
])("%s is refused", (_name, change, expected) => {
  const violations = checkGoogleGenerativeAiRequest(changed(good, change), { requiresThoughtSignatures: true });
  expect(
    violations.some((violation) => expected.test(violation)),
    violations.join("\n"),
  ).toBe(true);
});

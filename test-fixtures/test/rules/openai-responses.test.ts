import { expect, test } from "vitest";
import { checkOpenaiResponsesRequest } from "../../src/rules/openai-responses.ts";
import { changed, pngUrl } from "./bodies.ts";

const good = {
  model: "gpt",
  store: false,
  include: ["reasoning.encrypted_content"],
  max_output_tokens: 16,
  reasoning: { effort: "high", summary: "auto" },
  tools: [
    {
      type: "function",
      name: "read",
      description: "Reads",
      parameters: { type: "object", properties: {} },
      strict: false,
    },
  ],
  input: [
    {
      role: "user",
      content: [
        { type: "input_text", text: "Look." },
        { type: "input_image", detail: "auto", image_url: pngUrl(2, 2) },
      ],
    },
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "ZW5j" },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      phase: "commentary",
      content: [{ type: "output_text", text: "Reading.", annotations: [] }],
    },
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "call_1", output: "done" },
    { role: "user", content: "And?" },
  ] as Record<string, unknown>[],
};

test("a good body is accepted", () => {
  expect(checkOpenaiResponsesRequest(good)).toEqual([]);
});

test.each<[string, (body: typeof good) => unknown, RegExp]>([
  ["no input", (body) => (body.input = []), /input: must not be empty/],
  ["an unknown field", (body) => Object.assign(body, { max_tokens: 5 }), /extra fields/],
  ["reasoning without what followed", (body) => body.input.splice(2, 2), /without its required following item/],
  [
    "reasoning without its content",
    (body) => delete body.input[1]!["encrypted_content"],
    /not persisted when store is false/,
  ],
  ["a call without its output", (body) => body.input.splice(4, 1), /no tool output found for function calls call_1/],
  ["an output without its call", (body) => body.input.splice(3, 1), /no tool call found/],
  ["an overlong call id", (body) => Object.assign(body.input[3]!, { call_id: "x".repeat(65) }), /1 to 64 characters/],
  ["an item id of another kind", (body) => (body.input[3]!["id"] = "call_1"), /begins with 'fc_'/],
  [
    "an item id twice",
    (body) => body.input.push({ ...body.input[1] }, { ...body.input[2] }),
    /duplicate item found with id rs_1/,
  ],
  ["a phase of a user message", (body) => (body.input[0]!["phase"] = "commentary"), /only for assistant messages/],
  [
    "a part of the wrong role",
    (body) => (body.input[0]!["content"] = [{ type: "output_text", text: "x" }]),
    /must be one of \["input_text"/,
  ],
  ["blank output", (body) => (body.input[4]!["output"] = ""), /must not be blank/],
  ["too small an output limit", (body) => (body.max_output_tokens = 1), /at least 16/],
  [
    "a tool without strict",
    (body) => delete (body.tools[0] as Record<string, unknown>)["strict"],
    /strict: is required/,
  ],
  ["an open object in strict mode", (body) => (body.tools[0]!.strict = true), /must be false in strict mode/],
])("%s is refused", (_name, change, expected) => {
  const violations = checkOpenaiResponsesRequest(changed(good, change));
  expect(
    violations.some((violation) => expected.test(violation)),
    violations.join("\n"),
  ).toBe(true);
});

import { expect, test } from "vitest";
import { checkOpenaiCompletionsRequest } from "../../src/rules/openai-completions.ts";
import { changed, pngUrl } from "./bodies.ts";

const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: "{}" } });
const good = {
  model: "gpt",
  stream: true,
  stream_options: { include_usage: true },
  max_completion_tokens: 100,
  tools: [
    {
      type: "function",
      function: { name: "read", description: "Reads", parameters: { type: "object", properties: {} } },
    },
  ],
  tool_choice: "auto",
  messages: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        { type: "image_url", image_url: { url: pngUrl(2, 2) } },
      ],
    },
    { role: "assistant", content: null, tool_calls: [call("call_1"), call("call_2")] },
    { role: "tool", tool_call_id: "call_2", content: "two" },
    { role: "tool", tool_call_id: "call_1", content: "one" },
    { role: "user", content: "And?" },
  ] as Record<string, unknown>[],
};

test("a good body is accepted", () => {
  expect(checkOpenaiCompletionsRequest(good)).toEqual([]);
});

test.each<[string, (body: typeof good) => unknown, RegExp]>([
  ["no messages", (body) => (body.messages = []), /messages: must not be empty/],
  ["an unknown field", (body) => Object.assign(body, { max_output_tokens: 5 }), /extra fields/],
  [
    "an unknown field of a message",
    (body) => Object.assign(body.messages[2]!, { reasoning_content: "x" }),
    /messages\[2\]\.reasoning_content: extra fields/,
  ],
  ["a call without its result", (body) => body.messages.splice(3, 1), /without response messages: call_2/],
  [
    "a user message before the results",
    (body) => body.messages.splice(3, 0, { role: "user", content: "x" }),
    /without response messages: call_1, call_2/,
  ],
  ["a result without its call", (body) => body.messages.splice(2, 1), /must be a response to a preceding message/],
  [
    "two results of one call",
    (body) => Object.assign(body.messages[4]!, { tool_call_id: "call_2" }),
    /must be a response to a preceding message/,
  ],
  [
    "an overlong id",
    (body) => Object.assign((body.messages[2]!["tool_calls"] as object[])[0]!, { id: "x".repeat(41) }),
    /at most 40 characters/,
  ],
  [
    "arguments that are no object",
    (body) =>
      (body.messages[2]!["tool_calls"] = [
        { id: "call_1", type: "function", function: { name: "read", arguments: "[" } },
      ]),
    /text of a JSON object/,
  ],
  ["an empty list of calls", (body) => (body.messages[2]!["tool_calls"] = []), /tool_calls: is too short/],
  ["an answer with nothing in it", (body) => delete body.messages[2]!["tool_calls"], /needs content or tool_calls/],
  [
    "an image in a tool message",
    (body) => (body.messages[3]!["content"] = [{ type: "image_url", image_url: { url: pngUrl(1, 1) } }]),
    /must be one of \["text"\]/,
  ],
  ["blank text", (body) => (body.messages[5]!["content"] = " "), /must not be blank/],
  ["both output limits", (body) => Object.assign(body, { max_tokens: 5 }), /not permitted beside/],
  ["five stop sequences", (body) => Object.assign(body, { stop: ["a", "b", "c", "d", "e"] }), /1 to 4/],
  [
    "a tool choice without tools",
    (body) => delete (body as Partial<typeof good>).tools,
    /only permitted when tools are specified/,
  ],
  [
    "an open object in strict mode",
    (body) => Object.assign(body.tools[0]!.function, { strict: true }),
    /must be false in strict mode/,
  ],
  ["a long cache key", (body) => Object.assign(body, { prompt_cache_key: "x".repeat(65) }), /at most 64 characters/],
])("%s is refused", (_name, change, expected) => {
  const violations = checkOpenaiCompletionsRequest(changed(good, change));
  expect(
    violations.some((violation) => expected.test(violation)),
    violations.join("\n"),
  ).toBe(true);
});

test("what a compatible server takes is accepted where it is named", () => {
  const body = changed(good, (copy) => {
    Object.assign(copy.messages[2]!, { reasoning_content: "hm" });
    Object.assign(copy.messages[3]!, { name: "read" });
  });
  expect(checkOpenaiCompletionsRequest(body, { assistantFields: ["reasoning_content"], toolName: true })).toEqual([]);
  expect(checkOpenaiCompletionsRequest(good, { callId: /^[a-zA-Z0-9]{9}$/ }).length).toBe(2);
});

import { expect, test } from "vitest";
import { checkAnthropicMessagesRequest } from "../../src/rules/anthropic-messages.ts";
import { changed, png } from "./bodies.ts";

const good = {
  model: "claude",
  max_tokens: 4096,
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
  tools: [
    {
      name: "read",
      description: "Reads",
      input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  ],
  tool_choice: { type: "auto" },
  thinking: { type: "enabled", budget_tokens: 1024 },
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        { type: "image", source: { type: "base64", media_type: "image/png", data: png(2, 2) } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "c2ln" },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "." } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [{ type: "text", text: "a" }],
          cache_control: { type: "ephemeral" },
        },
        { type: "text", text: "And?" },
      ],
    },
  ],
};

test("a good body is accepted", () => {
  expect(checkAnthropicMessagesRequest(good)).toEqual([]);
});

const image = (data: string, type = "image/png") => ({
  type: "image",
  source: { type: "base64", media_type: type, data },
});

test.each<[string, (body: typeof good) => unknown, RegExp]>([
  ["no messages", (body) => (body.messages = []), /first message must use the user role/],
  ["an unknown field", (body) => Object.assign(body, { stop: [] }), /body\.stop: extra fields/],
  ["a first answer", (body) => body.messages.shift(), /first message must use the user role/],
  ["a last answer", (body) => body.messages.pop(), /must end with a user message/],
  ["blank text", (body) => Object.assign(body.messages[0]!.content[0]!, { text: " \n" }), /must not be blank/],
  ["an empty turn", (body) => Object.assign(body.messages[0]!, { content: [] }), /content: must not be empty/],
  ["a call without its result", (body) => body.messages[2]!.content.shift(), /needs exactly one tool_result/],
  [
    "a result without its call",
    (body) => Object.assign(body.messages[2]!.content[0]!, { tool_use_id: "toolu_2" }),
    /toolu_2 has no tool_use/,
  ],
  ["text before a result", (body) => body.messages[2]!.content.reverse(), /tool_result blocks come first/],
  [
    "text after a call",
    (body) => (body.messages[1]!.content as unknown[]).push({ type: "text", text: "x" }),
    /text between tool_use and its tool_result/,
  ],
  [
    "an id of the wrong form",
    (body) => Object.assign(body.messages[1]!.content[1]!, { id: "a|b" }),
    /content\[1\]\.id: must match/,
  ],
  ["a tool name of the wrong form", (body) => (body.tools[0]!.name = "a.b"), /tools\[0\]\.name/],
  [
    "thinking without a signature",
    (body) => Object.assign(body.messages[1]!.content[0]!, { signature: "" }),
    /invalid signature/,
  ],
  ["thinking on in a loop without it", (body) => body.messages[1]!.content.shift(), /expected thinking/],
  ["thinking off in a loop with it", (body) => Object.assign(body, { thinking: undefined }), /cannot contain thinking/],
  [
    "thinking disabled in a loop with it",
    (body) => Object.assign(body, { thinking: { type: "disabled" } }),
    /cannot contain thinking/,
  ],
  ["thinking at the end", (body) => body.messages[1]!.content.reverse(), /final block must not be thinking/],
  ["a budget over the limit", (body) => (body.max_tokens = 1024), /greater than thinking\.budget_tokens/],
  ["temperature with thinking", (body) => Object.assign(body, { temperature: 0 }), /temperature: may only be 1/],
  ["a forced tool with thinking", (body) => Object.assign(body, { tool_choice: { type: "any" } }), /a tool is forced/],
  [
    "a wrong image type",
    (body) => (body.messages[0]!.content[1] = image(png(2, 2), "image/jpeg")),
    /is image\/png, not image\/jpeg/,
  ],
  ["a huge image", (body) => (body.messages[0]!.content[1] = image(png(8001, 2))), /side of more than 8000/],
  [
    "large images among many",
    (body) => body.messages[0]!.content.push(...(Array.from({ length: 21 }, () => image(png(2001, 1))) as never[])),
    /more than 2000 pixels among many/,
  ],
  [
    "an image in a failed result",
    (body) => Object.assign(body.messages[2]!.content[0]!, { is_error: true, content: [image(png(2, 2))] }),
    /must be one of \["text"\]/,
  ],
  [
    "five cache marks",
    (body) => body.system.push(...Array.from({ length: 3 }, () => body.system[0]!)),
    /maximum of 4 blocks with cache_control/,
  ],
  [
    "a long mark after a short one",
    (body) => Object.assign(body.messages[2]!.content[0]!, { cache_control: { type: "ephemeral", ttl: "1h" } }),
    /1h cache_control must not come after/,
  ],
  [
    "a mark on thinking",
    (body) => Object.assign(body.messages[1]!.content[0]!, { cache_control: { type: "ephemeral" } }),
    /thinking cannot be marked/,
  ],
  [
    "a union at the root of a schema",
    (body) => Object.assign(body.tools[0]!.input_schema, { anyOf: [{}] }),
    /anyOf: is not permitted at the root/,
  ],
  ["half a surrogate pair", (body) => (body.system[0]!.text = "x\ud83d"), /half a surrogate pair/],
])("%s is refused", (_name, change, expected) => {
  const violations = checkAnthropicMessagesRequest(changed(good, change));
  expect(
    violations.some((violation) => expected.test(violation)),
    violations.join("\n"),
  ).toBe(true);
});

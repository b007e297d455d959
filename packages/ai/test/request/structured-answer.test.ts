// An answer by schema from servers that take none: over a real socket, from servers that enforce the rules of their API, it looks as it
// does where the schema is native.
import {
  encodeReply,
  type RecordedRequest,
  readRequest,
  type ScriptedBlock,
  type ScriptedReply,
  startReplayServer,
  strict,
} from "@rondo/test-fixtures";
import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { createModelLayer } from "../../src/stream.ts";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  Context,
  KnownApi,
  Quirks,
  SimpleStreamOptions,
} from "../../src/types.ts";
import { READ, user } from "../api/conversation.ts";
import { testModel } from "../api/decoding.ts";

const APIS: KnownApi[] = ["anthropic-messages", "openai-completions", "openai-responses", "google-generative-ai"];
const SCHEMA = Type.Object({ title: Type.String(), minutes: Type.Integer() });
const SOUP = { title: "Soupe à l'oignon", minutes: 25 };
const PATHS: Record<KnownApi, string> = {
  "anthropic-messages": "",
  "openai-completions": "/v1",
  "openai-responses": "/v1",
  "google-generative-ai": "/v1beta",
};
const BASE_QUIRKS: Quirks = { supportsResponseSchema: false, supportsLongCacheRetention: false };

interface Call {
  message: AssistantMessage;
  events: AssistantMessageEvent[];
  request: RecordedRequest;
}

/** One call to a strict server, which answers with the blocks that `reply` makes for the tools that it was offered. */
async function ask(
  api: KnownApi,
  reply: (tools: string[]) => ScriptedReply["content"],
  options: SimpleStreamOptions = {},
  {
    tools,
    quirks,
    cut,
    stopReason,
  }: { tools?: Context["tools"]; quirks?: Quirks; cut?: number; stopReason?: "length" } = {},
): Promise<Call> {
  const server = await startReplayServer(
    strict((request) => {
      const asked = readRequest(request.path, request.body);
      const content = reply((asked?.tools ?? []).map(({ name }) => name));
      const body = encodeReply(api, { content, ...(stopReason && { stopReason }) }, { model: "model-1" });
      return { body: cut === undefined ? body : body.slice(0, Math.floor(body.length * cut)) };
    }),
  );
  try {
    const model = testModel(api, { baseUrl: `${server.url}${PATHS[api]}`, quirks: { ...BASE_QUIRKS, ...quirks } });
    const context: Context = { messages: [user("A soup, please.")], ...(tools && { tools }) };
    const stream = createModelLayer({ env: {} }).streamSimple(model, context, {
      apiKey: "test-key-1234",
      responseSchema: { name: "recipe", schema: SCHEMA },
      ...options,
    });
    const events: AssistantMessageEvent[] = [];
    for await (const event of stream) events.push(event);
    return { message: await stream.result(), events, request: server.requests[0] as RecordedRequest };
  } finally {
    await server.close();
  }
}

const answerCall = (name: string, value: Record<string, unknown> = SOUP): ScriptedBlock => ({
  type: "toolCall",
  id: "call_1",
  name,
  arguments: value,
});
const textOf = ({ content }: AssistantMessage): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
const kindsOf = ({ content }: AssistantMessage): string[] => content.map(({ type }) => type);
const field = (request: RecordedRequest, name: string): unknown => (request.body as Record<string, unknown>)[name];
const callingOf = (request: RecordedRequest): unknown =>
  field(request, "tool_choice") ??
  (field(request, "toolConfig") as { functionCallingConfig?: unknown } | undefined)?.functionCallingConfig;

describe.each(APIS)("on %s", (api) => {
  test("the call of the hidden tool is the text of the answer, and no tool call", async () => {
    const { message, events, request } = await ask(api, ([name = ""]) => [answerCall(name)]);
    expect(message.errorMessage).toBeUndefined();
    expect(JSON.parse(textOf(message))).toEqual(SOUP);
    expect(kindsOf(message)).toEqual(["text"]);
    expect(message.stopReason).toBe("stop");
    expect(message.diagnostics).toEqual([
      {
        code: "option_changed",
        message:
          "The option responseSchema was changed: model-1 takes no schema, so it answers by calling a tool that has the schema.",
      },
    ]);
    const types = [...new Set(events.map(({ type }) => type))];
    expect(types).toEqual(["start", "text_start", "text_delta", "text_end", "done"]);
    expect(readRequest(request.path, request.body)?.tools.map(({ name }) => name)).toEqual(["recipe"]);
    const forced: Record<KnownApi, unknown> = {
      "anthropic-messages": { type: "tool", name: "recipe" },
      "openai-completions": { type: "function", function: { name: "recipe" } },
      "openai-responses": { type: "function", name: "recipe" },
      "google-generative-ai": { mode: "ANY", allowedFunctionNames: ["recipe"] },
    };
    expect(callingOf(request)).toEqual(forced[api]);
  });

  test("other tools still work, and one of them or the answer is required", async () => {
    const read: ScriptedBlock = { type: "toolCall", id: "call_1", name: "read", arguments: { path: "soup.md" } };
    const { message, request } = await ask(
      api,
      () => [{ type: "text", text: "I look it up." }, read],
      {},
      {
        tools: [READ],
      },
    );
    expect(kindsOf(message)).toEqual(["text", "toolCall"]);
    expect(textOf(message)).toBe("I look it up.");
    expect(message.stopReason).toBe("toolUse");
    const required: Record<KnownApi, unknown> = {
      "anthropic-messages": { type: "any" },
      "openai-completions": "required",
      "openai-responses": "required",
      "google-generative-ai": { mode: "ANY" },
    };
    expect(callingOf(request)).toEqual(required[api]);
  });

  test("what is said beside the answer is kept as thinking", async () => {
    const { message } = await ask(
      api,
      (names) => [{ type: "text", text: "Here it is." }, answerCall(names.at(-1) ?? "")],
      {},
      { tools: [READ] },
    );
    expect(kindsOf(message)).toEqual(["thinking", "text"]);
    expect(JSON.parse(textOf(message))).toEqual(SOUP);
    expect(message.stopReason).toBe("stop");
  });

  test("an answer in plain text stays text", async () => {
    const { message } = await ask(api, () => [{ type: "text", text: '{"title":"Soup","minutes":5}' }]);
    expect(kindsOf(message)).toEqual(["text"]);
    expect(textOf(message)).toBe('{"title":"Soup","minutes":5}');
  });

  test("a model that thinks is asked in words, since it cannot be forced", async () => {
    const { message, request } = await ask(
      api,
      ([name = ""]) => [{ type: "thinking", thinking: "Onions." }, answerCall(name)],
      { reasoning: "high" },
    );
    expect(message.errorMessage).toBeUndefined();
    expect(callingOf(request)).toBeUndefined();
    expect(readRequest(request.path, request.body)?.systemPrompt).toContain("by calling the tool recipe");
    expect(kindsOf(message)).toEqual(["thinking", "text"]);
    expect(JSON.parse(textOf(message))).toEqual(SOUP);
    expect(message.diagnostics?.map(({ code }) => code)).toEqual(["option_changed"]);
  });

  test("a model that cannot be forced to call a tool is asked in words as well", async () => {
    const { message, request } = await ask(
      api,
      ([name = ""]) => [answerCall(name)],
      {},
      { quirks: { supportsForcedToolChoice: false } },
    );
    expect(callingOf(request)).toBeUndefined();
    expect(readRequest(request.path, request.body)?.systemPrompt).toContain("by calling the tool recipe");
    expect(JSON.parse(textOf(message))).toEqual(SOUP);
  });

  test("a schema of no object is wrapped on its way and unwrapped again", async () => {
    const { message, request } = await ask(api, ([name = ""]) => [answerCall(name, { answer: ["leek", "salt"] })], {
      responseSchema: { schema: Type.Array(Type.String()) },
    });
    expect(message.errorMessage).toBeUndefined();
    expect(textOf(message)).toBe('["leek","salt"]');
    expect(readRequest(request.path, request.body)?.tools[0]?.name).toBe("final_answer");
  });

  test("an answer that was cut off keeps its beginning and is no answer", async () => {
    const { message } = await ask(api, ([name = ""]) => [answerCall(name)], {}, { cut: 0.6 });
    expect(message.stopReason).toBe("error");
    expect(message.error?.kind).toBe("truncated");
    expect(JSON.stringify(SOUP).startsWith(textOf(message))).toBe(true);
  });

  test("text that was held back is told when the call fails", async () => {
    const { message } = await ask(
      api,
      () => [{ type: "text", text: "Once upon a time there was a soup." }],
      {},
      {
        cut: 0.5,
      },
    );
    expect(message.error?.kind).toBe("truncated");
    expect("Once upon a time there was a soup.".startsWith(textOf(message))).toBe(true);
    if (api !== "google-generative-ai") expect(textOf(message)).not.toBe("");
  });

  test("the stop reason length stays", async () => {
    const { message } = await ask(api, ([name = ""]) => [answerCall(name)], {}, { stopReason: "length" });
    expect(message.stopReason).toBe("length");
  });

  test("only the first of several answers counts", async () => {
    const { message } = await ask(api, ([name = ""]) => [
      answerCall(name),
      { ...answerCall(name, { title: "Other", minutes: 1 }), id: "call_2" } as ScriptedBlock,
    ]);
    expect(JSON.parse(textOf(message))).toEqual(SOUP);
    expect(kindsOf(message)).toEqual(["text", "thinking"]);
  });

  test("a tool that the caller forces goes first", async () => {
    const read: ScriptedBlock = { type: "toolCall", id: "call_1", name: "read", arguments: { path: "soup.md" } };
    const { message, request } = await ask(api, () => [read], { toolChoice: { name: "read" } }, { tools: [READ] });
    expect(message.stopReason).toBe("toolUse");
    expect(JSON.stringify(callingOf(request))).toContain("read");
  });

  test("no other tool but the answer", async () => {
    const { request } = await ask(api, () => [answerCall("recipe")], { toolChoice: "none" }, { tools: [READ] });
    expect(JSON.stringify(callingOf(request))).toContain("recipe");
  });

  test("the name of a tool is not taken", async () => {
    const tools = [{ ...READ, name: "recipe" }];
    const { message, request } = await ask(api, (names) => [answerCall(names.at(-1) ?? "")], {}, { tools });
    expect(readRequest(request.path, request.body)?.tools.map(({ name }) => name)).toEqual(["recipe", "recipe_answer"]);
    expect(JSON.parse(textOf(message))).toEqual(SOUP);
  });

  test("a model without tools is shown the schema", async () => {
    const { message, request } = await ask(
      api,
      () => [{ type: "text", text: JSON.stringify(SOUP) }],
      {},
      {
        quirks: { supportsTools: false },
      },
    );
    expect(message.errorMessage).toBeUndefined();
    expect(JSON.parse(textOf(message))).toEqual(SOUP);
    expect(readRequest(request.path, request.body)?.systemPrompt).toContain('"minutes"');
    expect(message.diagnostics?.map(({ code }) => code)).toEqual(["option_changed"]);
    expect(callingOf(request)).toBeUndefined();
  });
});

test("a model that takes a schema, but none beside tools, gets the schema where there are no tools", async () => {
  const quirks: Quirks = { supportsResponseSchema: true, responseSchemaWithTools: false };
  const api = "google-generative-ai";
  const alone = await ask(api, () => [{ type: "text", text: JSON.stringify(SOUP) }], {}, { quirks });
  expect(JSON.stringify(alone.request.body)).toContain("responseJsonSchema");
  expect(alone.message.diagnostics).toBeUndefined();
  const beside = await ask(api, (names) => [answerCall(names.at(-1) ?? "")], {}, { quirks, tools: [READ] });
  expect(JSON.stringify(beside.request.body)).not.toContain("responseJsonSchema");
  expect(JSON.parse(textOf(beside.message))).toEqual(SOUP);
});

test.each([
  ["says nothing about thinking", {}, false],
  ["turns thinking off", { reasoning: "off" }, true],
] as const)("a model that thinks by itself is forced only by who %s", async (_who, options, isForced) => {
  const quirks: Quirks = { thinkingFormat: "qwen" };
  // The switch for thinking is Qwen's own, which the strict server of OpenAI does not know.
  const extraBody = { enable_thinking: undefined };
  const api = "openai-completions";
  const { message, request } = await ask(
    api,
    ([name = ""]) => [answerCall(name)],
    { ...options, extraBody },
    { quirks },
  );
  expect(JSON.parse(textOf(message))).toEqual(SOUP);
  expect(callingOf(request) !== undefined).toBe(isForced);
});

test("a server without a tool choice is asked in words", async () => {
  const api = "openai-completions";
  const { message, request } = await ask(
    api,
    ([name = ""]) => [answerCall(name)],
    {},
    {
      quirks: { supportsToolChoice: false },
    },
  );
  expect(callingOf(request)).toBeUndefined();
  expect(readRequest(request.path, request.body)?.systemPrompt).toContain("by calling the tool recipe");
  expect(JSON.parse(textOf(message))).toEqual(SOUP);
});

test("the models that take no schema beside tools are those of Gemini 2", async () => {
  const { getModel } = await import("../../src/models/catalog.ts");
  const besideTools = (id: string): boolean | undefined => getModel("google", id).quirks?.responseSchemaWithTools;
  expect(["gemini-2.5-pro", "gemini-2.5-flash", "gemini-3.5-flash"].map(besideTools)).toEqual([
    false,
    false,
    undefined,
  ]);
});

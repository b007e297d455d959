import {
  pngOfSize,
  type ReplayServer,
  replayScript,
  type ScriptedReply,
  startReplayServer,
  strict,
  type WireRequest,
} from "@rondo/test-fixtures";
import { Type } from "@sinclair/typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createModelLayer } from "../../src/stream.ts";
import type { AssistantMessage, Message, Model, Tool } from "../../src/types.ts";
import { modelOf } from "./targets.ts";

const layer = createModelLayer({ env: {} });
const weather: Tool = {
  name: "weather.now",
  description: "Tells the weather",
  parameters: Type.Object({ city: Type.String() }),
};
const cities = ["Oslo", "Lima", "Kyoto", "Accra", "Quito"];

/** Every model of this story thinks, asks the tool about the city that it was asked about, and tells what it heard. */
function script({ messages }: WireRequest): ScriptedReply {
  const last = messages.at(-1);
  if (last?.role === "toolResult") {
    return {
      content: [
        { type: "thinking", thinking: "Now I know.", signature: "c2lnbmF0dXJl" },
        { type: "text", text: `They say: ${last.text}` },
      ],
    };
  }
  const city = cities.findLast((name) => last?.text.includes(name)) ?? "nowhere";
  return {
    content: [
      { type: "thinking", thinking: `I should ask about ${city}.`, signature: "c2lnbmF0dXJl" },
      { type: "text", text: "Let me look." },
      // The same id in every turn, as some servers do.
      { type: "toolCall", id: "call_1", name: "weather_now", arguments: { city } },
    ],
  };
}

let server: ReplayServer;
beforeAll(async () => {
  server = await startReplayServer(strict(replayScript(script)));
});
afterAll(() => server.close());

const served = (api: string, provider: string, model: string, overrides: Partial<Model> = {}): Model =>
  modelOf({ api, provider, model }, { baseUrl: `${server.url}${api.startsWith("openai") ? "/v1" : ""}`, ...overrides });

test("a conversation moves from model to model, thinking and calling tools all the way, and no server refuses it", async () => {
  const claude = served("anthropic-messages", "anthropic", "claude");
  const gpt = served("openai-responses", "openai", "gpt");
  const gemini = served("google-generative-ai", "google", "gemini");
  const llama = served("openai-completions", "llama.cpp", "llama", { input: ["text"], quirks: { keyless: true } });
  const history: Message[] = [];

  for (const [turn, model] of [claude, gpt, gemini, llama, claude].entries()) {
    const city = cities[turn] as string;
    history.push({ role: "user", content: `How is the weather in ${city}?`, timestamp: turn });

    const asking = await ask(model, history);
    expect(asking).toMatchObject({ stopReason: "toolUse", provider: model.provider });
    history.push(asking);
    for (const call of asking.content) {
      if (call.type !== "toolCall") continue;
      expect(call).toMatchObject({ name: "weather.now", arguments: { city } });
      history.push({
        role: "toolResult",
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: "text", text: `fine in ${city}` }],
        isError: false,
        timestamp: turn,
      });
    }

    const telling = await ask(model, history);
    expect(telling.content.at(-1)).toMatchObject({ type: "text", text: `They say: fine in ${city}` });
    history.push(telling);
  }

  expect(server.requests.length).toBe(10);
  expect(history.map(({ role }) => role)).toEqual(
    cities.flatMap(() => ["user", "assistant", "toolResult", "assistant"]),
  );
  expect(JSON.parse(JSON.stringify(history))).toEqual(history);
});

async function ask(model: Model, messages: Message[]): Promise<AssistantMessage> {
  const message = await layer.completeSimple(model, { systemPrompt: "Be brief.", messages, tools: [weather] }, {
    apiKey: "test",
    reasoning: "high",
  } as object);
  expect(message.errorMessage).toBeUndefined();
  return message;
}

test("a system prompt among the messages is left out, and the caller is told where it belongs", async () => {
  const llama = served("openai-completions", "llama.cpp", "llama", { quirks: { keyless: true } });
  const system = { role: "system", content: "Be long.", timestamp: 0 } as unknown as Message;
  const message = await ask(llama, [system, { role: "user", content: "Is it warm in Oslo?", timestamp: 1 }]);
  expect(message.diagnostics).toEqual([
    {
      code: "message_left_out",
      message:
        "A message with the role system was left out: the system prompt stands in the context's systemPrompt, not among the messages.",
    },
  ]);
});

test("a model that reads text only is told of an image, and so is the caller", async () => {
  const llama = served("openai-completions", "llama.cpp", "llama", { input: ["text"], quirks: { keyless: true } });
  const image = { type: "image" as const, data: pngOfSize(2, 2), mimeType: "image/png" };
  const content = [{ type: "text" as const, text: "What is this, in Oslo?" }, image, image];
  const message = await ask(llama, [{ role: "user", content, timestamp: 1 }]);
  expect(message.diagnostics).toContainEqual({
    code: "image_replaced",
    message: "An image was replaced by a note: this model takes no images. (2 times)",
  });
  expect(server.requests.at(-1)?.text).toContain("[2 images omitted: this model takes no images]");
});

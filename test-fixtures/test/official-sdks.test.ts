// The official SDKs read what the replay server sends, so the wire is the one that real servers speak.
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type Part } from "@google/genai";
import {
  type ReplayServer,
  replayScript,
  type ScriptedReply,
  startReplayServer,
  type WireMessage,
  type WireRequest,
} from "@rondo/test-fixtures";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";

const REPLY: ScriptedReply = {
  content: [
    { type: "thinking", thinking: "Two files matter here.", signature: "c2lnbmF0dXJl" },
    { type: "text", text: "Ich sehe nach — 見る 🎼." },
    { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a b.txt" } },
    { type: "toolCall", id: "call_2", name: "ls", arguments: {} },
  ],
  usage: { input: 40, output: 20, cacheRead: 8, reasoning: 5 },
};
const PARAMETERS = { type: "object", properties: { path: { type: "string" } } } as const;
const TOOLS = [{ name: "read", description: "Reads a file.", parameters: PARAMETERS }];
/** What each test below says to its API, as every reader should see it. */
const MESSAGES: WireMessage[] = [
  { role: "user", text: "Look around." },
  { role: "assistant", text: "Looking.", toolCalls: [{ id: "call_0", name: "ls", arguments: { path: "." } }] },
  { role: "toolResult", toolCallId: "call_0", toolName: "ls", text: "a b.txt", isError: false },
  { role: "user", text: "Go on." },
];

let server: ReplayServer;
let seen: WireRequest[];
async function start(): Promise<string> {
  seen = [];
  const script = (request: WireRequest) => {
    seen.push(request);
    return REPLY;
  };
  server = await startReplayServer(replayScript(script), { chunks: 7 });
  return server.url;
}
afterEach(() => server.close());

describe("the official SDK reads a scripted reply, and the reader reads the SDK's request", () => {
  test("Anthropic Messages", async () => {
    const client = new Anthropic({ apiKey: "k", baseURL: await start(), maxRetries: 0 });
    const message = await client.messages
      .stream({
        model: "claude-x",
        max_tokens: 100,
        system: "Be brief.",
        tools: [{ name: "read", description: "Reads a file.", input_schema: PARAMETERS }],
        messages: [
          { role: "user", content: "Look around." },
          {
            role: "assistant",
            content: [
              { type: "text", text: "Looking." },
              { type: "tool_use", id: "call_0", name: "ls", input: { path: "." } },
            ],
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "call_0", content: "a b.txt" },
              { type: "text", text: "Go on." },
            ],
          },
        ],
      })
      .finalMessage();
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "Two files matter here.", signature: "c2lnbmF0dXJl" },
      { type: "text", text: "Ich sehe nach — 見る 🎼." },
      { type: "tool_use", id: "call_1", name: "read", input: { path: "a b.txt" } },
      { type: "tool_use", id: "call_2", name: "ls", input: {} },
    ]);
    expect(message.stop_reason).toBe("tool_use");
    expect(message.usage).toMatchObject({ input_tokens: 40, output_tokens: 20, cache_read_input_tokens: 8 });
    expect(seen).toEqual([
      { api: "anthropic-messages", model: "claude-x", systemPrompt: "Be brief.", messages: MESSAGES, tools: TOOLS },
    ]);
  });

  test("OpenAI Chat Completions", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: `${await start()}/v1`, maxRetries: 0 });
    const completion = await client.chat.completions
      .stream({
        model: "gpt-x",
        tools: [{ type: "function", function: { name: "read", description: "Reads a file.", parameters: PARAMETERS } }],
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Look around." },
          {
            role: "assistant",
            content: "Looking.",
            tool_calls: [{ id: "call_0", type: "function", function: { name: "ls", arguments: '{"path":"."}' } }],
          },
          { role: "tool", tool_call_id: "call_0", content: "a b.txt" },
          { role: "user", content: "Go on." },
        ],
      })
      .finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "Ich sehe nach — 見る 🎼.",
        tool_calls: [
          { id: "call_1", function: { name: "read", arguments: '{"path":"a b.txt"}' } },
          { id: "call_2", function: { name: "ls", arguments: "{}" } },
        ],
      },
    });
    expect(completion.usage).toMatchObject({ prompt_tokens: 48, completion_tokens: 20, total_tokens: 68 });
    expect(seen).toEqual([
      { api: "openai-completions", model: "gpt-x", systemPrompt: "Be brief.", messages: MESSAGES, tools: TOOLS },
    ]);
  });

  test("OpenAI Responses", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: `${await start()}/v1`, maxRetries: 0 });
    const response = await client.responses
      .stream({
        model: "gpt-x",
        instructions: "Be brief.",
        tools: [
          { type: "function", name: "read", description: "Reads a file.", parameters: PARAMETERS, strict: false },
        ],
        input: [
          { role: "user", content: "Look around." },
          { role: "assistant", content: "Looking." },
          { type: "function_call", call_id: "call_0", name: "ls", arguments: '{"path":"."}' },
          { type: "function_call_output", call_id: "call_0", output: "a b.txt" },
          { role: "user", content: "Go on." },
        ],
      })
      .finalResponse();
    expect(response.output).toMatchObject([
      { type: "reasoning", summary: [{ text: "Two files matter here." }], encrypted_content: "c2lnbmF0dXJl" },
      { type: "message", content: [{ type: "output_text", text: "Ich sehe nach — 見る 🎼." }] },
      { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"a b.txt"}' },
      { type: "function_call", call_id: "call_2", name: "ls", arguments: "{}" },
    ]);
    expect(response.usage).toMatchObject({ input_tokens: 48, output_tokens: 20, total_tokens: 68 });
    expect(seen).toEqual([
      { api: "openai-responses", model: "gpt-x", systemPrompt: "Be brief.", messages: MESSAGES, tools: TOOLS },
    ]);
  });

  test("Google Generative AI", async () => {
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: await start() } });
    const stream = await client.models.generateContentStream({
      model: "gemini-x",
      config: {
        systemInstruction: "Be brief.",
        tools: [
          {
            functionDeclarations: [{ name: "read", description: "Reads a file.", parametersJsonSchema: PARAMETERS }],
          },
        ],
      },
      contents: [
        { role: "user", parts: [{ text: "Look around." }] },
        {
          role: "model",
          parts: [{ text: "Looking." }, { functionCall: { id: "call_0", name: "ls", args: { path: "." } } }],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "call_0", name: "ls", response: { output: "a b.txt" } } },
            { text: "Go on." },
          ],
        },
      ],
    });
    const parts: Part[] = [];
    for await (const chunk of stream) parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    const join = (thought: boolean) =>
      parts
        .filter((part) => (part.thought ?? false) === thought)
        .map((part) => part.text ?? "")
        .join("");
    expect(join(true)).toBe("Two files matter here.");
    expect(join(false)).toBe("Ich sehe nach — 見る 🎼.");
    expect(parts.flatMap((part) => part.functionCall ?? [])).toEqual([
      { id: "call_1", name: "read", args: { path: "a b.txt" } },
      { id: "call_2", name: "ls", args: {} },
    ]);
    expect(seen).toEqual([
      { api: "google-generative-ai", model: "gemini-x", systemPrompt: "Be brief.", messages: MESSAGES, tools: TOOLS },
    ]);
  });
});

// docs/options.md lists the codes of diagnostics. Here each of them comes about.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Agent } from "../../packages/agent/src/index.ts";
import {
  type AssistantMessage,
  type Context,
  complete,
  type Diagnostic,
  getModel,
  type Model,
  type StreamOptions,
  streamSimple,
  Type,
  withHistoryRecovery,
} from "../../packages/ai/src/index.ts";
import { scriptedModel } from "../../packages/ai/src/testing/index.ts";
import { pngOfSize, replayInOrder, startReplayServer } from "../../test-fixtures/src/index.ts";
import { ROOT } from "./docs-markdown.ts";

const CLAUDE = getModel("anthropic", "claude-sonnet-4-5");
const GPT = getModel("openai", "gpt-5.1");
const hello = { role: "user" as const, content: "Hello", timestamp: 0 };
const refuse: typeof fetch = async () => new Response("{}", { status: 400 });

async function told(model: Model, context: Partial<Context>, options: StreamOptions = {}): Promise<Diagnostic[]> {
  const whole = { messages: [hello], ...context };
  return (await complete(model, whole, { ...options, apiKey: "none-needed", fetch: refuse })).diagnostics ?? [];
}

const clock = { name: "clock", description: "Tells the time", parameters: Type.Object({}) };

async function afterRecovery(): Promise<Diagnostic[]> {
  const refusal = { error: { type: "invalid_request_error", message: "Invalid signature in thinking block" } };
  const server = await startReplayServer(
    replayInOrder([
      { status: 400, body: JSON.stringify(refusal) },
      { body: readFileSync(join(ROOT, "test-fixtures/wire/anthropic-messages/text.sse")) },
    ]),
  );
  const model = { ...CLAUDE, baseUrl: server.url };
  const thought: AssistantMessage = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm.", thinkingSignature: "c2ln" },
      { type: "text", text: "Hello." },
    ],
    api: CLAUDE.api,
    provider: CLAUDE.provider,
    model: CLAUDE.id,
    usage: { cost: {} },
    stopReason: "stop",
    timestamp: 0,
  };
  const message = await withHistoryRecovery(streamSimple)(model, { messages: [hello, thought, hello] }).result();
  await server.close();
  return message.diagnostics ?? [];
}

async function afterRun(): Promise<Diagnostic[]> {
  const script = scriptedModel(["Hello."]);
  const budget = { costMax: 1, unknownCost: "warn" as const };
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model }, budget });
  const told: Diagnostic[] = [];
  agent.subscribe((event) => {
    if (event.type === "agent_end") told.push(...(event.diagnostics ?? []));
  });
  await agent.prompt("Hello");
  return told;
}

/** How each code comes about, in the order of the page. */
const CASES: Record<string, () => Promise<Diagnostic[]>> = {
  option_ignored: () => told(GPT, {}, { stopSequences: ["END"] }),
  option_changed: () => told(CLAUDE, {}, { temperature: 1.5 }),
  schema_weakened: () =>
    told(getModel("google", "gemini-2.5-pro"), {
      tools: [{ ...clock, parameters: Type.Unsafe({ type: "object", not: { required: ["zone"] } }) }],
    }),
  tool_left_out: () => told(CLAUDE, { tools: [clock, clock] }),
  content_left_out: async () => {
    const chunk = {
      choices: [{ delta: { content: "Here.", images: [{ image_url: { url: "data:," } }] }, finish_reason: "stop" }],
    };
    const draw: typeof fetch = async () => new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    const model = getModel("openai-chat", "gpt-5.1");
    return (await complete(model, { messages: [hello] }, { apiKey: "none-needed", fetch: draw })).diagnostics ?? [];
  },
  message_left_out: () => told(CLAUDE, { messages: [{ role: "system", content: "Be brief." } as never, hello] }),
  image_replaced: () => {
    const content = [{ type: "image" as const, data: pngOfSize(2, 2), mimeType: "image/png" }];
    return told({ ...CLAUDE, input: ["text"] }, { messages: [{ ...hello, content }] });
  },
  history_reduced: afterRecovery,
  cost_unknown: afterRun,
};

test.each(Object.entries(CASES))("%s comes about", async (code, happen) => {
  expect((await happen()).map((diagnostic) => diagnostic.code)).toEqual([code]);
});

test("docs/options.md has a row for each of them, and no other", () => {
  const section = readFileSync(join(ROOT, "docs/options.md"), "utf8").split("## Diagnostics")[1]?.split("\n## ")[0];
  const rows = [...(section ?? "").matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]);
  expect(rows).toEqual(Object.keys(CASES));
});

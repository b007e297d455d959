import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Context, createCassette, readCassette, Type, withRecording, withReplay, writeCassette } from "@rondo/ai";
import { checkEventGrammar, scriptedModel } from "@rondo/ai/testing";
import { describe, expect, it } from "vitest";
import { collect } from "./collect.ts";

const user = (content: string, timestamp = 0) => ({ role: "user" as const, content, timestamp });
const context: Context = {
  systemPrompt: "Be brief.",
  messages: [user("What is in the folder?")],
  tools: [{ name: "ls", description: "Lists a folder", parameters: Type.Object({ path: Type.String() }) }],
};
const answer = [
  { type: "thinking", thinking: "I should look.", thinkingSignature: "c2ln" },
  { type: "text", text: "Looking." },
  { type: "toolCall", id: "call_1", name: "ls", arguments: { path: "." } },
] as const;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("withRecording and withReplay", () => {
  it("play a call again with the same events and the same message, without the model", async () => {
    const script = scriptedModel([[...answer]]);
    const cassette = createCassette();
    const live = await collect(withRecording(script.streamFn, cassette)(script.model, context));
    const again = await collect(withReplay(cassette)(script.model, context));
    expect(again.message).toEqual(live.message);
    const withoutPartial = (events: typeof live.events) => plain(events.map((event) => ({ ...event, partial: null })));
    expect(withoutPartial(again.events)).toEqual(withoutPartial(live.events));
    expect(checkEventGrammar(again.events)).toEqual([]);
    expect(plain(cassette)).toEqual(cassette);
  });

  it("play a failure as a failure", async () => {
    const script = scriptedModel([
      { error: { kind: "overloaded", retryable: true }, content: [{ type: "text", text: "Ha" }] },
    ]);
    const cassette = createCassette();
    const live = await collect(withRecording(script.streamFn, cassette)(script.model, context));
    const again = await collect(withReplay(cassette)(script.model, context));
    expect([again.message, again.events.length]).toEqual([live.message, live.events.length]);
    expect(checkEventGrammar(again.events)).toEqual([]);
  });

  it("know a request by its meaning: times, the order of keys and the key do not count", async () => {
    const script = scriptedModel(["Hi"]);
    const cassette = createCassette();
    await collect(
      withRecording(script.streamFn, cassette)(script.model, context, {
        apiKey: "one-key-0001",
        temperature: 0,
        maxTokens: 9,
      }),
    );
    const same: Context = {
      tools: [{ parameters: Type.Object({ path: Type.String() }), name: "ls", description: "Lists a folder" }],
      messages: [{ timestamp: 99, content: [{ text: "What is in the folder?", type: "text" }], role: "user" }],
      systemPrompt: "Be brief.",
    };
    const options = { maxTokens: 9, temperature: 0, apiKey: "another-key-0002", idleTimeoutMs: 5 };
    const { message } = await collect(withReplay(cassette)(script.model, same, options));
    expect(message.content).toEqual([{ type: "text", text: "Hi" }]);
  });

  it("refuse a request that was not recorded and name the nearest", async () => {
    const script = scriptedModel(["Hi", "Ho"]);
    const cassette = createCassette();
    const record = withRecording(script.streamFn, cassette);
    await collect(record(script.model, { messages: [user("something else"), user("altogether")] }));
    await collect(record(script.model, context));
    const asked = { ...context, messages: [user("What is in the cellar?")] };
    const { events, message } = await collect(withReplay(cassette)(script.model, asked));
    expect(events.length).toBe(1);
    expect(message.error).toEqual({ kind: "invalid_request", retryable: false, code: "no_recording" });
    expect(message.errorMessage).toBe(
      'The request is not on the cassette. The nearest of its 2 recordings, number 2, differs at messages[0].content[0].text: recorded "What is in the folder?", asked "What is in the cellar?". Record the calls again if that is meant.',
    );
  });

  it("play recordings of one request in their order, and the last one again", async () => {
    const script = scriptedModel(["first", "second"]);
    const cassette = createCassette();
    const record = withRecording(script.streamFn, cassette);
    for (let count = 0; count < 2; count++) await collect(record(script.model, context));
    const replay = withReplay(cassette);
    const texts: unknown[] = [];
    for (let count = 0; count < 3; count++) texts.push((await collect(replay(script.model, context))).message.content);
    expect(texts).toEqual(["first", "second", "second"].map((text) => [{ type: "text", text }]));
  });

  it("keep no key, wherever it stands", async () => {
    const apiKey = "Rondo.secret/key+0123456789";
    const script = scriptedModel([
      { content: [{ type: "text", text: `Your key is ${apiKey}.` }] },
      { error: { kind: "auth", retryable: false, providerMessage: apiKey }, errorMessage: `Wrong key ${apiKey}` },
    ]);
    const cassette = createCassette();
    const record = withRecording(script.streamFn, cassette);
    const options = {
      apiKey,
      headers: { authorization: "Bearer other-secret-1" },
      env: { OPENAI_API_KEY: "env-secret-123" },
    };
    const telling = { messages: [user(`my key is ${apiKey}, and ${"sk-ant-"}madeup0123456789`)] };
    for (let count = 0; count < 2; count++) await collect(record(script.model, telling, options));
    expect(cassette.recordings.length).toBe(2);
    expect(JSON.stringify(cassette)).not.toMatch(/Rondo\.secret|other-secret|env-secret|sk-ant-/);
  });

  it("do not record what was aborted", async () => {
    const script = scriptedModel([{ hang: true, content: [{ type: "text", text: "Ha" }] }]);
    const cassette = createCassette();
    for await (const event of withRecording(script.streamFn, cassette)(script.model, context))
      if (event.type === "text_end") break;
    expect(cassette.recordings).toEqual([]);
  });
});

describe("a cassette in a file", () => {
  it("is written whole, beside nothing else, and read as it was", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rondo-cassette-"));
    const path = join(folder, "calls.json");
    const script = scriptedModel(["Hi"]);
    const cassette = createCassette();
    await collect(withRecording(script.streamFn, cassette)(script.model, context));
    await Promise.all([writeCassette(path, cassette), writeCassette(path, cassette)]);
    expect(await readdir(folder)).toEqual(["calls.json"]);
    expect(await readCassette(path)).toEqual(cassette);
    expect((await readFile(path, "utf8")).endsWith("}\n")).toBe(true);
    await rm(folder, { recursive: true });
  });

  it("leaves nothing behind when it cannot be written", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rondo-cassette-"));
    await expect(writeCassette(join(folder, "missing", "calls.json"), createCassette())).rejects.toThrow("ENOENT");
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it("that is none is refused by name", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rondo-cassette-"));
    const path = join(folder, "calls.json");
    await writeFile(path, "{");
    await expect(readCassette(path)).rejects.toThrow(`The cassette ${path} is not JSON.`);
    await writeFile(path, '{"version":2}');
    await expect(readCassette(path)).rejects.toThrow(`The file ${path} is no cassette of version 1.`);
    await rm(folder, { recursive: true });
  });
});

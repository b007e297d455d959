import { type AssistantMessageEvent, AssistantMessageEventStream, MessageBuilder, type Model } from "@rondo/ai";
import { checkEventGrammar } from "@rondo/ai/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const SEED = 20261130;
const model: Model = {
  id: "m",
  name: "m",
  api: "a",
  provider: "p",
  baseUrl: "",
  reasoning: true,
  input: ["text"],
  cost: { input: 1, output: 2 },
};

function start(used: string[] = []) {
  const stream = new AssistantMessageEventStream();
  let made = 0;
  const builder = new MessageBuilder(stream, {
    model,
    usedToolCallIds: () => new Set(used),
    newToolCallId: () => `made_${++made}`,
    now: () => 5,
  });
  const events = async (): Promise<AssistantMessageEvent[]> => {
    const all: AssistantMessageEvent[] = [];
    for await (const event of stream) all.push(event);
    return all;
  };
  return { builder, stream, events };
}

const bare = (events: AssistantMessageEvent[]): unknown[] =>
  events.map((event) => {
    if (event.type === "done" || event.type === "error") return [event.type, event.reason];
    const { type, partial: _partial, ...rest } = event;
    return [type, ...Object.values(rest)];
  });

describe("MessageBuilder", () => {
  it("numbers blocks by their start, lets them overlap, and ends what is open before done", async () => {
    const { builder, events } = start();
    const text = builder.openText();
    const call = builder.openToolCall("c1", "read");
    text.append("Hel");
    call.append('{"a":');
    text.append("lo");
    call.append("1}");
    builder.finish("toolUse", "tool_use");
    const all = await events();
    const whole = { type: "toolCall", id: "c1", name: "read", arguments: { a: 1 } };
    expect(bare(all)).toEqual([
      ["start"],
      ["text_start", 0],
      ["toolcall_start", 1],
      ["text_delta", 0, "Hel"],
      ["toolcall_delta", 1, '{"a":'],
      ["text_delta", 0, "lo"],
      ["toolcall_delta", 1, "1}"],
      ["text_end", 0, "Hello"],
      ["toolcall_end", 1, whole],
      ["done", "toolUse"],
    ]);
    expect(checkEventGrammar(all)).toEqual([]);
    expect(builder.message).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "Hello" }, whole],
      api: "a",
      provider: "p",
      model: "m",
      usage: { cost: {} },
      stopReason: "toolUse",
      rawStopReason: "tool_use",
      timestamp: 5,
    });
  });

  it("lets content decide where the stop reason contradicts it", () => {
    const stops: string[] = [];
    for (const [reason, hasCall] of [
      ["stop", true],
      ["toolUse", false],
      ["length", true],
      ["stop", false],
    ] as const) {
      const { builder } = start();
      if (hasCall) builder.openToolCall("c", "read").end("{}");
      builder.finish(reason);
      stops.push(builder.message.stopReason);
    }
    expect(stops).toEqual(["toolUse", "stop", "length", "stop"]);
  });

  it("gives a call that has none an id and a name, and makes ids unique in the conversation", () => {
    const { builder } = start(["c1", "c1_2"]);
    builder.openToolCall().end("{}");
    builder.openToolCall("c1", "read").end("{}");
    builder.openToolCall("c1", "read").end("{}");
    builder.finish("toolUse");
    expect(builder.message.content.map((block) => block.type === "toolCall" && [block.id, block.name])).toEqual([
      ["made_1", "unknown_tool"],
      ["c1_3", "read"],
      ["c1_4", "read"],
    ]);
  });

  it("keeps the first id and name that are not empty, whenever they come", async () => {
    const { builder, events } = start();
    const call = builder.openToolCall("", undefined);
    call.append('{"a":');
    call.identify("c1", "read");
    call.identify("c2", "write");
    call.append("1}");
    call.end();
    builder.finish("toolUse");
    expect(builder.message.content).toEqual([{ type: "toolCall", id: "c1", name: "read", arguments: { a: 1 } }]);
    expect(checkEventGrammar(await events())).toEqual([]);
  });

  it("reads arguments strictly at the end: only a whole object can be run", () => {
    const rows: [raw: string, args: object, malformed?: string][] = [
      ["", {}],
      ["  ", {}],
      ["{}", {}],
      ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
      ['{"command":"rm -rf /srv/da', {}, '{"command":"rm -rf /srv/da'],
      ["null", {}, "null"],
      ["[]", {}, "[]"],
      ['"x"', {}, '"x"'],
      ["3", {}, "3"],
      ['{"a":1}{"b":2}', {}, '{"a":1}{"b":2}'],
      ['{"a":1e999}', {}, '{"a":1e999}'],
    ];
    for (const [raw, args, malformed] of rows) {
      const { builder } = start();
      const call = builder.openToolCall("c", "t");
      call.append(raw);
      call.end();
      builder.finish("toolUse");
      expect(builder.message.content).toEqual([
        {
          type: "toolCall",
          id: "c",
          name: "t",
          arguments: args,
          ...(malformed !== undefined && { malformedArguments: malformed }),
        },
      ]);
    }
  });

  it("takes whole arguments at the end: the missing rest becomes a delta, a contradiction wins", async () => {
    const { builder, events } = start();
    const [none, part, all, other] = ["a", "b", "c", "d"].map((id) => builder.openToolCall(id, "t"));
    part?.append('{"p"');
    all?.append('{"p":1}');
    other?.append('{"q":0');
    for (const call of [none, part, all, other]) call?.end('{"p":1}');
    builder.finish("toolUse");
    const deltas = bare(await events()).filter((event) => (event as string[])[0] === "toolcall_delta");
    expect(deltas.map((event) => (event as unknown[]).slice(1))).toEqual([
      [1, '{"p"'],
      [2, '{"p":1}'],
      [3, '{"q":0'],
      [0, '{"p":1}'],
      [1, ":1}"],
    ]);
    for (const block of builder.message.content) expect(block).toMatchObject({ arguments: { p: 1 } });
  });

  it("takes whole arguments as a value, which are what their text says", async () => {
    const { builder, events } = start();
    const values = [
      { p: [1] },
      { zero: -0 },
      { huge: JSON.parse("1e999") },
      [],
      null,
      JSON.parse('{"__proto__":{"p":1}}'),
    ];
    for (const [index, value] of values.entries()) builder.openToolCall(`c${index}`, "t").end(value);
    builder.finish("toolUse");
    const deltas = bare(await events()).filter((event) => (event as string[])[0] === "toolcall_delta");
    const texts = deltas.map((event) => (event as string[])[2]);
    expect(texts).toEqual(['{"p":[1]}', '{"zero":0}', '{"huge":null}', "[]", '{"__proto__":{"p":1}}']);
    const found = builder.message.content.map((block) => block.type === "toolCall" && block.arguments);
    expect(found).toEqual([{ p: [1] }, { zero: 0 }, { huge: null }, {}, {}, JSON.parse(texts[4] ?? "")]);
    expect(builder.message.content[3]).toMatchObject({ malformedArguments: "[]" });
  });

  it("holds nothing of a value that JSON could not say", () => {
    const { builder } = start();
    class Place {
      x = 1;
    }
    const holes: unknown[] = [];
    holes[2] = 3;
    const named = Object.assign([1], { more: 2 });
    const values = [
      { a: undefined },
      { a: holes },
      { a: named },
      { a: new Date(0) },
      { a: new Place() },
      { a: () => 1 },
    ];
    for (const value of values) builder.openToolCall("c", "t").end(value);
    builder.finish("toolUse");
    const found = builder.message.content.map((block) => block.type === "toolCall" && block.arguments);
    expect(found).toStrictEqual([
      {},
      { a: [null, null, 3] },
      { a: [1] },
      { a: "1970-01-01T00:00:00.000Z" },
      { a: { x: 1 } },
      {},
    ]);
  });

  it("marks calls that are open when the stream fails, and keeps the rest", async () => {
    const { builder, events } = start();
    builder.appendText("Looking.");
    builder.openToolCall("c1", "read").end('{"p":1}');
    builder.openToolCall("c2", "bash").append('{"command":"ls"}');
    builder.fail({ kind: "network", retryable: true }, "The connection broke.");
    expect(builder.message.content).toEqual([
      { type: "text", text: "Looking." },
      { type: "toolCall", id: "c1", name: "read", arguments: { p: 1 } },
      { type: "toolCall", id: "c2", name: "bash", arguments: {}, malformedArguments: '{"command":"ls"}' },
    ]);
    expect(checkEventGrammar(await events())).toEqual([]);
  });

  it("refuses what is no text, and adds nothing of it", () => {
    const { builder } = start();
    for (const value of [5, {}, ["x"], true]) {
      expect(() => builder.openText().append(value as never)).toThrow(TypeError);
      expect(() => builder.openThinking().append(value as never)).toThrow(TypeError);
      expect(() => builder.openToolCall("c", "t").append(value as never)).toThrow(TypeError);
    }
    expect(JSON.stringify(builder.message.content)).not.toMatch(/object Object|true|5/);
  });

  it("takes counts that are numbers, keeps earlier ones, and prices them", () => {
    const { builder } = start();
    builder.usage({ input: 1_000_000, cacheRead: 10 });
    builder.usage({ output: 500_000, input: undefined as never, reasoning: Number.NaN, cacheWrite: -3 });
    expect(builder.message.usage).toEqual({
      input: 1_000_000,
      cacheRead: 10,
      output: 500_000,
      cacheWrite: 0,
      totalTokens: 1_500_010,
      cost: { input: 1, output: 1, cacheWrite: 0 },
    });
  });

  it("shows signatures and withheld thinking as they came", async () => {
    const { builder, events } = start();
    builder.redactedThinking("b2s=");
    const thinking = builder.openThinking();
    thinking.append("Hm.");
    thinking.sign("c2", "add");
    thinking.sign("ln", "add");
    thinking.end();
    builder.finish("stop");
    expect(builder.message.content).toEqual([
      { type: "thinking", thinking: "", thinkingSignature: "b2s=", redacted: true },
      { type: "thinking", thinking: "Hm.", thinkingSignature: "c2ln" },
    ]);
    expect(checkEventGrammar(await events())).toEqual([]);
  });

  it(`keeps the grammar whatever a decoder does, in any order (seed ${SEED})`, async () => {
    const action = fc.record({
      what: fc.constantFrom(
        "text",
        "thinking",
        "open",
        "append",
        "identify",
        "end",
        "whole",
        "sign",
        "redacted",
        "finish",
        "fail",
      ),
      which: fc.nat(5),
      text: fc.constantFrom("", "a", '{"a":1}', '{"a":', "1}", "[]"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        const { builder, events } = start();
        const calls: ReturnType<MessageBuilder["openToolCall"]>[] = [];
        for (const { what, which, text } of actions) {
          const call = calls[which % Math.max(1, calls.length)];
          if (what === "text") builder.appendText(text);
          else if (what === "thinking") builder.appendThinking(text);
          else if (what === "open") calls.push(builder.openToolCall(text && `c${which}`, text && "read"));
          else if (what === "append") call?.append(text);
          else if (what === "identify") call?.identify(`late${which}`, "late");
          else if (what === "end") call?.end();
          else if (what === "whole") call?.end('{"a":1}');
          else if (what === "sign") call?.sign("sig");
          else if (what === "redacted") builder.redactedThinking("data");
          else if (what === "finish") builder.finish("stop");
          else builder.fail({ kind: "network", retryable: true }, "The connection broke.");
        }
        builder.finish("stop");
        expect(checkEventGrammar(await events(), { damaged: true })).toEqual([]);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it("marks a call whose arguments nest too deeply to be saved or sent", () => {
    const { builder } = start();
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    builder.openToolCall("fits", "read").end(nested(500));
    builder.openToolCall("deep", "read").end(nested(100_000));
    builder.finish("toolUse");
    const saved = JSON.parse(JSON.stringify(builder.message));
    expect(saved.content).toEqual([
      { type: "toolCall", id: "fits", name: "read", arguments: JSON.parse(nested(500)) },
      { type: "toolCall", id: "deep", name: "read", arguments: {}, malformedArguments: nested(100_000) },
    ]);
  });

  it("makes a hundred thousand calls of one id unique, each in constant time", () => {
    const { builder } = start(["c", "c_3"]);
    for (let made = 0; made < 100_000; made++) builder.openToolCall("c", "read").end();
    const ids = builder.message.content.map((block) => block.type === "toolCall" && block.id);
    expect([ids.slice(0, 4), new Set(ids).size]).toEqual([["c_2", "c_4", "c_5", "c_6"], 100_000]);
  });
});

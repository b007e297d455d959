import { type SimpleStreamOptions, type StreamFunction, withFallback, withRetry } from "@rondo/ai";
import { checkEventGrammar, scriptedModel } from "@rondo/ai/testing";
import { describe, expect, it } from "vitest";
import { collect, typesOf } from "./collect.ts";
import { manualClock } from "./manual-clock.ts";

const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };
const fails = (kind: "overloaded" | "billing" | "content_filter" | "invalid_request") =>
  ({ error: { kind, retryable: kind === "overloaded" } }) as const;

describe("withFallback", () => {
  it("asks the models in order until one answers", async () => {
    const script = scriptedModel([fails("overloaded"), fails("billing"), "Hi"]);
    const second = { ...script.model, id: "second" };
    const third = { ...script.model, id: "third" };
    const changes: string[] = [];
    const call = withFallback(script.streamFn, [second, { model: third }], {
      onFallback: ({ from, to, failure }) => changes.push(`${from.id} → ${to.id}: ${failure.error?.kind}`),
    });
    const { events, message } = await collect(call(script.model, context));
    expect(script.requests.map(({ model }) => model.id)).toEqual(["scripted", "second", "third"]);
    expect(changes).toEqual(["scripted → second: overloaded", "second → third: billing"]);
    expect(typesOf(events)).toEqual(["start", "text_start", "text_delta", "text_end", "done"]);
    expect(checkEventGrammar(events)).toEqual([]);
    expect(message.model).toBe("third");
    script.finish();
  });

  it("stays with the first model for failures that any model would have", async () => {
    for (const kind of ["content_filter", "invalid_request"] as const) {
      const script = scriptedModel([fails(kind)]);
      const { message } = await collect(withFallback(script.streamFn, [script.model])(script.model, context));
      expect(message.error?.kind).toBe(kind);
      script.finish();
    }
  });

  it("never changes models once anything was delivered", async () => {
    const script = scriptedModel([{ ...fails("overloaded"), content: [{ type: "text", text: "Half" }] }]);
    const { message } = await collect(withFallback(script.streamFn, [script.model])(script.model, context));
    expect([message.stopReason, message.content]).toEqual(["error", [{ type: "text", text: "Half" }]]);
    script.finish();
  });

  it("ends in the last failure when all models fail", async () => {
    const script = scriptedModel([fails("billing"), fails("overloaded")]);
    const { events, message } = await collect(withFallback(script.streamFn, [script.model])(script.model, context));
    expect([typesOf(events), message.error?.kind]).toEqual([["error"], "overloaded"]);
  });

  it("does not give one provider's key and headers to another", async () => {
    const seen: (SimpleStreamOptions | undefined)[] = [];
    const script = scriptedModel([fails("billing"), fails("billing"), "Hi"]);
    const streamFn: StreamFunction = (model, asked, options) => {
      const { signal: _signal, ...rest } = options ?? {};
      seen.push(rest);
      return script.streamFn(model, asked, options);
    };
    const elsewhere = { ...script.model, provider: "elsewhere" };
    const call = withFallback(streamFn, [elsewhere, { model: elsewhere, options: { apiKey: "key-of-elsewhere" } }]);
    await collect(call(script.model, context, { apiKey: "first-key", headers: { "x-team": "a" }, temperature: 0 }));
    expect(seen).toEqual([
      { apiKey: "first-key", headers: { "x-team": "a" }, temperature: 0 },
      { temperature: 0 },
      { temperature: 0, apiKey: "key-of-elsewhere" },
    ]);
  });

  it("composes with retries: each model is tried as often as its policy says", async () => {
    const script = scriptedModel([fails("overloaded"), fails("overloaded"), fails("overloaded"), "Hi"]);
    const retried = withRetry(script.streamFn, { attemptsMax: 2, clock: manualClock() });
    const second = { ...script.model, id: "second" };
    const { message } = await collect(withFallback(retried, [second])(script.model, context));
    expect(script.requests.map(({ model }) => model.id)).toEqual(["scripted", "scripted", "second", "second"]);
    expect(message.stopReason).toBe("stop");
  });
});

import { createModelLayer, type RetryNotice, withRetry } from "@rondo/ai";
import { checkEventGrammar, hostileServer, scriptedModel } from "@rondo/ai/testing";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/compose/clock.ts";
import { WIRES } from "../contract/wires.ts";
import { collect, typesOf } from "./collect.ts";
import { manualClock } from "./manual-clock.ts";

const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };
const overloaded = { error: { kind: "overloaded", retryable: true } } as const;
const limited = (retryAfterMs: number) => ({ error: { kind: "rate_limit", retryable: true, retryAfterMs } }) as const;

describe("withRetry", () => {
  it("tries again until a call succeeds, and delivers only that call's events", async () => {
    const script = scriptedModel([overloaded, overloaded, "Hi"]);
    const clock = manualClock();
    const notices: RetryNotice[] = [];
    const call = withRetry(script.streamFn, { clock, random: () => 0.5, onRetry: (notice) => notices.push(notice) });
    const { events, message } = await collect(call(script.model, context));
    expect(typesOf(events)).toEqual(["start", "text_start", "text_delta", "text_end", "done"]);
    expect(checkEventGrammar(events)).toEqual([]);
    expect(message.content).toEqual([{ type: "text", text: "Hi" }]);
    expect(clock.waits).toEqual([500, 1000]);
    expect(
      notices.map(({ attempt, attemptsMax, delayMs, failure }) => [attempt, attemptsMax, delayMs, failure.error?.kind]),
    ).toEqual([
      [2, 3, 500, "overloaded"],
      [3, 3, 1000, "overloaded"],
    ]);
    script.finish();
  });

  it("ends in the last failure when the attempts are used up", async () => {
    const script = scriptedModel([overloaded, overloaded, limited(5)]);
    const { events, message } = await collect(
      withRetry(script.streamFn, { clock: manualClock() })(script.model, context),
    );
    expect(typesOf(events)).toEqual(["error"]);
    expect(message.error?.kind).toBe("rate_limit");
    script.finish();
  });

  it("waits as long as the provider asks, and not at all where that is too long", async () => {
    const clock = manualClock();
    const waiting = scriptedModel([limited(7_000), "Hi"]);
    await collect(withRetry(waiting.streamFn, { clock, random: () => 0 })(waiting.model, context));
    expect(clock.waits).toEqual([7_000]);
    const hopeless = scriptedModel([limited(3 * 86_400_000)]);
    const { message } = await collect(withRetry(hopeless.streamFn, { clock })(hopeless.model, context));
    expect(message.error?.retryAfterMs).toBe(3 * 86_400_000);
    expect(clock.waits).toEqual([7_000]);
    hopeless.finish();
  });

  it("never waits longer than its limit, however many attempts there are", async () => {
    const clock = manualClock();
    const script = scriptedModel([...Array.from({ length: 11 }, () => overloaded), "Hi"]);
    await collect(
      withRetry(script.streamFn, { clock, random: () => 0.999999, attemptsMax: 12, delayMaxMs: 4_000 })(
        script.model,
        context,
      ),
    );
    expect(clock.waits).toEqual([1000, 2000, ...Array.from({ length: 9 }, () => 4000)]);
  });

  it("does not try again once anything was delivered", async () => {
    const script = scriptedModel([{ ...overloaded, content: [{ type: "text", text: "Half" }] }]);
    const { events, message } = await collect(
      withRetry(script.streamFn, { clock: manualClock() })(script.model, context),
    );
    expect(typesOf(events)).toEqual(["start", "text_start", "text_delta", "text_end", "error"]);
    expect(message.content).toEqual([{ type: "text", text: "Half" }]);
    script.finish();
  });

  it("does not try again what no retry mends", async () => {
    for (const kind of ["auth", "billing", "context_overflow", "invalid_request"] as const) {
      const script = scriptedModel([{ error: { kind, retryable: false } }]);
      const { message } = await collect(withRetry(script.streamFn, { clock: manualClock() })(script.model, context));
      expect(message.error?.kind).toBe(kind);
      script.finish();
    }
  });

  it("ends as aborted at once when it is aborted during a wait", async () => {
    const script = scriptedModel([overloaded]);
    const clock = manualClock(false);
    const controller = new AbortController();
    const call = withRetry(script.streamFn, { clock, onRetry: () => queueMicrotask(() => controller.abort()) });
    const { events, message } = await collect(call(script.model, context, { signal: controller.signal }));
    expect(typesOf(events)).toEqual(["error"]);
    expect([message.stopReason, message.error?.kind]).toEqual(["aborted", "aborted"]);
    expect(clock.running).toBe(0);
    script.finish();
  });

  it("makes exactly the configured number of requests of a server that always fails", async () => {
    const { errorFrame, errors } = WIRES["anthropic-messages"];
    const server = await hostileServer({ frames: [""], stopFrame: 0, errorFrame, errors });
    const { streamSimple } = createModelLayer({ env: {} });
    const model = { ...WIRES["anthropic-messages"].model, baseUrl: server.url("bare-500") };
    const call = withRetry(streamSimple, { attemptsMax: 4, clock: manualClock() });
    const { message } = await collect(call(model, context, { apiKey: "test-key" }));
    expect([message.error?.kind, server.requests]).toEqual(["overloaded", 4]);
    await server.close();
  });

  it("waits for longer than a timer of the machine can count, and is not done at once", async () => {
    // A delay that overflows is over after one millisecond, so before the shorter timer that is set after it.
    const fired: string[] = [];
    const long = systemClock.setTimeout(() => fired.push("long"), 2 ** 40);
    await new Promise((resolve) => setTimeout(resolve, 5));
    systemClock.clearTimeout(long);
    expect(fired).toEqual([]);
    const clock = manualClock();
    const script = scriptedModel([overloaded, "Hi"]);
    const policy = { clock, random: () => 0.9, delayBaseMs: 2 ** 40, delayMaxMs: Number.POSITIVE_INFINITY };
    await collect(withRetry(script.streamFn, policy)(script.model, context));
    expect(clock.waits[0]).toBeLessThan(2 ** 31);
  });

  it("survives a listener that throws", async () => {
    const script = scriptedModel([overloaded, "Hi"]);
    const onRetry = (): never => {
      throw new Error("listener");
    };
    const { message } = await collect(
      withRetry(script.streamFn, { clock: manualClock(), onRetry })(script.model, context),
    );
    expect(message.stopReason).toBe("stop");
  });
});

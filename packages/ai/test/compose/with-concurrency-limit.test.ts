import { withConcurrencyLimit } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, it } from "vitest";
import { collect } from "./collect.ts";

const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const HANG = { hang: true } as const;

describe("withConcurrencyLimit", () => {
  it("runs no more calls at a time than it may, in the order in which they came", async () => {
    const script = scriptedModel([HANG, HANG, "third", "fourth"]);
    const call = withConcurrencyLimit(script.streamFn, 2);
    const controllers = [new AbortController(), new AbortController()];
    const running = controllers.map(({ signal }) => collect(call(script.model, context, { signal })));
    const waiting = [collect(call(script.model, context)), collect(call(script.model, context))];
    await turn();
    expect(script.requests.length).toBe(2);
    controllers[1]?.abort();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ message }) => message.content)).toEqual([
      [{ type: "text", text: "third" }],
      [{ type: "text", text: "fourth" }],
    ]);
    controllers[0]?.abort();
    const ended = await Promise.all(running);
    expect(ended.map(({ message }) => message.stopReason)).toEqual(["aborted", "aborted"]);
    script.finish();
  });

  it("ends a waiting call at once when it is aborted, and keeps its place from nobody", async () => {
    const script = scriptedModel([HANG, "after"]);
    const call = withConcurrencyLimit(script.streamFn, 1);
    const [first, second] = [new AbortController(), new AbortController()];
    const running = collect(call(script.model, context, { signal: first.signal }));
    const waiting = collect(call(script.model, context, { signal: second.signal }));
    const last = collect(call(script.model, context));
    await turn();
    second.abort();
    const { events, message } = await waiting;
    expect([events.length, message.stopReason]).toEqual([1, "aborted"]);
    first.abort();
    expect((await running).message.stopReason).toBe("aborted");
    expect((await last).message.content).toEqual([{ type: "text", text: "after" }]);
    script.finish();
  });

  it("gives the place on when a call is left early", async () => {
    const script = scriptedModel([[{ type: "text", text: "a long answer that nobody reads to its end" }], "next"]);
    const call = withConcurrencyLimit(script.streamFn, 1);
    for await (const event of call(script.model, context)) if (event.type === "text_delta") break;
    expect((await collect(call(script.model, context))).message.content).toEqual([{ type: "text", text: "next" }]);
  });

  it("refuses a limit that is none", () => {
    const { streamFn } = scriptedModel([]);
    for (const limit of [0, -1, 1.5, Number.NaN])
      expect(() => withConcurrencyLimit(streamFn, limit)).toThrow(RangeError);
  });
});

import { type AssistantMessage, AssistantMessageEventStream, EventStream } from "@rondo/ai";
import { checkEventGrammar } from "@rondo/ai/testing";
import { describe, expect, it } from "vitest";

const numbers = () =>
  new EventStream<number, string>(
    (event) => event < 0,
    (event) => `ended with ${event}`,
  );
const messageOf = (): AssistantMessage => ({
  role: "assistant",
  content: [],
  api: "a",
  provider: "p",
  model: "m",
  usage: { cost: {} },
  stopReason: "stop",
  timestamp: 0,
});

async function readAll<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol("open");
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

describe("EventStream", () => {
  it("gives the events in order, whether they came before or after the reader", async () => {
    const stream = numbers();
    stream.push(1);
    stream.push(2);
    const reading = readAll(stream);
    await Promise.resolve();
    stream.push(3);
    stream.push(-1);
    expect(await reading).toEqual([1, 2, 3, -1]);
    expect(await stream.result()).toBe("ended with -1");
  });

  it("takes nothing after the terminal event", async () => {
    const stream = numbers();
    for (const event of [1, -1, 2, -2]) stream.push(event);
    stream.end("other");
    expect(await readAll(stream)).toEqual([1, -1]);
    expect(await stream.result()).toBe("ended with -1");
  });

  it("resolves its result without a consumer", async () => {
    const stream = numbers();
    const result = stream.result();
    for (let event = 0; event < 5_000; event++) stream.push(event);
    expect(stream.room()).toBe(undefined);
    stream.push(-1);
    expect(await result).toBe("ended with -1");
  });

  it("ends with the result that it is given, or with none", async () => {
    const given = numbers();
    given.end("mine");
    expect([await readAll(given), await given.result()]).toEqual([[], "mine"]);
    const none = numbers();
    none.push(1);
    none.end();
    expect([await readAll(none), await none.result()]).toEqual([[1], undefined]);
  });

  it("refuses a second consumer by name", async () => {
    const stream = numbers();
    const first = stream[Symbol.asyncIterator]();
    expect(() => stream[Symbol.asyncIterator]()).toThrow("one consumer");
    expect(() => stream.drain()).toThrow("one consumer");
    stream.push(-1);
    expect(await first.next()).toEqual({ value: -1, done: false });
    expect(await first.next()).toEqual({ value: undefined, done: true });
  });

  it("tells the producer when the consumer leaves, once, and drops what comes then", async () => {
    const stream = numbers();
    let cancelled = 0;
    stream.onCancel(() => cancelled++);
    stream.push(1);
    for await (const _event of stream) break;
    stream.push(2);
    expect([cancelled, await isSettled(stream.result())]).toEqual([1, false]);
    stream.push(-1);
    expect(await stream.result()).toBe("ended with -1");
  });

  it("tells a producer that comes late that the consumer has left", () => {
    const stream = numbers();
    void stream[Symbol.asyncIterator]().return?.();
    let cancelled = 0;
    stream.onCancel(() => cancelled++);
    expect(cancelled).toBe(1);
  });

  it("leaving after the end cancels nothing", async () => {
    const stream = numbers();
    let cancelled = 0;
    stream.onCancel(() => cancelled++);
    stream.push(-1);
    for await (const _event of stream) break;
    expect(cancelled).toBe(0);
  });

  it("answers a read that waits when the consumer leaves meanwhile", async () => {
    const events = numbers()[Symbol.asyncIterator]();
    const waiting = events.next();
    await events.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
  });

  it("makes the producer wait while 256 events are unread, and go on when one is read", async () => {
    const stream = numbers();
    let pushed = 0;
    const produce = async (): Promise<void> => {
      for (; pushed < 1_000; pushed++) {
        stream.push(pushed);
        await stream.room();
      }
      stream.push(-1);
    };
    const producing = produce();
    expect(await isSettled(producing)).toBe(false);
    expect(pushed).toBe(255);
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await isSettled(producing);
    expect(pushed).toBe(256);
    let count = 1;
    while (!(await events.next()).done) count++;
    expect([count, await isSettled(producing)]).toEqual([1_001, true]);
  });

  it("lets a waiting producer go when the consumer leaves", async () => {
    const stream = numbers();
    for (let event = 0; event < 300; event++) stream.push(event);
    const room = stream.room() as Promise<void>;
    void stream[Symbol.asyncIterator]().return?.();
    expect(await isSettled(room)).toBe(true);
  });

  it("keeps no events when it is drained, and takes any number", async () => {
    const stream = numbers();
    stream.push(1);
    const result = stream.drain();
    for (let event = 0; event < 1_000; event++) stream.push(event);
    expect(stream.room()).toBe(undefined);
    stream.push(-1);
    expect(await result).toBe("ended with -1");
    expect(() => stream[Symbol.asyncIterator]()).toThrow("one consumer");
  });

  it("gives 100,000 events in order through a reader that is always behind", async () => {
    const stream = numbers();
    const total = 100_000;
    for (let event = 0; event < total; event++) stream.push(event);
    stream.push(-1);
    let next = 0;
    for await (const event of stream) {
      if (event < 0) break;
      if (event !== next) throw new Error(`${event} came instead of ${next}`);
      next++;
    }
    expect(next).toBe(total);
  });
});

describe("AssistantMessageEventStream", () => {
  it("turns an end without a terminal event into an error that keeps what came", async () => {
    const stream = new AssistantMessageEventStream();
    const partial = messageOf();
    stream.push({ type: "start", partial });
    partial.content.push({ type: "text", text: "Ha" });
    stream.push({ type: "text_start", contentIndex: 0, partial });
    stream.push({ type: "text_delta", contentIndex: 0, delta: "Ha", partial });
    stream.end();
    const events = await readAll(stream);
    const message = await stream.result();
    expect(events.map((event) => event.type)).toEqual(["start", "text_start", "text_delta", "error"]);
    expect([message.stopReason, message.error, message.content]).toEqual([
      "error",
      { kind: "truncated", retryable: true },
      [{ type: "text", text: "Ha" }],
    ]);
    expect(checkEventGrammar(events)).toEqual([]);
  });

  it("marks a tool call that had not ended, so that nobody runs it", async () => {
    const stream = new AssistantMessageEventStream();
    const partial = messageOf();
    const call = { type: "toolCall" as const, id: "c1", name: "bash", arguments: { command: "rm -rf /srv/da" } };
    stream.push({ type: "start", partial });
    partial.content.push(call);
    stream.push({ type: "toolcall_start", contentIndex: 0, partial });
    stream.push({ type: "toolcall_delta", contentIndex: 0, delta: '{"command":"rm -rf /srv/da', partial });
    stream.end();
    const events = await readAll(stream);
    expect((await stream.result()).content).toEqual([
      { type: "toolCall", id: "c1", name: "bash", arguments: {}, malformedArguments: '{"command":"rm -rf /srv/da' },
    ]);
    expect(checkEventGrammar(events)).toEqual([]);
  });

  it("ends with the message that it is given as the message says", async () => {
    const done = new AssistantMessageEventStream();
    done.end({ ...messageOf(), stopReason: "length" });
    expect((await readAll(done)).map((event) => [event.type, "reason" in event && event.reason])).toEqual([
      ["done", "length"],
    ]);
    const failed = new AssistantMessageEventStream();
    failed.end({ ...messageOf(), stopReason: "aborted" });
    expect((await readAll(failed)).map((event) => [event.type, "reason" in event && event.reason])).toEqual([
      ["error", "aborted"],
    ]);
  });

  it("is aborted when its consumer leaves and its producer does nothing about it", async () => {
    const stream = new AssistantMessageEventStream();
    stream.push({ type: "start", partial: messageOf() });
    for await (const _event of stream) break;
    const message = await stream.result();
    expect([message.stopReason, message.error?.kind]).toEqual(["aborted", "aborted"]);
  });

  it("has a message even if nothing ever came", async () => {
    const stream = new AssistantMessageEventStream();
    stream.end();
    expect((await stream.result()).content).toEqual([]);
    expect(checkEventGrammar(await readAll(stream))).toEqual([]);
  });
});

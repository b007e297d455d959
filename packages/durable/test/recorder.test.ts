// Steps by themselves and the calls of a model as steps: what is recorded when, and what happens when the engine has failed.
import type { AssistantMessage, createAssistantMessageEventStream } from "@rondo/ai";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { MemoryStore, memorySteps } from "@rondo/durable/testing";
import { expect, test } from "vitest";
import { recordedModel } from "../src/recorded-model.ts";
import { Recorder } from "../src/recorder.ts";

test("after an engine's failure no further step is asked of it, and every one fails with the first failure", async () => {
  const store = new MemoryStore();
  const failure = new Error("The run is another's.");
  let asked = 0;
  const steps = memorySteps(store);
  const run = () => {
    asked++;
    return Promise.reject(asked === 1 ? failure : new Error("later"));
  };
  const recorder = new Recorder({ ...steps, run, drain: run }, undefined);
  for (const step of [() => recorder.run("a", async () => 1), () => recorder.run("b", async () => 2)])
    await expect(step()).rejects.toBe(failure);
  await expect(recorder.drain("mail:1")).rejects.toBe(failure);
  expect([asked, recorder.signal.aborted, recorder.isFatal()]).toEqual([1, true, true]);
  recorder.dispose();
});

test("a step whose run was let go of meanwhile does not count, though it is on record", async () => {
  const halt = new AbortController();
  const steps = memorySteps(new MemoryStore(), () => halt.abort());
  const recorder = new Recorder({ ...steps, halt: halt.signal }, undefined);
  await expect(recorder.run("a", async () => 1)).rejects.toMatchObject({ name: "SuspendedError" });
  recorder.dispose();
});

test("what a step gives is seen at once as it is on record", async () => {
  const recorder = new Recorder(memorySteps(new MemoryStore()), undefined);
  const value = await recorder.run("a", async () => ({ at: new Date(0), nothing: undefined, odd: Number.NaN }));
  expect(value).toStrictEqual({ at: "1970-01-01T00:00:00.000Z", odd: null });
  expect(await recorder.run("b", async () => undefined)).toBeUndefined();
  recorder.dispose();
});

test("a recorded call whose stream is left is told to stop, and what it had said is its record", async () => {
  const script = scriptedModel([{ hang: true, content: [{ type: "text", text: "Once" }] }]);
  const store = new MemoryStore();
  const recorder = new Recorder(memorySteps(store), undefined);
  const recorded = new Promise((resolve) => {
    const streamFn = recordedModel(recorder, () => "notes", script.streamFn, resolve);
    void (async () => {
      for await (const event of await streamFn(script.model, { messages: [] })) if (event.type === "text_end") break;
    })();
  });
  expect(await recorded).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "Once" }] });
  expect(script.requests[0]?.options.signal?.aborted).toBe(true);
  expect([...store.records.keys()]).toEqual(["notes"]);
  recorder.dispose();
});

test("a recorded call whose result alone is waited for hears of its caller's abort", async () => {
  const { model, streamFn } = scriptedModel([{ hang: true }]);
  const recorder = new Recorder(memorySteps(new MemoryStore()), undefined);
  const caller = new AbortController();
  const stream = await recordedModel(recorder, () => "notes", streamFn)(
    model,
    { messages: [] },
    { signal: caller.signal },
  );
  caller.abort();
  expect((await stream.result()).stopReason).toBe("aborted");
  recorder.dispose();
});

test.each<[string, ScriptedStep]>([
  ["done", "Hello."],
  ["error", { error: { kind: "overloaded" }, errorMessage: "Too busy." }],
])(
  "the end of a recorded call (%s) is told once it is on record, and a replay tells that end alone",
  async (end, step) => {
    const { model, streamFn } = scriptedModel([step]);
    const store = new MemoryStore();
    const told: string[][] = [];
    for (const _attempt of [1, 2]) {
      const recorder = new Recorder(memorySteps(store), undefined);
      const types: string[] = [];
      for await (const event of await recordedModel(recorder, () => "notes", streamFn)(model, { messages: [] }))
        types.push(`${event.type}${store.records.has("notes") ? " recorded" : ""}`);
      told.push(types);
      recorder.dispose();
    }
    expect(told[0]?.filter((type) => /recorded|done|error/.test(type))).toEqual([`${end} recorded`]);
    expect(told[1]).toEqual(["start recorded", `${end} recorded`]);
  },
);

test("a recorded call waits for a slow reader", async () => {
  const { model } = scriptedModel([]);
  const recorder = new Recorder(memorySteps(new MemoryStore()), undefined);
  const partial = {
    role: "assistant",
    content: [],
    usage: { cost: {} },
    stopReason: "stop",
  } as unknown as AssistantMessage;
  let said = 0;
  async function* speak() {
    yield { type: "start", partial };
    for (; said < 100_000; said++) yield { type: "text_delta", contentIndex: 0, delta: "x", partial };
  }
  const endless = () => speak() as unknown as ReturnType<typeof createAssistantMessageEventStream>;
  const stream = await recordedModel(recorder, () => "notes", endless)(model, { messages: [] });
  for await (const event of stream) {
    if (event.type !== "text_delta") continue;
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    break;
  }
  expect(said).toBeLessThan(100_000);
  recorder.dispose();
});

// How a run, or a part of one, is told to end, how long it is waited for, and that nothing of it stays behind.
import { getEventListeners } from "node:events";
import { expect, test, vi } from "vitest";
import { AbandonedError, Interruption } from "../src/interruption.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";

const GRACE_MS = 500;
const CAUSE = { kind: "aborted", message: "Enough." } as const;

function setUp() {
  const clock = new VirtualClock();
  return { clock, interruption: new Interruption(clock, GRACE_MS) };
}

/** Work that takes a time, whatever it is told. */
const stubborn = (clock: VirtualClock, delayMs: number) => () => clock.sleep(delayMs).then(() => "done");

test("the first cause stands, and the signal's reason says it", () => {
  const { interruption } = setUp();
  interruption.interrupt(CAUSE);
  interruption.interrupt({ kind: "budget", message: "Too much." });
  expect(interruption.cause).toBe(CAUSE);
  expect(interruption.signal.reason).toMatchObject({ name: "AbortError", message: "Enough." });
});

test("a branch ends with its parent until it is disposed of, and one that is made late at once", () => {
  const { interruption } = setUp();
  const [open, over] = [interruption.branch(), interruption.branch()];
  over.dispose();
  interruption.interrupt(CAUSE);
  expect([open.cause, over.cause, interruption.branch().cause]).toEqual([CAUSE, undefined, CAUSE]);
  expect([open.signal.aborted, over.signal.aborted]).toEqual([true, false]);
});

test("a caller's signal is let go of, and one that has aborted before counts", () => {
  const { interruption } = setUp();
  const caller = new AbortController();
  interruption.follow(caller.signal);
  expect(getEventListeners(caller.signal, "abort")).toHaveLength(1);
  interruption.dispose();
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  const late = setUp().interruption;
  late.follow(AbortSignal.abort("too late"));
  expect(late.cause).toEqual({ kind: "aborted", message: "The run was aborted: too late" });
});

test.each<[unknown, string]>([
  ["enough", "The run was aborted: enough"],
  ["", "The run was aborted."],
  [undefined, "The run was aborted."],
  [7, "The run was aborted."],
  [new Error("enough"), "The run was aborted: enough"],
  [new Error(""), "The run was aborted."],
  [new DOMException("This operation was aborted", "AbortError"), "The run was aborted."],
])("aborted for the reason %o", (reason, message) => {
  const { interruption } = setUp();
  const caller = new AbortController();
  interruption.follow(caller.signal);
  caller.abort(reason);
  expect(interruption.cause).toEqual({ kind: "aborted", message });
});

test("all waits end within one grace period after the interruption, also those that begin late", async () => {
  const { clock, interruption } = setUp();
  const waits: Promise<unknown>[] = [interruption.wait(stubborn(clock, 10_000))];
  clock.setTimeout(() => interruption.interrupt(CAUSE), 1_000);
  clock.setTimeout(() => waits.push(interruption.wait(stubborn(clock, 10_000))), 1_400);
  await clock.runUntil(waits[0] as Promise<unknown>);
  expect(clock.now()).toBe(1_500);
  await expect(Promise.all(waits)).rejects.toThrow(new AbandonedError("Not waited for any longer: Enough."));
  const afterwards = interruption.wait(stubborn(clock, 10_000));
  await clock.runUntil(afterwards);
  await expect(afterwards).rejects.toBeInstanceOf(AbandonedError);
  expect(clock.now()).toBe(1_500);
});

test("a clock that is set back makes no wait longer", async () => {
  const { clock, interruption } = setUp();
  await clock.runUntil(clock.sleep(1_000));
  interruption.interrupt(CAUSE);
  const now = vi.spyOn(clock, "now").mockReturnValue(0);
  const wait = interruption.wait(stubborn(clock, 10_000));
  await clock.runUntil(wait);
  now.mockRestore();
  await expect(wait).rejects.toBeInstanceOf(AbandonedError);
  expect(clock.now()).toBe(1_500);
});

test("a listener has a whole grace period of its own, and what it throws comes out", async () => {
  const { clock, interruption } = setUp();
  interruption.interrupt(CAUSE);
  await clock.runUntil(clock.sleep(400));
  const late = interruption.waitForListener(clock.sleep(10_000));
  await clock.runUntil(late);
  expect([await late, clock.now()]).toEqual([false, 900]);
  const inTime = interruption.waitForListener(clock.sleep(100));
  await clock.runUntil(inTime);
  expect([await inTime, clock.now()]).toEqual([true, 1_000]);
  await expect(interruption.waitForListener(Promise.reject(new Error("It broke.")))).rejects.toThrow("It broke.");
});

test("what is over leaves no timer and is not heard of again", async () => {
  const { clock, interruption } = setUp();
  const wait = interruption.wait(stubborn(clock, 10));
  await clock.runUntil(wait);
  const pause = interruption.sleep(10);
  await clock.runUntil(pause);
  const cleared = vi.spyOn(clock, "clearTimeout");
  interruption.interrupt(CAUSE);
  expect([await wait, clock.pending, cleared.mock.calls]).toEqual(["done", 0, []]);
  const quick = interruption.wait(async () => "quick");
  expect([await quick, clock.pending]).toEqual(["quick", 0]);
  await interruption.sleep(10);
  expect(clock.pending).toBe(0);
});

test("a pause ends with the interruption and takes its timer along", async () => {
  const { clock, interruption } = setUp();
  const pause = interruption.sleep(1_000);
  interruption.interrupt(CAUSE);
  await pause;
  expect([clock.now(), clock.pending]).toEqual([0, 0]);
});

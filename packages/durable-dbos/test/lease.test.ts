import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Lease } from "../src/lease.ts";

const LEASE_MS = 5_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const arrivesAfter = (ms: number) => async () => {
  vi.advanceTimersByTime(ms);
};

test("a lease holds from its first beat until it has been silent for too long, counted from before the beat was sent", async () => {
  const lease = new Lease(LEASE_MS);
  expect([lease.holds, lease.term]).toEqual([false, 0]);
  await lease.renew(arrivesAfter(1_000));
  expect([lease.holds, lease.term]).toEqual([true, 1]);
  vi.advanceTimersByTime(3_999);
  expect(lease.holds).toBe(true);
  vi.advanceTimersByTime(1);
  expect(lease.holds).toBe(false);
});

test("beats in time go on with a term, however many", async () => {
  const lease = new Lease(LEASE_MS);
  for (let beat = 0; beat < 10; beat++) {
    await lease.renew(arrivesAfter(1_000));
    vi.advanceTimersByTime(2_000);
  }
  expect([lease.holds, lease.term]).toEqual([true, 1]);
});

test("a beat that was sent in time and came late begins a new term", async () => {
  const lease = new Lease(LEASE_MS);
  await lease.renew(arrivesAfter(0));
  vi.advanceTimersByTime(1_000);
  await lease.renew(arrivesAfter(4_000));
  expect([lease.holds, lease.term]).toEqual([true, 2]);
});

test("a beat that fails renews nothing", async () => {
  const lease = new Lease(LEASE_MS);
  await lease.renew(arrivesAfter(0));
  vi.advanceTimersByTime(4_000);
  await expect(lease.renew(() => Promise.reject(new Error("unreachable")))).rejects.toThrow("unreachable");
  vi.advanceTimersByTime(1_000);
  expect(lease.holds).toBe(false);
});

test("a clock that is set back lengthens nothing", async () => {
  const lease = new Lease(LEASE_MS);
  await lease.renew(arrivesAfter(0));
  vi.advanceTimersByTime(5_000);
  vi.setSystemTime(0);
  expect(lease.holds).toBe(false);
});

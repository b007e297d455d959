// Every promise of the model layer as tests for one provider: its own recorded answers damaged in all ways, servers on bad days, and
// callers without types. Works in any test runner that has describe and it.
import { sweepEchoes } from "./contract-echo.ts";
import { CONTRACT_KEY, ContractSubject, expectNoFaults, type Fixture } from "./contract-subject.ts";
import {
  sweepAborts,
  sweepChunks,
  sweepCuts,
  sweepGarbage,
  sweepLeaving,
  sweepMutations,
  sweepOrder,
} from "./contract-sweeps.ts";
import type { ProviderContract, TestRunner } from "./contract-types.ts";
import { HOSTILE_CALLERS, type HostileCaller } from "./hostile-callers.ts";
import { hostileServer } from "./hostile-server.ts";
import { type ObservedCall, observe, visibleTextOf } from "./observed-call.ts";
import { watchProcess } from "./process-watch.ts";
import { endingOf, isPossible, SITUATIONS, type SituationName } from "./situations.ts";

/**
 * Declares the tests of a provider. In one call it runs each fixture whole and cut anywhere, every frame replaced by garbage, every
 * event aborted and left, all situations of the hostile server and all hostile callers, and checks each time that the events are
 * grammatical, the kind of failure is right, what came is kept, no key shows, nothing is printed and no connection stays open.
 *
 * `describe` and `it` are taken from the contract, or else from the test runner's globals.
 */
export function describeProviderContract(contract: ProviderContract): void {
  const { describe, it } = runnerOf(contract);
  const subject = new ContractSubject(contract);
  const seed = contract.seed ?? 1;
  const test = (part: string, name: string, run: () => Promise<void>): unknown =>
    it(name, async () => {
      await quietly(run);
      contract.onCount?.(part, subject.takeCount());
    });
  describe(`${contract.name}: the contract of a provider`, () => {
    for (const fixture of subject.fixtures) declareSweeps(subject, fixture, seed, test);
    for (const name of Object.keys(SITUATIONS) as SituationName[]) {
      if (!isPossible(SITUATIONS[name], subject.material)) continue;
      test("situations", `the server: ${name}`, () => situation(subject, name));
    }
    for (const caller of HOSTILE_CALLERS)
      test("callers", `the caller: ${caller.name}`, () => hostileCaller(subject, caller));
    declareAborts(subject, test);
    test("requests", "the same conversation is sent as the same bytes", () => sameBytes(subject));
  });
}

type Declare = (part: string, name: string, run: () => Promise<void>) => unknown;

function declareSweeps(subject: ContractSubject, fixture: Fixture, seed: number, test: Declare): void {
  const of = (what: string): string => `${fixture.name} ${what}`;
  test("chunks", of(`in chunks of any size gives the same events (seed ${seed})`), () =>
    sweepChunks(subject, fixture, seed),
  );
  test("cuts", of(`cut anywhere keeps what came and is not done (seed ${seed})`), () =>
    sweepCuts(subject, fixture, seed),
  );
  test("garbage", of("with a frame replaced by garbage is not done"), () => sweepGarbage(subject, fixture));
  test("mutations", of(`with values of the wrong kind still ends (seed ${seed})`), () =>
    sweepMutations(subject, fixture, seed),
  );
  test("order", of(`with frames lost, repeated and exchanged still ends (seed ${seed})`), () =>
    sweepOrder(subject, fixture, seed),
  );
  test("echoes", of("with the key in each of its texts shows it nowhere else"), () => sweepEchoes(subject, fixture));
  test("aborts", of("aborted after each frame ends as aborted with what came"), () => sweepAborts(subject, fixture));
  test("leaving", of("left at each event is not read on"), () => sweepLeaving(subject, fixture));
}

async function situation(subject: ContractSubject, name: SituationName): Promise<void> {
  const server = await hostileServer(subject.material);
  try {
    const good = visibleTextOf((await subject.call(server.url("good"))).message);
    const { options, ifItHangs = "" } = SITUATIONS[name];
    const call = await subject.call(server.url(name), options).catch((error: Error) => {
      throw new Error(`${name}:\n  ${error.message} ${ifItHangs}`.trimEnd());
    });
    const faults = [...call.faults, ...situationFaults(subject, name, call, good)];
    await Promise.race([server.settled(), failAfter(5_000, "the server still has an open connection")]);
    if (server.requests > 2) faults.push(`${server.requests - 1} requests were made`);
    expectNoFaults(name, faults, call.message);
  } finally {
    await server.close();
  }
}

function situationFaults(
  subject: ContractSubject,
  name: SituationName,
  { message }: ObservedCall,
  good: string,
): string[] {
  const { ends, retryable, retryAfterMs, status, text } = endingOf(SITUATIONS[name], subject.material);
  const faults: string[] = [];
  const kept = visibleTextOf(message);
  if (ends === "done") {
    if (message.error) faults.push(`ended in ${message.error.kind}`);
    if (kept !== good) faults.push(`the text is ${JSON.stringify(kept)}`);
    return faults;
  }
  const { error } = message;
  if (!error || !ends.includes(error.kind))
    faults.push(`ended in ${error?.kind ?? "done"}, expected ${ends.join(" or ")}`);
  if (retryable !== undefined && error?.retryable !== retryable) faults.push(`retryable is ${error?.retryable}`);
  if (status !== undefined && error?.status !== status) faults.push(`status is ${error?.status}`);
  const [least, most] = typeof retryAfterMs === "number" ? [retryAfterMs, retryAfterMs] : (retryAfterMs ?? []);
  const asked = error?.retryAfterMs ?? -1;
  if (least !== undefined && most !== undefined && (asked < least || asked > most))
    faults.push(`retryAfterMs is ${asked}`);
  if (text === "some" ? !(kept !== "" && good.startsWith(kept)) : kept !== "")
    faults.push(`kept ${JSON.stringify(kept)} of ${JSON.stringify(good)}`);
  return faults;
}

async function hostileCaller(subject: ContractSubject, caller: HostileCaller): Promise<void> {
  const server = await hostileServer(subject.material);
  try {
    const good = {
      model: subject.model(server.url("good")),
      context: subject.context,
      options: { apiKey: CONTRACT_KEY },
    };
    const call = { ...good, ...caller.change(good) } as typeof good;
    subject.countCall();
    const { message, faults } = await observe(subject.contract.streamFn(call.model, call.context, call.options), {
      secrets: [CONTRACT_KEY, "Rondo.contract/key", "hunter22", "schlüssel"],
    });
    const ending = message.error?.kind ?? "done";
    if (!caller.ends.includes(ending)) faults.push(`ended in ${ending}, expected ${caller.ends.join(" or ")}`);
    await Promise.race([server.settled(), failAfter(5_000, "the server still has an open connection")]);
    expectNoFaults(caller.name, faults, message);
  } finally {
    await server.close();
  }
}

/** Prompt caches hit only if nothing of a request is by chance or by the clock. */
async function sameBytes(subject: ContractSubject): Promise<void> {
  const body = { chunks: subject.material.frames };
  const first = await subject.callWith(body);
  await new Promise((resolve) => setTimeout(resolve, 2)); // so that a clock that counts milliseconds has gone on
  const second = await subject.callWith(body);
  const faults = first.served.sent === second.served.sent ? [] : [differenceOf(first.served.sent, second.served.sent)];
  expectNoFaults("asked twice", [...first.faults, ...second.faults, ...faults], second.message);
}

/** Where two requests part, with what stands around it. */
function differenceOf(first = "", second = ""): string {
  const at = first.split("").findIndex((letter, index) => letter !== second[index]);
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 20), at + 20));
  return `the body differs at character ${at}: ${around(first)}, then ${around(second)}`;
}

function declareAborts(subject: ContractSubject, test: Declare): void {
  test("aborts", "a call that was aborted before it began sends nothing", async () => {
    const call = await subject.callWith({ chunks: [] }, { signal: AbortSignal.abort() });
    const faults = [...call.faults, ...endingFaults(call, "aborted")];
    if (call.served.requests > 0) faults.push("a request was made");
    expectNoFaults("aborted before", faults, call.message);
  });
  test("aborts", "a call that is aborted while it waits for the server ends at once", async () => {
    const controller = new AbortController();
    const fetch = (() => {
      setImmediate(() => controller.abort());
      return new Promise(() => {});
    }) as typeof globalThis.fetch;
    const call = await subject.call("http://127.0.0.1:9", { fetch, signal: controller.signal });
    expectNoFaults("aborted while waiting", [...call.faults, ...endingFaults(call, "aborted")], call.message);
  });
  test("aborts", "an abort after the end changes nothing", async () => {
    const controller = new AbortController();
    const call = await subject.callWith({ chunks: subject.material.frames }, { signal: controller.signal });
    const before = JSON.stringify(call.message);
    controller.abort();
    const faults = JSON.stringify(call.message) === before ? call.faults : ["the message changed"];
    expectNoFaults("aborted after", [...faults, ...endingFaults(call, "stop")], call.message);
  });
  test("aborts", "a real connection is closed when its call is aborted", async () => {
    const server = await hostileServer(subject.material);
    try {
      const controller = new AbortController();
      const onEvent = (event: { type: string }): undefined => {
        if (event.type.endsWith("_delta")) controller.abort();
      };
      const call = await subject.call(server.url("silence-mid-stream"), { signal: controller.signal }, { onEvent });
      await Promise.race([server.settled(), failAfter(5_000, "the server still has an open connection")]);
      expectNoFaults("aborted mid-stream", [...call.faults, ...endingFaults(call, "aborted")], call.message);
    } finally {
      await server.close();
    }
  });
}

const endingFaults = ({ message }: ObservedCall, stopReason: string): string[] =>
  message.stopReason === stopReason ? [] : [`ended as ${message.stopReason}`];

/** Runs a test and fails it if anything was printed or a rejection was left to nobody. */
async function quietly(run: () => Promise<void>): Promise<void> {
  const watch = watchProcess();
  let noticed: string[];
  try {
    await run();
  } finally {
    noticed = await watch.stop();
  }
  if (noticed.length > 0) throw new Error(noticed.join("\n"));
}

function failAfter(delayMs: number, why: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(why)), delayMs).unref();
  });
}

function runnerOf(contract: ProviderContract): TestRunner {
  const globals = globalThis as Partial<TestRunner>;
  const describe = contract.describe ?? globals.describe;
  const it = contract.it ?? globals.it;
  if (describe && it) return { describe, it };
  throw new Error("describeProviderContract needs a test runner: pass its describe and it.");
}

// Failed model calls that are made again: how often, after what pause, seen by whom, and without a trace in the history.
import { Agent, type AgentEvent, type AgentMessage, type AgentOptions, type StreamFn } from "@rondo/agent";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { EventChecker } from "./simulation/event-checker.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { call, say, tool } from "./support.ts";

const OVERLOADED: ScriptedStep = { error: { kind: "overloaded", retryable: true }, errorMessage: "Too busy." };

async function run(
  steps: ScriptedStep[],
  options: AgentOptions = {},
  act: (agent: Agent, clock: VirtualClock) => void = () => {},
) {
  const script = scriptedModel(steps);
  const clock = new VirtualClock();
  const agent = new Agent({
    streamFn: script.streamFn,
    retry: { attemptsMax: 3 },
    clock,
    random: () => 1,
    ...options,
    initialState: { model: script.model, tools: [tool("look")] },
  });
  const checker = new EventChecker();
  agent.subscribe((event) => checker.check(event));
  const retries: unknown[] = [];
  let end: Extract<AgentEvent, { type: "agent_end" }> | undefined;
  agent.subscribe((event) => {
    if (event.type === "message_update" && event.retry) retries.push(event.retry);
    if (event.type === "agent_end") end = event;
  });
  act(agent, clock);
  await clock.runUntil(agent.prompt("hi"));
  script.finish();
  const asked = script.requests.map(({ context }) => context.messages.length);
  return { agent, clock, retries, end, asked, history: agent.state.messages.map(say), log: checker.log };
}

test("by default nothing is repeated", async () => {
  const { history, end } = await run([OVERLOADED], { retry: {} });
  expect(history).toEqual(["user: hi", "assistant: "]);
  expect(end?.reason).toBe("error");
});

test("a failure that may pass is repeated, with growing pauses, and leaves no trace", async () => {
  const { history, retries, clock, end } = await run([OVERLOADED, OVERLOADED, "Hello."]);
  expect(history).toEqual(["user: hi", "assistant: Hello."]);
  expect(retries).toEqual([
    { attempt: 1, attemptsMax: 3, delayMs: 1_000, errorMessage: "Too busy." },
    { attempt: 2, attemptsMax: 3, delayMs: 2_000, errorMessage: "Too busy." },
  ]);
  expect(clock.now()).toBe(3_000);
  expect(end?.reason).toBe("completed");
});

test("there are exactly as many attempts as the policy says", async () => {
  const { history, end } = await run([OVERLOADED, OVERLOADED, OVERLOADED]);
  expect(history).toEqual(["user: hi", "assistant: "]);
  expect([end?.reason, end?.errorMessage]).toEqual(["error", "Too busy."]);
});

test("what had been said before the failure is taken back", async () => {
  const cut: ScriptedStep = { error: { kind: "truncated", retryable: true }, content: [{ type: "text", text: "Hel" }] };
  const { history, log, agent } = await run([cut, "Hello."]);
  expect(history).toEqual(["user: hi", "assistant: Hello."]);
  expect(log.filter((event) => event === "message_start(assistant)")).toHaveLength(1);
  expect(agent.state.streamingMessage).toBeUndefined();
});

test("an attempt that fails before it says anything has nothing of the one before", async () => {
  const cut = scriptedModel([
    { error: { kind: "truncated", retryable: true }, content: [{ type: "text", text: "Hel" }] },
  ]);
  let calls = 0;
  const streamFn: StreamFn = (...request) => {
    if (++calls === 2) throw new Error("It broke.");
    return cut.streamFn(...request);
  };
  const { agent } = await run([], { streamFn });
  expect(agent.state.messages.at(-1)).toMatchObject({ content: [], errorMessage: "It broke." });
});

test("a failure that will not pass is not repeated, unless the policy says otherwise", async () => {
  const denied: ScriptedStep = { error: { kind: "auth" }, errorMessage: "No key." };
  expect((await run([denied])).end?.errorMessage).toBe("No key.");
  const { history } = await run([denied, "Hello."], { retry: { attemptsMax: 2, isRetryable: () => true } });
  expect(history).toEqual(["user: hi", "assistant: Hello."]);
});

test("the pause is as long as the provider asks for, and one that is too long is not waited for", async () => {
  const limited = (retryAfterMs: number): ScriptedStep => ({
    error: { kind: "rate_limit", retryable: true, retryAfterMs },
  });
  const patient = await run([limited(30_000), "Hello."]);
  expect(patient.clock.now()).toBe(30_000);
  const hopeless = await run([limited(600_000)]);
  expect(hopeless.clock.now()).toBe(0);
  expect(hopeless.end?.reason).toBe("error");
});

test("no pause is longer than the longest, and one that is asked for may be as long", async () => {
  const { retries } = await run([OVERLOADED, OVERLOADED, "Hello."], { maxRetryDelayMs: 1_500 });
  expect(retries).toMatchObject([{ delayMs: 1_000 }, { delayMs: 1_500 }]);
  const limited: ScriptedStep = { error: { kind: "rate_limit", retryable: true, retryAfterMs: 60_000 } };
  expect((await run([limited, "Hello."])).retries).toMatchObject([{ delayMs: 60_000 }]);
});

test("a policy may refuse what the provider calls retryable, and one that fails ends the run", async () => {
  const refused = await run([OVERLOADED], { retry: { attemptsMax: 2, isRetryable: () => false } });
  expect(refused.end?.errorMessage).toBe("Too busy.");
  const isRetryable = () => {
    throw new Error("It broke.");
  };
  const failed = await run([OVERLOADED], { retry: { attemptsMax: 2, isRetryable } });
  expect([failed.end?.reason, failed.end?.errorMessage]).toEqual(["error", "It broke."]);
});

test("the jitter is at most a half of the pause", async () => {
  const { clock } = await run([OVERLOADED, "Hello."], { random: () => 0 });
  expect(clock.now()).toBe(500);
});

test("an abort ends the pause at once, and no further call is made", async () => {
  const { clock, end, history } = await run([OVERLOADED], {}, (agent, time) =>
    time.setTimeout(() => agent.abort(), 400),
  );
  expect([clock.now(), clock.pending]).toEqual([400, 0]);
  expect(end?.reason).toBe("aborted");
  expect(history).toEqual(["user: hi", "assistant: "]);
});

test("an answer that says nothing after a tool's result is asked for again", async () => {
  const { history } = await run([[call("1", "look")], [], "Done."]);
  expect(history.at(-1)).toBe("assistant: Done.");
  expect(history).toHaveLength(4);
});

test("an overflow that the caller can mend is repeated once", async () => {
  const overflow: ScriptedStep = { error: { kind: "context_overflow" }, errorMessage: "Too long." };
  const asked: number[] = [];
  const onContextOverflow = (messages: unknown[]) => asked.push(messages.length) > 0;
  const mended = await run([overflow, "Hello."], { onContextOverflow });
  expect(mended.history).toEqual(["user: hi", "assistant: Hello."]);
  const hopeless = await run([overflow, overflow], { onContextOverflow });
  expect(hopeless.end?.errorMessage).toBe("Too long.");
  expect(asked).toEqual([1, 1]);
  const unmended = await run([overflow], { onContextOverflow: () => false });
  expect(unmended.end?.reason).toBe("error");
});

test("who shortens the context may do to its list what it likes", async () => {
  const overflow: ScriptedStep = { error: { kind: "context_overflow" }, errorMessage: "Too long." };
  const onContextOverflow = (messages: AgentMessage[]) => messages.splice(0).length > 0;
  const { history, asked } = await run([overflow, "Hello."], { onContextOverflow });
  expect(history).toEqual(["user: hi", "assistant: Hello."]);
  expect(asked).toEqual([1, 1]);
});

test.each(["context_overflow", "overloaded"] as const)(
  "a call that fails after an abort (%s) is the last: nobody shortens the context and no retry is announced",
  async (kind) => {
    const script = scriptedModel([{ error: { kind, retryable: true }, errorMessage: "It failed." }]);
    const asked: number[] = [];
    const agent = new Agent({
      streamFn: (model, context) => {
        agent.abort();
        return script.streamFn(model, context);
      },
      retry: { attemptsMax: 3 },
      onContextOverflow: (messages) => asked.push(messages.length) > 0,
      initialState: { model: script.model },
    });
    const updates: AgentEvent[] = [];
    agent.subscribe((event) => {
      if (event.type === "message_update") updates.push(event);
    });
    await agent.prompt("hi");
    expect([asked, updates, agent.state.errorMessage]).toEqual([[], [], "The run was aborted."]);
    script.finish();
  },
);

test("after an abort in the pause no hook of the next attempt is asked", async () => {
  const asked: number[] = [];
  const transformContext = async (messages: AgentMessage[]) => {
    asked.push(messages.length);
    return messages;
  };
  await run([OVERLOADED], { transformContext }, (agent, time) => time.setTimeout(() => agent.abort(), 400));
  expect(asked).toEqual([1]);
});

test("who shortens the context is not shown what had arrived of the call that overflowed", async () => {
  const content = [{ type: "text" as const, text: "Let me" }, call("1", "look")];
  const asked: string[][] = [];
  const onContextOverflow = (messages: AgentMessage[]) => asked.push(messages.map(say)) > 0;
  const overflow: ScriptedStep = { error: { kind: "context_overflow" }, errorMessage: "Too long.", content };
  const { history } = await run([overflow, "Hello."], { onContextOverflow });
  expect(asked).toEqual([["user: hi"]]);
  expect(history).toEqual(["user: hi", "assistant: Hello."]);
});

test("a number of attempts that is no number is one attempt", async () => {
  const { retries, end } = await run([OVERLOADED], { retry: { attemptsMax: Number.NaN } });
  expect(retries).toEqual([]);
  expect(end?.reason).toBe("error");
});

test("a longest pause that is no number is none: a provider that asks for days is not asked again at once", async () => {
  const asked: ScriptedStep = { error: { kind: "rate_limit", retryable: true, retryAfterMs: 3 * 86_400_000 } };
  const { retries } = await run([asked], { maxRetryDelayMs: Number.NaN });
  expect(retries).toEqual([]);
});

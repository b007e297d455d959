// Whatever is called may throw, reject, hang or hand over rubbish: the events are whole, the history is valid, the agent
// is idle.
import {
  Agent,
  type AgentEvent,
  type AgentOptions,
  type AgentToolResult,
  runAgentLoop,
  type StreamFn,
} from "@rondo/agent";
import { type AssistantMessage, createAssistantMessageEventStream, EventStream } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { checkHistory, EventChecker } from "./simulation/event-checker.ts";
import { VirtualClock } from "./simulation/virtual-clock.ts";
import { brief, call, endOf, record, say, textResult, tool, user } from "./support.ts";

function answer(text: string): AssistantMessage {
  const content = [{ type: "text" as const, text }];
  return {
    role: "assistant",
    content,
    api: "x",
    provider: "x",
    model: "x",
    usage: { cost: {} },
    stopReason: "stop",
    timestamp: 0,
  };
}

function watched(options: AgentOptions): { agent: Agent; checker: EventChecker } {
  const agent = new Agent(options);
  const checker = new EventChecker();
  agent.subscribe((event) => checker.check(event));
  return { agent, checker };
}

const HOOKS = [
  "transformContext",
  "convertToLlm",
  "getApiKey",
  "beforeToolCall",
  "afterToolCall",
  "shouldStopAfterTurn",
  "prepareNextTurn",
] as const;

/** The hooks of one tool call fail that call alone; the others fail the run. */
const CALL_HOOKS: readonly string[] = ["beforeToolCall", "afterToolCall"];

describe.each(HOOKS)("a %s", (hook) => {
  test.each([
    [
      "throws",
      () => {
        throw new Error("It broke.");
      },
    ],
    ["rejects", () => Promise.reject(new Error("It broke."))],
    ["rejects with a text", () => Promise.reject("It broke.")],
  ])("that %s is reported, and everything is brought to an end", async (_how, broken) => {
    const script = scriptedModel([[call("1", "look")], "Done."]);
    const { agent, checker } = watched({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [tool("look")] },
      [hook]: broken,
    });
    const ended = endOf(agent);
    await agent.prompt("hi");
    const { reason, errorMessage } = await ended;
    checkHistory(agent.state.messages);
    expect(checker.idle).toBe(true);
    if (CALL_HOOKS.includes(hook)) {
      expect(reason).toBe("completed");
      expect(agent.state.messages.map(say)[2]).toBe("toolResult error: It broke.");
    } else {
      expect([reason, errorMessage, agent.state.errorMessage]).toEqual(["error", "It broke.", "It broke."]);
      expect(agent.state.messages.at(-1)).toMatchObject({
        role: "assistant",
        stopReason: "error",
        errorMessage: "It broke.",
      });
    }
  });

  test("that never settles gives way to an abort", async () => {
    const clock = new VirtualClock();
    const script = scriptedModel([[call("1", "look")], "Done."]);
    const { agent, checker } = watched({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [tool("look")] },
      clock,
      abortGraceMs: 500,
      [hook]: () => new Promise(() => {}),
    });
    const ended = endOf(agent);
    clock.setTimeout(() => agent.abort("enough"), 1_000);
    await clock.runUntil(agent.prompt("hi"));
    expect(clock.now()).toBe(1_500);
    expect((await ended).reason).toBe("aborted");
    expect(checker.idle).toBe(true);
    checkHistory(agent.state.messages);
  });
});

test("a failure after the turn gets a turn of its own with the failure as its message", async () => {
  const script = scriptedModel(["Hello."]);
  const agent = new Agent({
    streamFn: script.streamFn,
    initialState: { model: script.model },
    shouldStopAfterTurn: () => {
      throw new Error("It broke.");
    },
  });
  const events = record(agent);
  await agent.prompt("hi");
  expect(events.slice(4)).toEqual([
    "message_start assistant",
    "message_end assistant",
    "turn_end",
    "turn_start",
    "message_start assistant",
    "message_end assistant",
    "turn_end",
    "agent_end error",
  ]);
});

describe("a stream function", () => {
  const stream =
    (fill: (stream: ReturnType<typeof createAssistantMessageEventStream>) => void): StreamFn =>
    () => {
      const made = createAssistantMessageEventStream();
      fill(made);
      return made;
    };
  const rubbish =
    (value: unknown): StreamFn =>
    () =>
      value as ReturnType<StreamFn>;
  test.each<[string, StreamFn, string]>([
    [
      "throws",
      () => {
        throw new Error("It broke.");
      },
      "It broke.",
    ],
    ["rejects", () => Promise.reject(new Error("It broke.")), "It broke."],
    [
      "throws nothing at all",
      () => {
        throw undefined;
      },
      "The model call failed.",
    ],
    ["gives nothing", rubbish(undefined), "The stream function returned something that is no event stream."],
    ["gives a text", rubbish("hello"), "The stream function returned something that is no event stream."],
    [
      "ends without an event",
      stream((made) => made.end()),
      "The stream ended before the model had finished. What arrived is kept; try again.",
    ],
    [
      "ends with no message",
      stream((made) => made.push({ type: "done", reason: "stop", message: null as never })),
      "The stream ended with something that is no message.",
    ],
    [
      "gives a bare queue that only ends",
      () => {
        const made = new EventStream<never, never>(
          () => false,
          (event) => event,
        );
        made.end();
        return made as never;
      },
      "The stream ended before the model had finished.",
    ],
    [
      "throws while it is read",
      rubbish({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("It broke.")) }) }),
      "It broke.",
    ],
  ])("that %s ends the turn with an error message", async (_how, streamFn, sentence) => {
    const script = scriptedModel([]);
    const { agent, checker } = watched({ streamFn, initialState: { model: script.model } });
    await agent.prompt("hi");
    expect(checker.log.filter((event) => !event.startsWith("message_update"))).toEqual([
      "agent_start",
      "turn_start",
      "message_start(user)",
      "message_end(user)",
      "message_start(assistant)",
      "message_end(assistant)",
      "turn_end",
      "agent_end",
    ]);
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "error", errorMessage: sentence, content: [] });
    expect(agent.state.isStreaming).toBe(false);
  });

  test("that pushes rubbish between its events is read all the same", async () => {
    const message = answer("Hi.");
    const events = [
      undefined,
      null,
      7,
      { type: "surprise" },
      { type: "text_delta" },
      { type: "text_delta", partial: message },
    ];
    async function* pushed() {
      yield* events;
      yield { type: "start", partial: message };
      yield { type: "text_delta", partial: null };
      yield { type: "done", reason: "stop", message };
      yield { type: "done", reason: "stop", message: answer("Twice.") };
    }
    const { agent, checker } = watched({
      streamFn: rubbish(pushed()),
      initialState: { model: scriptedModel([]).model },
    });
    await agent.prompt("hi");
    expect(agent.state.messages.at(-1)).toBe(message);
    expect(checker.idle).toBe(true);
  });

  test("that gives the terminal event alone has a message that starts and ends", async () => {
    const script = scriptedModel([{ error: { kind: "auth" }, errorMessage: "No key." }]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
    const events = record(agent);
    await agent.prompt("hi");
    expect(events.slice(4)).toEqual([
      "message_start assistant",
      "message_end assistant",
      "turn_end",
      "agent_end error",
    ]);
  });

  test("that cuts off keeps what had arrived, whatever it does to it later", async () => {
    let late: () => void = () => {};
    const script = scriptedModel([]);
    const agent = new Agent({
      streamFn: stream((made) => {
        const partial = answer("So fa");
        made.push({ type: "start", partial });
        made.push({ type: "done", reason: "stop", message: 5 as never });
        late = () => {
          (partial.content[0] as { text: string }).text = "changed";
        };
      }),
      initialState: { model: script.model },
    });
    await agent.prompt("hi");
    late();
    expect(agent.state.messages.map(say)).toEqual(["user: hi", "assistant: So fa"]);
  });
});

describe("a tool", () => {
  const circular: Record<string, unknown> = { big: 10n, when: new Date(0), nothing: undefined };
  circular["self"] = circular;
  test.each<[string, () => unknown, string]>([
    [
      "throws a text",
      () => {
        throw "No.";
      },
      "toolResult error: No.",
    ],
    [
      "throws nothing",
      () => {
        throw undefined;
      },
      'toolResult error: "odd" failed without saying why.',
    ],
    [
      "throws an object",
      () => {
        throw { code: 7 };
      },
      'toolResult error: "odd" failed without saying why. {"code":7}',
    ],
    [
      "throws an error without words",
      () => {
        throw new Error("");
      },
      'toolResult error: "odd" failed without saying why.',
    ],
    ["gives nothing", () => undefined, 'toolResult error: The tool "odd" returned no result.'],
    ["gives a text", () => "Fine.", "toolResult: Fine."],
    [
      "gives an object without content",
      () => ({}),
      'toolResult error: The tool "odd" returned a result without content.',
    ],
    ["gives content that is a text", () => ({ content: "Fine." }), "toolResult: Fine."],
    [
      "gives blocks that are none",
      () => ({ content: [null, 3, { type: "text", text: "Fine." }, { type: "text" }] }),
      "toolResult: Fine.",
    ],
    ["says that it failed", () => ({ ...textResult("Bad."), isError: true }), "toolResult error: Bad."],
    ["gives details that are no JSON", () => ({ ...textResult("Fine."), details: circular }), "toolResult: Fine."],
  ])("that %s is answered in words", async (_how, execute, expected) => {
    const script = scriptedModel([[call("1", "odd")], "Done."]);
    const { agent } = watched({
      streamFn: script.streamFn,
      initialState: {
        model: script.model,
        tools: [tool("odd", { execute: async () => execute() as AgentToolResult })],
      },
    });
    await agent.prompt("hi");
    expect(agent.state.messages.map(say)[2]).toBe(expected);
    expect(JSON.parse(JSON.stringify(agent.state.messages))).toEqual(agent.state.messages);
    script.finish();
  });

  test("that reports progress late is not heard", async () => {
    let report: (() => void) | undefined;
    const chatty = tool("chatty", {
      execute: async (_id, _params, _signal, onUpdate) => {
        report = () => onUpdate?.(textResult("late"));
        onUpdate?.(textResult("in time"));
        return textResult("done");
      },
    });
    const script = scriptedModel([[call("1", "chatty")], "Done."]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [chatty] } });
    const updates: AgentEvent[] = [];
    agent.subscribe((event) => {
      if (event.type === "tool_execution_update") updates.push(event);
      if (event.type === "tool_execution_end") report?.();
    });
    await agent.prompt("hi");
    report?.();
    expect(updates).toEqual([
      {
        type: "tool_execution_update",
        toolCallId: "1",
        toolName: "chatty",
        args: {},
        partialResult: textResult("in time"),
      },
    ]);
  });
});

describe("a listener", () => {
  test("that throws ends the run with its error, and the others hear everything", async () => {
    const script = scriptedModel([[call("1", "look"), call("2", "look")]]);
    const { agent, checker } = watched({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools: [tool("look")] },
    });
    agent.subscribe((event) => {
      if (event.type === "tool_execution_start") throw new Error("The disk is full.");
    });
    const events = record(agent);
    await agent.prompt("hi");
    expect(events.slice(-5)).toEqual([
      "turn_start",
      "message_start assistant",
      "message_end assistant",
      "turn_end",
      "agent_end error",
    ]);
    expect(checker.idle).toBe(true);
    expect(agent.state.errorMessage).toBe("The disk is full.");
    expect(agent.state.messages.map(say)).toEqual([
      "user: hi",
      "assistant: look#1 | look#2",
      'toolResult error: "look" was not run. The disk is full.',
      'toolResult error: "look" was not run. The disk is full.',
      "assistant: ",
    ]);
  });

  test("that throws while the model speaks ends that message and nothing else", async () => {
    const script = scriptedModel([{ content: [{ type: "text", text: "Hello, how are you?" }] }]);
    const { agent } = watched({ streamFn: script.streamFn, initialState: { model: script.model } });
    agent.subscribe((event) => {
      if (event.type === "message_update") throw new Error("The screen is gone.");
    });
    await agent.prompt("hi");
    expect(agent.state.messages).toHaveLength(2);
    expect(agent.state.messages[1]).toMatchObject({ stopReason: "error", errorMessage: "The screen is gone." });
  });

  test("that throws at agent_end makes the prompt reject, since no event is left", async () => {
    const script = scriptedModel(["Hello."]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
    const failure = new Error("The disk is full.");
    agent.subscribe((event) => {
      if (event.type === "agent_end") throw failure;
    });
    await expect(agent.prompt("hi")).rejects.toBe(failure);
    expect(agent.state.isStreaming).toBe(false);
  });

  test("that throws at every event still sees a whole run", async () => {
    const script = scriptedModel([]);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
    const events: string[] = [];
    agent.subscribe((event) => {
      events.push(brief(event));
      throw new Error("No.");
    });
    await agent.prompt("hi").catch(() => {});
    expect(events).toEqual([
      "agent_start",
      "turn_start",
      "message_start user",
      "message_end user",
      "message_start assistant",
      "message_end assistant",
      "turn_end",
      "agent_end error",
    ]);
  });

  test("that never settles gives way to an abort, and the others are waited for as ever", async () => {
    const clock = new VirtualClock();
    const script = scriptedModel(["Hello."]);
    const agent = new Agent({
      streamFn: script.streamFn,
      initialState: { model: script.model },
      clock,
      abortGraceMs: 500,
    });
    agent.subscribe((event) => (event.type === "turn_start" ? new Promise(() => {}) : undefined));
    const saved: string[] = [];
    agent.subscribe(async (event) => {
      await clock.sleep(100);
      saved.push(event.type);
    });
    clock.setTimeout(() => agent.abort(), 1_000);
    await clock.runUntil(agent.prompt("hi"));
    expect(saved).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
  });
});

describe("a fatal error", () => {
  class Suspended extends Error {}
  const isFatal = (error: unknown) => error instanceof Suspended;
  const throwIt = () => {
    throw new Suspended("later");
  };
  test.each<[string, AgentOptions & { execute?: () => Promise<AgentToolResult> }]>([
    ["a stream function", { streamFn: throwIt }],
    ["a tool", { execute: throwIt }],
    ["a hook before the model", { transformContext: throwIt }],
    ["a hook before a tool", { beforeToolCall: throwIt }],
    ["a hook after a tool", { afterToolCall: throwIt }],
    ["a hook after the turn", { shouldStopAfterTurn: throwIt }],
  ])("of %s passes through untouched, with no further event", async (_whose, { execute, ...options }) => {
    const script = scriptedModel([[call("1", "look")], "Done."]);
    const tools = [tool("look", execute ? { execute } : {})];
    const agent = new Agent({
      streamFn: script.streamFn,
      initialState: { model: script.model, tools },
      isFatal,
      ...options,
    });
    const events = record(agent);
    await expect(agent.prompt("hi")).rejects.toBeInstanceOf(Suspended);
    expect(events.some((event) => event.startsWith("agent_end"))).toBe(false);
    expect(
      agent.state.messages.every(
        (message) =>
          (!("errorMessage" in message) && message.role !== "toolResult") ||
          (message.role === "toolResult" && !message.isError),
      ),
    ).toBe(true);
    expect(agent.state.isStreaming).toBe(false);
  });

  test("of one tool stops the others, and nothing more is told of them", async () => {
    let stopped: unknown;
    const patient = tool("patient", {
      execute: (_id, _params, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            stopped = signal.reason;
            reject(signal.reason);
          });
        }),
    });
    const script = scriptedModel([[call("1", "patient"), call("2", "look")]]);
    const tools = [patient, tool("look", { execute: throwIt })];
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools }, isFatal });
    const events = record(agent);
    await expect(agent.prompt("hi")).rejects.toBeInstanceOf(Suspended);
    await new Promise((resolve) => setImmediate(resolve));
    expect(events.slice(-2)).toEqual(["tool_execution_start 1", "tool_execution_start 2"]);
    expect(stopped).toMatchObject({ name: "AbortError" });
  });

  test("of a listener passes through as well", async () => {
    const script = scriptedModel(["Done."]);
    const context = { systemPrompt: "", messages: [] };
    const config = { model: script.model, convertToLlm: () => [user("hi")], isFatal };
    await expect(runAgentLoop([], context, config, throwIt, undefined, script.streamFn)).rejects.toBeInstanceOf(
      Suspended,
    );
  });
});

// A stream function may throw, reject, hand over rubbish or end without a word: the turn ends with a message that says so.
import { Agent, type StreamFn } from "@rondo/agent";
import { type AssistantMessage, createAssistantMessageEventStream, EventStream } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test, vi } from "vitest";
import { checkHistory } from "./simulation/event-checker.ts";
import { answer, call, record, say, tool, watched } from "./support.ts";

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
    expect(agent.state.messages.at(-1)).toEqual(message);
    expect(checker.idle).toBe(true);
  });

  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  class Answer {
    readonly #secret = "not data";
    constructor() {
      Object.assign(this, { ...answer("Hi."), rawStopReason: undefined, at: new Date(0) });
    }
    secret = undefined;
    describe(): string {
      return this.#secret;
    }
  }

  test.each<[string, object, string]>([
    ["a function", { content: [{ type: "text", text: "Hi.", format: () => "" }] }, "content.0.format is a function"],
    ["a bigint", { usage: { totalTokens: 7n, cost: {} } }, "usage.totalTokens is a bigint"],
    ["a cycle", { content: [call("1", "look", { circle })] }, "content.0.arguments.circle.self is circular"],
    ["too much", { content: [{ type: "text", text: "x".repeat(2 ** 26) }] }, "content.0.text is too large"],
    [
      "what cannot be read",
      {
        content: [
          {
            type: "text",
            text: "Hi.",
            get more() {
              throw new Error("no");
            },
          },
        ],
      },
      "content.0 is unreadable",
    ],
  ])("whose message holds %s ends the turn with an error, in plain JSON", async (_what, rest, problem) => {
    const message = { ...answer("Hi."), ...rest } as AssistantMessage;
    const { agent, checker } = watched({
      streamFn: stream((made) => made.push({ type: "done", reason: "stop", message })),
      initialState: { model: scriptedModel([]).model, tools: [tool("look")] },
    });
    await agent.prompt("hi");
    const { messages, errorMessage } = agent.state;
    expect(errorMessage).toBe(
      `The model's message cannot be kept: ${problem}. A stream function must give plain JSON, and not too much of it.`,
    );
    expect(JSON.parse(JSON.stringify(messages))).toEqual(messages);
    checkHistory(messages);
    expect(checker.idle).toBe(true);
  });

  test("whose message is an object of a class has its data kept", async () => {
    const { agent } = watched({
      streamFn: stream((made) => made.push({ type: "done", reason: "stop", message: new Answer() as never })),
      initialState: { model: scriptedModel([]).model },
    });
    await agent.prompt("hi");
    const message = agent.state.messages.at(-1);
    expect(message).toStrictEqual({ ...answer("Hi."), at: "1970-01-01T00:00:00.000Z" });
  });

  test("that ends without a terminal event has its own result kept, if it has one", async () => {
    const message = answer("Hi.");
    async function* nothing() {}
    const { agent } = watched({
      streamFn: rubbish(Object.assign(nothing(), { result: async () => message })),
      initialState: { model: scriptedModel([]).model },
    });
    await agent.prompt("hi");
    expect(agent.state.messages.at(-1)).toEqual(message);
  });

  test.each(["aborted", "error"] as const)(
    "that ends as %s by itself ends the run, its calls unrun",
    async (reason) => {
      const message = { ...answer(""), content: [call("1", "look")], stopReason: reason, errorMessage: "It ended." };
      const { agent } = watched({
        streamFn: stream((made) => made.push({ type: "error", reason, error: message })),
        initialState: { model: scriptedModel([]).model, tools: [tool("look")] },
      });
      const events = record(agent);
      await agent.prompt("hi");
      expect(events.at(-1)).toBe(`agent_end ${reason}`);
      expect(agent.state.messages.map(say)).toEqual([
        "user: hi",
        "assistant: look#1",
        'toolResult error: "look" was not run, since the answer that asked for it did not arrive whole.',
      ]);
    },
  );

  test.each<[string, (agent: Agent) => void]>([
    ["an abort", (agent) => agent.abort()],
    ["the failure of a listener", () => Promise.reject(new Error("It broke."))],
  ])("that ignores its signal is told to stop after %s", async (_what, act) => {
    const partial = answer("Once");
    let left = false;
    const endless: AsyncIterator<unknown> & AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => endless,
      next: vi
        .fn(() => new Promise<never>(() => {}))
        .mockResolvedValueOnce({ done: false, value: { type: "start", partial } } as never),
      return: async () => {
        left = true;
        return { done: true, value: undefined };
      },
    };
    const { agent } = watched({ streamFn: rubbish(endless), abortGraceMs: 0 });
    agent.subscribe((event) => {
      if (event.type === "message_start" && event.message.role === "assistant") return act(agent);
    });
    await agent.prompt("hi");
    expect(left).toBe(true);
    expect(agent.state.messages.map(say)).toEqual(["user: hi", "assistant: Once"]);
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

  test("that cuts off keeps of what had arrived what is a block", async () => {
    const agent = new Agent({
      streamFn: stream((made) => {
        const partial = answer("So far");
        partial.content.push(5 as never, null as never, { type: "toolCall", id: 7 } as never);
        made.push({ type: "start", partial });
        made.push({ type: "done", reason: "stop", message: 5 as never });
      }),
    });
    await agent.prompt("hi");
    expect(agent.state.messages.map(say)).toEqual(["user: hi", "assistant: So far"]);
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

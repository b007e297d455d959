// The Agent class: one run at a time, queues, state, listeners, continuing and resetting.
import { Agent, type AgentEvent, type AgentOptions } from "@rondo/agent";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { brief, call, gate, record, say, tool, user } from "./support.ts";

function setUp(steps: ScriptedStep[], options: AgentOptions = {}) {
  const script = scriptedModel(steps);
  const agent = new Agent({
    streamFn: script.streamFn,
    ...options,
    initialState: { model: script.model, tools: [tool("look")], ...options.initialState },
  });
  return { script, agent, history: () => agent.state.messages.map(say) };
}

test("text, images, a message or several make a prompt", async () => {
  const { agent, script } = setUp(["1", "2", "3"]);
  await agent.prompt("look", [{ type: "image", data: "aGk=", mimeType: "image/png" }]);
  await agent.prompt(user("one"));
  await agent.prompt([user("two"), user("three")]);
  const users = agent.state.messages.filter((message) => message.role === "user").map(({ content }) => content);
  expect(users).toEqual([
    [
      { type: "text", text: "look" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
    ],
    "one",
    "two",
    "three",
  ]);
  script.finish();
});

test("what is no prompt is refused, and the agent stays usable", async () => {
  const { agent } = setUp(["Hello."]);
  await expect(agent.prompt(undefined as unknown as string)).rejects.toThrow(TypeError);
  await agent.prompt("hi");
  expect(agent.state.isStreaming).toBe(false);
});

test("a second prompt during a run is refused", async () => {
  const { agent } = setUp([{ hang: true }]);
  const running = agent.prompt("hi");
  await expect(agent.prompt("again")).rejects.toThrow(
    "Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion.",
  );
  await expect(agent.continue()).rejects.toThrow("Agent is already processing. Wait for completion before continuing.");
  agent.abort();
  await running;
});

test("the run is over when the listeners of agent_end have settled, in the order of their subscription", async () => {
  const { agent } = setUp(["Hello."]);
  const { opened, open } = gate();
  const order: string[] = [];
  agent.subscribe(async (event) => {
    if (event.type !== "agent_end") return;
    order.push(`first, streaming ${agent.state.isStreaming}`);
    await opened;
    order.push("first is done");
  });
  agent.subscribe((event) => {
    if (event.type === "agent_end") order.push("second");
  });
  void agent.prompt("hi");
  const idle = agent.waitForIdle().then(() => order.push(`idle, streaming ${agent.state.isStreaming}`));
  setImmediate(open);
  await idle;
  expect(order).toEqual(["first, streaming true", "first is done", "second", "idle, streaming false"]);
});

test("a listener that was taken off hears nothing more", async () => {
  const { agent } = setUp(["One.", "Two."]);
  const events: AgentEvent[] = [];
  const stop = agent.subscribe((event) => void events.push(event));
  await agent.prompt("hi");
  const heard = events.length;
  stop();
  await agent.prompt("hi");
  expect(events).toHaveLength(heard);
});

test("the state is up to date before a listener hears of an event", async () => {
  const { agent } = setUp([[call("1", "look")], "Done."]);
  const seen: string[] = [];
  agent.subscribe((event) => {
    if (event.type === "message_update") return;
    const { messages, pendingToolCalls, streamingMessage, isStreaming } = agent.state;
    seen.push(
      [
        brief(event),
        messages.length,
        [...pendingToolCalls].join() || "-",
        streamingMessage?.role ?? "-",
        isStreaming,
      ].join(" "),
    );
  });
  await agent.prompt("hi");
  expect(seen).toEqual([
    "agent_start 0 - - true",
    "turn_start 0 - - true",
    "message_start user 0 - user true",
    "message_end user 1 - - true",
    "message_start assistant 1 - assistant true",
    "message_end assistant 2 - - true",
    "tool_execution_start 1 2 1 - true",
    "tool_execution_end 1 2 - - true",
    "message_start toolResult 2 - toolResult true",
    "message_end toolResult 3 - - true",
    "turn_end 3 - - true",
    "turn_start 3 - - true",
    "message_start assistant 3 - assistant true",
    "message_end assistant 4 - - true",
    "turn_end 4 - - true",
    "agent_end completed 4 - - true",
  ]);
});

test("one steering message enters per turn, or all of them", async () => {
  for (const [steeringMode, expected] of [
    ["one-at-a-time", ["user: hi", "user: a", "assistant: 1", "user: b", "assistant: 2"]],
    ["all", ["user: hi", "user: a", "user: b", "assistant: 1"]],
  ] as const) {
    const { agent, history } = setUp(["1", "2"], { steeringMode });
    agent.steer(user("a"));
    agent.steer(user("b"));
    await agent.prompt("hi");
    expect(history()).toEqual(expected);
    expect(agent.hasQueuedMessages()).toBe(false);
  }
});

test("one follow-up enters when the agent would stop, or all of them", async () => {
  for (const [followUpMode, expected] of [
    ["one-at-a-time", ["user: hi", "assistant: 1", "user: a", "assistant: 2", "user: b", "assistant: 3"]],
    ["all", ["user: hi", "assistant: 1", "user: a", "user: b", "assistant: 2"]],
  ] as const) {
    const { agent, history } = setUp(["1", "2", "3"]);
    agent.followUpMode = followUpMode;
    agent.followUp(user("a"));
    agent.followUp(user("b"));
    await agent.prompt("hi");
    expect(history()).toEqual(expected);
  }
});

test("queues can be looked at and cleared", () => {
  const { agent } = setUp([]);
  agent.steer(user("a"));
  agent.followUp(user("b"));
  expect(agent.queuedMessages).toEqual({ steering: [user("a")], followUps: [user("b")] });
  agent.clearSteeringQueue();
  expect(agent.queuedMessages).toEqual({ steering: [], followUps: [user("b")] });
  agent.clearFollowUpQueue();
  expect(agent.hasQueuedMessages()).toBe(false);
  agent.steer(user("c"));
  agent.clearAllQueues();
  expect(agent.hasQueuedMessages()).toBe(false);
});

test("a queued message can be taken back once", async () => {
  const { agent } = setUp([{ hang: true }, "Done."]);
  const [first, second, later] = [user("first"), user("second"), user("later")];
  for (const message of [first, second]) agent.steer(message);
  agent.followUp(later);
  expect([agent.takeBack(second), agent.takeBack(second), agent.takeBack(later)]).toEqual([true, false, true]);
  const running = agent.prompt("go");
  agent.subscribe((event) => {
    if (event.type === "message_end" && event.message === first) agent.abort();
  });
  await running;
  expect(agent.state.messages.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([
    [{ type: "text", text: "go" }],
    "first",
  ]);
});

test("whoever queues a message is told whether the run under way will still see it", async () => {
  const { agent, history } = setUp(["1", "2", "3"]);
  const told: Record<string, boolean> = {};
  expect(agent.steer(user("before"))).toBe(false);
  agent.subscribe((event) => {
    if (event.type === "turn_end" && !("turn" in told)) told["turn"] = agent.followUp(user("in time"));
    if (event.type === "agent_end") told["end"] = agent.followUp(user("late"));
  });
  await agent.prompt("hi");
  expect(told).toEqual({ turn: true, end: false });
  expect(history()).toEqual(["user: hi", "user: before", "assistant: 1", "user: in time", "assistant: 2"]);
  expect(agent.queuedMessages.followUps).toEqual([user("late")]);
});

test("the same message may be said and queued: each time is a time of its own", async () => {
  const { agent, history } = setUp(["1", "2"]);
  const again = user("again");
  agent.followUp(again);
  await agent.prompt(again);
  expect(history()).toEqual(["user: again", "assistant: 1", "user: again", "assistant: 2"]);
});

test("of a message that was queued twice the later one is taken back", () => {
  const { agent } = setUp([]);
  const [twice, once] = [user("twice"), user("once")];
  for (const message of [twice, once, twice]) agent.steer(message);
  expect(agent.takeBack(twice)).toBe(true);
  expect(agent.queuedMessages.steering).toEqual([twice, once]);
});

test("a message that was queued twice is said twice", async () => {
  const { agent, history } = setUp(["1", "2"]);
  const twice = user("twice");
  for (const message of [twice, twice]) agent.steer(message);
  await agent.prompt("hi");
  expect(history()).toEqual(["user: hi", "user: twice", "assistant: 1", "user: twice", "assistant: 2"]);
});

test("a message that is being said cannot be taken back", async () => {
  const { agent, history } = setUp(["1"]);
  const steering = user("steering");
  agent.steer(steering);
  const taken: boolean[] = [];
  agent.subscribe((event) => {
    if (event.type === "message_start" && event.message === steering) taken.push(agent.takeBack(steering));
  });
  await agent.prompt("hi");
  expect(taken).toEqual([false]);
  expect(history()).toEqual(["user: hi", "user: steering", "assistant: 1"]);
});

test("whoever queues a message at the end of a run that failed is told that it waits", async () => {
  const { agent } = setUp([{ error: { kind: "auth" } }]);
  const told: boolean[] = [];
  agent.subscribe((event) => {
    if (event.type === "agent_end") told.push(agent.followUp(user("late")), agent.steer(user("later")));
  });
  await agent.prompt("hi");
  expect(told).toEqual([false, false]);
});

test("whoever queues a message after an abort is told that it waits", async () => {
  const { agent, history } = setUp(["1", "2"]);
  const told: boolean[] = [];
  const stop = agent.subscribe((event) => {
    if (event.type !== "message_start") return;
    agent.abort();
    told.push(agent.steer(user("late")), agent.followUp(user("later")));
    stop();
  });
  await agent.prompt("hi");
  expect(told).toEqual([false, false]);
  expect(agent.queuedMessages).toEqual({ steering: [user("late")], followUps: [user("later")] });
  expect(history()).toEqual(["user: hi", "assistant: "]);
});

test("steering that comes at any moment near the end enters, or whoever sent it was told that it waits", async () => {
  for (let depth = 0; depth < 60; depth++) {
    const { agent, history } = setUp(["1", "2"]);
    let told: boolean | undefined;
    agent.subscribe((event) => {
      if (event.type !== "turn_end" || told !== undefined) return;
      told = true;
      void later(depth).then(() => {
        told = agent.steer(user("just now"));
      });
    });
    await agent.prompt("hi");
    await later(depth);
    expect(history().includes("user: just now"), `depth ${depth}`).toBe(told);
    expect(agent.queuedMessages.steering, `depth ${depth}`).toEqual(told ? [] : [user("just now")]);
  }
});

async function later(depth: number): Promise<void> {
  for (let step = 0; step < depth; step++) await undefined;
}

test("an agent goes on from the last message of a user or a tool", async () => {
  const { agent, history } = setUp(["Hello."], { initialState: { messages: [user("hi")] } });
  await agent.continue();
  expect(history()).toEqual(["user: hi", "assistant: Hello."]);
});

test("after the model's last word an agent goes on with what is queued, steering first", async () => {
  const { agent, history } = setUp(["1", "2", "3"]);
  await expect(agent.continue()).rejects.toThrow("No messages to continue from");
  await agent.prompt("hi");
  await expect(agent.continue()).rejects.toThrow("Cannot continue from message role: assistant");
  agent.followUp(user("later"));
  agent.steer(user("now"));
  await agent.continue();
  expect(history()).toEqual(["user: hi", "assistant: 1", "user: now", "assistant: 2", "user: later", "assistant: 3"]);
});

test("an agent that goes on with steering says one message per turn", async () => {
  const { agent, history } = setUp(["1", "2", "3"]);
  await agent.prompt("hi");
  agent.steer(user("a"));
  agent.steer(user("b"));
  await agent.continue();
  expect(history().slice(2)).toEqual(["user: a", "assistant: 2", "user: b", "assistant: 3"]);
});

test("an agent that goes on with steering looks for more after each turn", async () => {
  const { agent, history } = setUp(["1", [call("1", "nobody")], "3"]);
  await agent.prompt("hi");
  agent.steer(user("a"));
  agent.steer(user("b"));
  await agent.continue();
  expect(history().slice(4)).toEqual([expect.stringContaining("toolResult error"), "user: b", "assistant: 3"]);
});

test("reset forgets history, queues and errors", async () => {
  const { agent } = setUp([{ error: {}, errorMessage: "No." }]);
  agent.steer(user("a"));
  agent.followUp(user("b"));
  await agent.prompt("hi");
  expect(agent.state.errorMessage).toBe("No.");
  agent.reset();
  expect(agent.state.messages).toEqual([]);
  expect(agent.state.errorMessage).toBeUndefined();
  expect(agent.hasQueuedMessages()).toBe(false);
});

test("reset during a run ends it, and what it still says is not kept", async () => {
  const { agent, history } = setUp([{ hang: true, content: [{ type: "text", text: "Well" }] }, []]);
  const events = record(agent);
  agent.subscribe((event) => {
    if (event.type === "message_update" && agent.state.messages.length > 0) agent.reset();
  });
  await agent.prompt("hi");
  expect(events.at(-1)).toBe("agent_end aborted");
  expect(history()).toEqual([]);
  await agent.prompt("new");
  expect(history()).toEqual(["user: new", "assistant: "]);
});

test("model, prompt, tools and thinking level of the next run are those of the state", async () => {
  const { agent, script } = setUp(["1", "2"], { initialState: { thinkingLevel: "high" } });
  await agent.prompt("hi");
  agent.state.model = { ...script.model, id: "other" };
  agent.state.systemPrompt = "New.";
  agent.state.thinkingLevel = "off";
  const tools = [tool("other")];
  agent.state.tools = tools;
  tools.pop();
  await agent.prompt("hi");
  expect(script.requests[0]?.options.reasoning).toBe("high");
  const second = script.requests[1];
  expect(second?.model.id).toBe("other");
  expect(second?.context.systemPrompt).toBe("New.");
  expect(second?.context.tools?.map(({ name }) => name)).toEqual(["other"]);
  expect(second?.options.reasoning).toBe("off");
});

test("hooks may be exchanged between runs, and the next turn may be prepared with or without the turn", async () => {
  const { agent } = setUp(["1", "2", "3"]);
  const asked: string[] = [];
  agent.prepareNextTurn = (signal) => void asked.push(`plain ${signal?.aborted}`);
  await agent.prompt("hi");
  agent.prepareNextTurnWithContext = ({ newMessages }, signal) =>
    void asked.push(`${newMessages.length} ${signal?.aborted}`);
  await agent.prompt("hi");
  expect(asked).toEqual(["plain false", "2 false"]);
});

test("messages of the application's own kinds do not reach the model", async () => {
  const { agent, script } = setUp(["1"]);
  await agent.prompt([{ role: "note", content: "x", timestamp: 0 }, user("hi")]);
  expect(script.requests[0]?.context.messages).toEqual([user("hi")]);
  expect(agent.state.messages).toHaveLength(3);
});

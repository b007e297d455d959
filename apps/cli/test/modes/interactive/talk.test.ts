// Between the person and the agent: nothing that was written is lost, whenever the agent is stopped.

import { setImmediate } from "node:timers/promises";
import { Agent, type AgentEvent, type AgentTool } from "@rondo/agent";
import { Type } from "@rondo/ai";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { AGAIN_MS } from "../../../src/modes/interactive/keys.ts";
import { Talk } from "../../../src/modes/interactive/talk.ts";
import { startRig } from "./interactive-rig.ts";

const look: AgentTool = {
  name: "look",
  label: "Look",
  description: "",
  parameters: Type.Object({}),
  execute: async () => ({ content: [{ type: "text", text: "seen" }], details: undefined }),
};
const call = { type: "toolCall" as const, id: "1", name: "look", arguments: {} };

/** A talk with an agent, and what is put back into an editor that nobody sees. */
function talkAlone(steps: ScriptedStep[]) {
  const script = scriptedModel(steps);
  const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [look] } });
  const written: string[] = [];
  const talk = new Talk({
    agent,
    unseen: new WeakSet(),
    putBack: (text) => written.push(...text.split("\n")),
    onChange: () => {},
    onError: (error) => {
      throw error;
    },
  });
  return { agent, talk, written };
}

test("a message that was sent while the agent works is heard or in the editor, at whatever event it is stopped", async () => {
  const told: string[] = [];
  for (let stopAt = 1; ; stopAt++) {
    const { agent, talk, written } = talkAlone([[call], "One.", "Two."]);
    let events = 0;
    const stop = (event: AgentEvent) => {
      events++;
      if (event.type === "turn_start" && events < 4) talk.say("steering");
      if (event.type === "turn_start" && events < 4) talk.sayLater("afterwards");
      if (events === stopAt) talk.stop();
    };
    agent.subscribe(stop);
    talk.say("go");
    // A run that was stopped is followed by one for what was said after.
    while (agent.state.isStreaming || agent.hasQueuedMessages()) await setImmediate();
    // What was about to enter when it was stopped is given back a moment later.
    await setImmediate();
    const heard = agent.state.messages.flatMap((message) =>
      message.role === "user" ? [(message.content as { text: string }[])[0]?.text ?? ""] : [],
    );
    expect([...heard, ...written].sort(), `stopped at event ${stopAt}`).toEqual(["afterwards", "go", "steering"]);
    expect(agent.hasQueuedMessages(), `stopped at event ${stopAt}`).toBe(false);
    told.push(...heard);
    if (events < stopAt) break;
  }
  expect(told).toContain("steering");
});

test("what is queued after the last look at the queue is said all the same", async () => {
  const rig = startRig({ steps: ["One.", "Two."] });
  const ends: string[] = [];
  rig.agent.subscribe((event) => {
    if (event.type !== "agent_end") return;
    ends.push(event.reason);
    if (ends.length === 1) rig.mode.talk.say("late");
  });
  rig.mode.talk.say("go");
  await rig.shows("Two.");
  expect(ends).toEqual(["completed", "completed"]);
});

test("the last queued message is taken back first, and stands before what is being written", async () => {
  const rig = startRig({ steps: [{ hang: true }] });
  rig.mode.talk.say("go");
  for (const text of ["first", "second"]) rig.mode.talk.say(text);
  rig.mode.talk.sayLater("third");
  rig.terminal.type("half a");
  rig.terminal.press("\x1b[1;3A");
  expect(rig.mode.workbench.editor.getText()).toBe("third\nhalf a");
  rig.terminal.press("\x1b[1;3A");
  expect(rig.mode.workbench.editor.getText()).toBe("second\nthird\nhalf a");
  expect(rig.agent.queuedMessages.steering).toHaveLength(1);
  rig.terminal.press("\x1b");
  expect(rig.mode.workbench.editor.getText()).toBe("first\nsecond\nthird\nhalf a");
  await rig.agent.waitForIdle();
});

test("the arrow up takes the last queued message back into an empty editor, before it shows what was said", async () => {
  const rig = startRig({ steps: [{ hang: true }] });
  rig.mode.talk.say("go");
  rig.mode.talk.say("steering");
  rig.terminal.press("\x1b[A");
  expect(rig.mode.workbench.editor.getText()).toBe("steering");
  expect(rig.agent.hasQueuedMessages()).toBe(false);
  rig.terminal.press("\x1b");
  await rig.agent.waitForIdle();
});

test("Ctrl+R searches what was said, the last first, and puts it into the editor", async () => {
  const rig = startRig({ steps: ["One.", "Two.", "Three."] });
  rig.terminal.press("\x12");
  await rig.shows("Nothing has been said yet.");
  for (const [text, answer] of [
    ["fix the form\nof it", "One."],
    ["run the tests", "Two."],
    ["run the tests", "Three."],
  ] as const) {
    rig.mode.talk.say(text);
    await rig.shows(answer);
    await rig.agent.waitForIdle();
  }
  rig.terminal.press("\x12");
  await rig.shows("→ run the tests");
  rig.terminal.type("form");
  await rig.shows("→ fix the form of it");
  rig.terminal.press("\r");
  while (rig.mode.workbench.editor.isEmpty) await rig.frame();
  expect(rig.mode.workbench.editor.getText()).toBe("fix the form\nof it");
});

test("Escape stops a run whatever has the keys, and closes it", async () => {
  const rig = startRig({ steps: [{ hang: true }] });
  rig.mode.talk.say("go");
  const picked = rig.mode.workbench.pick("Model", [{ value: "a", label: "a" }]);
  rig.terminal.press("\x1b");
  expect(rig.agent.signal?.aborted).toBe(true);
  expect(await picked).toBeUndefined();
  await rig.shows("Stopped.");
});

test("Escape stops a run that waits before it tries again", async () => {
  const fails = { error: { kind: "overloaded" as const, retryable: true }, errorMessage: "Too busy." };
  const rig = startRig({ steps: [fails, "Done."], agent: { retry: { attemptsMax: 3, baseDelayMs: 60_000 } } });
  rig.mode.talk.say("go");
  await rig.shows("Attempt 1 of 3 failed: Too busy.");
  rig.terminal.press("\x1b");
  await rig.agent.waitForIdle();
  expect(rig.script.requests).toHaveLength(1);
});

test("Ctrl+C clears, then stops, then leaves, if the second one comes soon", async () => {
  let pass: () => void = () => {};
  const pause = (milliseconds: number) =>
    milliseconds === AGAIN_MS ? new Promise<void>((resolve) => (pass = resolve)) : Promise.resolve();
  const rig = startRig({ steps: [{ hang: true }], pause });
  rig.mode.talk.say("go");
  rig.terminal.type("x");
  const state = () => [rig.mode.workbench.editor.getText(), rig.agent.signal?.aborted, rig.hasLeft()];
  rig.terminal.press("\x03");
  expect(state()).toEqual(["", false, false]);
  rig.terminal.press("\x03");
  expect(state()).toEqual(["", true, false]);
  await rig.agent.waitForIdle();
  await rig.shows("Ctrl+C again leaves");
  rig.terminal.type("z");
  await rig.shows("Enter sends");
  rig.terminal.press("\x03");
  await rig.shows("Ctrl+C again leaves");
  pass();
  await rig.shows("Enter sends");
  rig.terminal.press("\x03");
  await rig.shows("Ctrl+C again leaves");
  expect(rig.hasLeft()).toBe(false);
  rig.terminal.press("\x03");
  expect(rig.hasLeft()).toBe(true);
});

test("Ctrl+C stops a shell command before it leaves, and the line above the editor tells of the one that runs on", async () => {
  const rig = startRig({ steps: ["Said."] });
  rig.mode.runErrand(
    "Escape stops",
    (signal) => new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
  );
  rig.terminal.type("hello");
  rig.terminal.press("\r");
  await rig.shows("Said.");
  await rig.shows("s · Escape stops\n");
  rig.terminal.type("x");
  rig.terminal.press("\x03", "\x03");
  expect(rig.hasLeft()).toBe(false);
  await rig.shows("Enter sends");
});

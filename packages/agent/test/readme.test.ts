// The trees of events in this package's README are what really happens. Its example is run by the tests of the documents.
import { readFileSync } from "node:fs";
import { Agent, type AgentEvent } from "@rondo/agent";
import { type ScriptedStep, scriptedModel } from "@rondo/ai/testing";
import { describe, expect, test } from "vitest";
import { call, say, textResult, tool, user } from "./support.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const WEATHER = tool("get_weather", {
  execute: async (_id, params) => textResult(`${(params as { city: string }).city}: sunny`),
});
const ASK_BOTH = [call("1", "get_weather", { city: "Beijing" }), call("2", "get_weather", { city: "Shanghai" })];

interface Scene {
  steps: ScriptedStep[];
  prompt: string;
  act?: (agent: Agent, event: AgentEvent) => void;
}

const SCENES: Record<string, Scene> = {
  "A prompt": { steps: ["Hello to you."], prompt: "Hi" },
  "A tool turn": { steps: [ASK_BOTH, "Sunny in both."], prompt: "Weather in Beijing and Shanghai?" },
  "An abort": {
    steps: [{ hang: true, content: [{ type: "text", text: "Once upon" }] }],
    prompt: "Tell me a story",
    act: (agent, event) => {
      if (event.type === "message_update" && event.assistantMessageEvent.type === "text_end") agent.abort("enough");
    },
  },
  "An abort while tools run": {
    steps: [ASK_BOTH],
    prompt: "Weather in Beijing and Shanghai?",
    act: (agent, event) => {
      if (event.type === "tool_execution_start" && event.toolCallId === "2") agent.abort();
    },
  },
  "A steering message": {
    steps: [[call("1", "get_weather", { city: "Beijing" })], "25 °C in Shanghai."],
    prompt: "Weather in Beijing?",
    act: (agent, event) => {
      if (event.type === "tool_execution_start") agent.steer(user("I meant Shanghai"));
    },
  },
  "A failure": { steps: [{ error: { kind: "auth" }, errorMessage: "The key was refused." }], prompt: "Hi" },
};

describe("the tree of events in the README", () => {
  test.each(Object.entries(SCENES))("%s", async (title, { steps, prompt, act }) => {
    const script = scriptedModel(steps);
    const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model, tools: [WEATHER] } });
    const events: AgentEvent[] = [];
    agent.subscribe((event) => {
      events.push(event);
      act?.(agent, event);
    });
    await agent.prompt(user(prompt));
    script.finish();
    expect(blockUnder(`### ${title}`)).toBe(drawTree(events));
  });
});

/** The first fenced block after a heading. */
function blockUnder(heading: string): string | undefined {
  const after = README.split(`${heading}\n`)[1];
  return after?.match(/```\w*\n(.*?)\n```/s)?.[1];
}

/** One line per event, two more spaces inside a run, a turn and a message. Updates in a row are one line. */
function drawTree(events: AgentEvent[]): string {
  const lines: string[] = [];
  let depth = 0;
  for (const event of events) {
    const nests = !event.type.startsWith("tool_execution");
    if (nests && event.type.endsWith("_end")) depth--;
    const line = `${"  ".repeat(depth)}${event.type}${about(event)}`;
    if (lines.at(-1) !== line) lines.push(line);
    if (nests && event.type.endsWith("_start")) depth++;
  }
  return lines.join("\n");
}

function about(event: AgentEvent): string {
  switch (event.type) {
    case "message_end":
      return `  ${say(event.message)}${"errorMessage" in event.message ? ` (${event.message.stopReason}: ${event.message.errorMessage})` : ""}`;
    case "message_start":
      return `  ${event.message.role}`;
    case "tool_execution_start":
    case "tool_execution_end":
      return `  ${event.toolName} #${event.toolCallId}`;
    case "agent_end":
      return `  ${event.reason}`;
    default:
      return "";
  }
}

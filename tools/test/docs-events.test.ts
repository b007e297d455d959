// docs/events.md names the events that there are, and draws the streams of model calls as they are.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AssistantMessageEvent, customModel, stream } from "../../packages/ai/src/index.ts";
import {
  encodeReply,
  replayInOrder,
  type ScriptedReply,
  type ServedResponse,
  startReplayServer,
} from "../../test-fixtures/src/index.ts";
import { ROOT } from "./docs-markdown.ts";

const page = readFileSync(join(ROOT, "docs/events.md"), "utf8");

/** The names in the first column of the table under a heading. */
function eventsUnder(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1] as string));
}

/** The members of a union of events, by their `type`. */
function typesIn(file: string, union: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const declaration = source.slice(source.indexOf(`export type ${union} =`));
  const end = declaration.search(/;\n(\n|$)|;$/);
  return [...declaration.slice(0, end).matchAll(/type: "(\w+)"/g)].map((match) => match[1] as string);
}

describe("the tables hold all events and no other", () => {
  test("of a model call", () => {
    const types = typesIn("packages/ai/src/types.ts", "AssistantMessageEvent");
    expect(types).toHaveLength(12);
    expect(eventsUnder("A model call").sort()).toEqual(types.sort());
  });

  test("of a run", () => {
    const types = typesIn("packages/agent/src/types.ts", "AgentEvent");
    expect(types).toHaveLength(10);
    expect(eventsUnder("A run of an agent").sort()).toEqual(types.sort());
  });
});

const REPLY: ScriptedReply = {
  content: [
    { type: "text", text: "Looking now." },
    { type: "toolCall", id: "1", name: "get_weather", arguments: { city: "Oslo" } },
    { type: "toolCall", id: "2", name: "clock", arguments: {} },
  ],
};

/** One line per event. */
function draw(event: AssistantMessageEvent): string {
  if (event.type === "start") return "start";
  if (event.type === "done" || event.type === "error") return `${event.type} ${event.reason}`;
  return `${event.type} ${event.contentIndex}${"delta" in event ? `  "${event.delta}"` : ""}`;
}

async function drawn(response: ServedResponse): Promise<string> {
  const server = await startReplayServer(replayInOrder([response]));
  const lines: string[] = [];
  const messages = [{ role: "user" as const, content: "Look.", timestamp: 0 }];
  const model = customModel({ id: "scripted", baseUrl: server.url, api: "anthropic-messages" });
  for await (const event of stream(model, { messages })) lines.push(draw(event));
  await server.close();
  return lines.join("\n");
}

/** The first fenced block after a sentence. */
const blockAfter = (sentence: string): string | undefined => page.split(sentence)[1]?.match(/```\n(.*?)\n```/s)?.[1];

const BODY = encodeReply("anthropic-messages", REPLY, { model: "scripted" });

test("a text and two calls come as they are drawn", async () => {
  expect(await drawn({ body: BODY })).toBe(blockAfter("A text and two calls:"));
});

test("a stream that breaks off comes as it is drawn", async () => {
  const cut = BODY.slice(0, BODY.indexOf(" now."));
  expect(await drawn({ body: cut })).toBe(blockAfter("A stream that breaks off in its text:"));
});

// The agent of the measurements of durable runs: a model that answers at once and tools that do nothing, so that what is left is
// the engine. Also a worker process: node durable-agent.mjs <engine> <place> works until it is killed.
import { setTimeout as delay } from "node:timers/promises";
import { AssistantMessageEventStream, Type } from "../packages/ai/dist/index.js";
import { journalEngine } from "../packages/durable/dist/index.js";

const MODEL = { id: "m", name: "m", api: "m", provider: "m", baseUrl: "", reasoning: false, input: ["text"], cost: {} };

/** Opens an engine: `journal` in a folder, or `dbos` on a database. */
export async function openEngine(name, place) {
  if (name === "journal") return journalEngine({ folder: place });
  const { dbosEngine } = await import("../packages/durable-dbos/dist/index.js");
  return dbosEngine({ url: place });
}

/** Makes an agent of as many turns as its input says, with one call of a tool each; a call may take a while. */
export function agentOf({ turns, toolMs = 0, segmentStepsMax = 100_000 }) {
  const tool = {
    name: "nothing",
    label: "Nothing",
    description: "Does nothing",
    parameters: Type.Object({}),
    replay: "safe",
    async execute() {
      if (toolMs > 0) await delay(toolMs);
      return { content: [{ type: "text", text: "done" }], details: {} };
    },
  };
  return {
    model: MODEL,
    streamFn: (_model, context) => answer(context, turns),
    tools: [tool],
    prompt: "Go.",
    segmentStepsMax,
  };
}

function answer({ messages }, turns) {
  const turn = messages.filter(({ role }) => role === "assistant").length + 1;
  const call = { type: "toolCall", id: `call_${turn}`, name: "nothing", arguments: {} };
  const isLast = turn > turns;
  const message = {
    role: "assistant",
    content: isLast ? [{ type: "text", text: "Done." }] : [call],
    ...{ api: "m", provider: "m", model: "m", usage: { cost: {} }, timestamp: Date.now() },
    stopReason: isLast ? "stop" : "toolUse",
  };
  const stream = new AssistantMessageEventStream();
  stream.push({ type: "start", partial: message });
  stream.push({ type: "done", reason: message.stopReason, message });
  return stream;
}

if (process.argv[1]?.endsWith("durable-agent.mjs")) {
  const engine = await openEngine(process.argv[2], process.argv[3]);
  const onRecord = (moment, name) => moment === "after" && process.stdout.write(`${name}\n`);
  await engine.worker({ bench: agentOf }, { version: "1", onRecord });
}

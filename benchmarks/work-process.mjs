// Rondo's own work at growing sizes, without a peer to compare: CPU milliseconds of the best of five runs.
import { Agent } from "@rondo/agent";
import { createAssistantMessageEventStream, customModel, EventStream, prepareTranscript } from "@rondo/ai";
import { cpuOf } from "./measure.mjs";

const model = customModel({
  id: "m",
  api: "anthropic-messages",
  baseUrl: "http://127.0.0.1",
  provider: "benchmark",
  name: "m",
});
const usage = { cost: {} };
const assistant = (content, stopReason = "stop") => ({
  role: "assistant",
  content,
  api: model.api,
  provider: model.provider,
  model: model.id,
  usage,
  stopReason,
  timestamp: 0,
});

/** A user's question, a call, its result and an answer, over and over. */
function history(messages) {
  return Array.from({ length: messages / 4 }, (_, index) => [
    { role: "user", content: `Question ${index}`, timestamp: 0 },
    assistant([{ type: "toolCall", id: `call_${index}`, name: "read", arguments: { path: "a.txt" } }], "toolUse"),
    {
      role: "toolResult",
      toolCallId: `call_${index}`,
      toolName: "read",
      content: [{ type: "text", text: "text" }],
      isError: false,
      timestamp: 0,
    },
    assistant([{ type: "text", text: "An answer." }]),
  ]).flat();
}

/** A model that calls `calls` tools in each of `turns` turns, then ends. */
function scriptedModel(turns, calls) {
  let turn = 0;
  return () => {
    turn++;
    const content = Array.from({ length: calls }, (_, index) => ({
      type: "toolCall",
      id: `call_${turn}_${index}`,
      name: "read",
      arguments: {},
    }));
    const message = turn < turns ? assistant(content, "toolUse") : assistant([{ type: "text", text: "Done." }]);
    const stream = createAssistantMessageEventStream();
    stream.push({ type: "start", partial: message });
    stream.push({ type: "done", reason: message.stopReason, message });
    return stream;
  };
}

async function runAgent({ turns, calls, listeners = 0 }) {
  const tool = {
    name: "read",
    label: "Read",
    description: "Reads",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "text" }], details: {} }),
  };
  const agent = new Agent({
    streamFn: scriptedModel(turns, calls),
    initialState: { model, systemPrompt: "", tools: [tool] },
  });
  for (let index = 0; index < listeners; index++) agent.subscribe(() => {});
  await agent.prompt("Go");
}

const WORK = {
  "unread events": async (size) => {
    const stream = new EventStream(
      (event) => event.last === true,
      (event) => event,
    );
    for (let index = 0; index < size; index++) stream.push({ index });
    stream.push({ last: true });
    for await (const _event of stream);
  },
  "messages of a transcript": (size) => {
    prepareTranscript(history(size), model);
  },
  turns: (size) => runAgent({ turns: size, calls: 1 }),
  "parallel tools": (size) => runAgent({ turns: 2, calls: size }),
  listeners: (size) => runAgent({ turns: 200, calls: 1, listeners: size }),
};

process.on("message", async ({ work, size }) => {
  try {
    const costs = [];
    for (let run = 0; run < 5; run++) costs.push(await cpuOf(() => WORK[work](size)));
    process.send({ cpuMs: Math.min(...costs) });
  } catch (error) {
    process.send({ error: `${work}: ${error.stack}` });
  }
});

// A program that ends the moment its agent is idle: argv says where its listener writes, and what it waits for.
import { appendFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "@rondo/agent";
import { scriptedModel } from "@rondo/ai/testing";

const [file = "", waitFor] = process.argv.slice(2);
const script = scriptedModel([{ content: [{ type: "text", text: "x".repeat(1_000_000) }] }], {
  deltaCharacters: 100_000,
});
const agent = new Agent({ streamFn: script.streamFn, initialState: { model: script.model } });
agent.subscribe(async (event) => {
  if (event.type === "message_update") return;
  await delay(20);
  await appendFile(file, `${JSON.stringify(event)}\n`);
});
agent.subscribe(async (event) => {
  if (event.type !== "agent_end") return;
  await delay(20);
  await appendFile(file, "settled\n");
});

const running = agent.prompt("hi");
await (waitFor === "prompt" ? running : agent.waitForIdle());
process.exit(agent.state.isStreaming ? 1 : 0);

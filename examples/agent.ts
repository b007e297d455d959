// An agent with two tools, a budget and steering: what you type while it works reaches it before its next step.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Agent, type AnyAgentTool } from "@rondo/agent";
import { getModel, type Model, streamSimple, Type } from "@rondo/ai";

const sonnet = getModel("anthropic", "claude-sonnet-5-5"); // the key comes from ANTHROPIC_API_KEY
const inside = (path: string): string => join(process.cwd(), join("/", path)); // ".." does not lead out of this folder
const tool = (name: string, description: string, run: (path: string) => Promise<string>): AnyAgentTool => ({
  ...{ name, label: name, description, parameters: Type.Object({ path: Type.String() }) },
  execute: async (_id, { path }) => ({ content: [{ type: "text", text: await run(inside(path)) }], details: {} }),
});
const list = tool("list_files", "Lists a folder", async (path) => (await readdir(path)).join("\n"));
const read = tool("read_file", "Reads a file", (path) => readFile(path, "utf8"));

export function createAgent(model: Model): Agent {
  const initialState = { model, systemPrompt: "Answer from the files of this folder.", tools: [list, read] };
  return new Agent({ streamFn: streamSimple, initialState, budget: { turnsMax: 20, costMax: 0.5 } });
}

export async function main(model: Model = sonnet, print = console.log, input: NodeJS.ReadableStream = process.stdin) {
  const agent = createAgent(model);
  agent.subscribe((event) => {
    if (event.type === "tool_execution_start") print(`→ ${event.toolName} ${event.args.path}`);
    if (event.type === "turn_end")
      for (const block of event.message.content) if (block.type === "text") print(block.text);
    if (event.type === "agent_end") print(`${event.errorMessage ?? event.reason}, $${event.usage.cost.total ?? "?"}`);
  });
  const steer = (content: string) => agent.steer({ role: "user", content, timestamp: Date.now() });
  const typed = createInterface({ input }).on("line", steer);
  await agent.prompt("What is this project about?").finally(() => typed.close());
}

if (process.argv[1] === import.meta.filename) await main();

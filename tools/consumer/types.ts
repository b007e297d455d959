import { Agent, type AgentTool } from "@rondo/agent";
import { type AssistantMessage, complete, getModel, type Static, streamSimple, Type } from "@rondo/ai";
import { createCredentialStore } from "@rondo/ai/node";
import { journalEngine } from "@rondo/durable";
import { RpcClient } from "rondo/rpc";

const parameters = Type.Object({ city: Type.String(), days: Type.Optional(Type.Number()) });
export const input: Static<typeof parameters> = { city: "Paris" };
export const tool: AgentTool<typeof parameters> = {
  name: "weather",
  label: "Weather",
  description: "Tells the weather",
  parameters,
  execute: async (_id, { city, days }) => ({
    content: [{ type: "text", text: `${city} ${(days ?? 1).toFixed()}` }],
    details: {},
  }),
};
export const agent = new Agent({
  streamFn: streamSimple,
  initialState: { model: getModel("anthropic", "claude-sonnet-4-5"), tools: [tool] },
});
export const answer: Promise<AssistantMessage> = complete(getModel("openai", "gpt-5"), { messages: [] });
export const parts = [createCredentialStore, journalEngine, RpcClient];
// @ts-expect-error a stream needs a model
streamSimple();

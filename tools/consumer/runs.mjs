// A stranger's program: every public entry is imported and used, without a network.
import { Agent } from "@rondo/agent";
import { complete, customModel, getModel, Type } from "@rondo/ai";
import { createCredentialStore } from "@rondo/ai/node";
import { scriptedModel } from "@rondo/ai/testing";
import * as durable from "@rondo/durable";
import { RpcClient } from "rondo/rpc";

const model = getModel("anthropic", "claude-sonnet-4-5");
const parameters = Type.Object({ city: Type.String() });
const refused = await complete(customModel({ id: "m", api: "openai-completions", baseUrl: "http://127.0.0.1:1" }), {
  messages: [],
});
const parts = [Agent, createCredentialStore, scriptedModel, RpcClient].map((part) => typeof part);
const worked =
  model.contextWindow > 0 &&
  parameters.type === "object" &&
  refused.stopReason === "error" &&
  parts.every((part) => part === "function") &&
  Object.keys(durable).length > 0;
if (!worked) throw new Error("A part is missing.");
console.log(`${model.name}; ${refused.error.kind}`);

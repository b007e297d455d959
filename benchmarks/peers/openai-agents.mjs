import { OpenAIChatCompletionsModel, OpenAIResponsesModel, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";

setTracingDisabled(true);
const MODELS = { "openai-completions": OpenAIChatCompletionsModel, "openai-responses": OpenAIResponsesModel };
const parameters = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
  required: ["path", "content"],
  additionalProperties: false,
};

export const name = "OpenAI Agents";
export const apis = Object.keys(MODELS);

/** Streams one answer and gives the number of characters in its deltas. */
export async function streamAnswer({ api, url }) {
  const client = new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
  const request = {
    input: "Hello",
    modelSettings: {},
    tools: [{ type: "function", name: "write", description: "Writes a file", parameters, strict: true }],
    outputType: "text",
    handoffs: [],
    tracing: false,
  };
  let characters = 0;
  for await (const event of new MODELS[api](client, "m").getStreamedResponse(request)) {
    if (event.type === "output_text_delta") characters += event.delta.length;
    else if (event.type === "model") characters += argumentsIn(event.event).length;
  }
  return characters;
}

function argumentsIn({ type, delta, choices }) {
  if (type === "response.function_call_arguments.delta") return delta;
  return choices?.[0]?.delta.tool_calls?.[0]?.function.arguments ?? "";
}

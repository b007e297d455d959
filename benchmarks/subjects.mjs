// What is measured side by side: the file that drives it, and the wire formats that it speaks.
import { APIS } from "./wire-bodies.mjs";

export const SUBJECTS = [
  { name: "floor", script: "./subjects/floor.mjs", apis: APIS },
  { name: "Rondo", script: "./subjects/rondo.mjs", apis: APIS },
  { name: "pi-ai", script: "./peers/pi.mjs", apis: APIS },
  { name: "AI SDK", script: "./peers/ai-sdk.mjs", apis: APIS },
  { name: "LangChain", script: "./peers/langchain.mjs", apis: APIS },
  { name: "OpenAI Agents", script: "./peers/openai-agents.mjs", apis: ["openai-completions", "openai-responses"] },
];

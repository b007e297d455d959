// The limit of an answer: what the caller asks for, but no more than the model can.
import type { RequestInput } from "../protocol.ts";
import type { Diagnostics } from "./diagnostics.ts";

/** The limit that the caller asks for, fitted to the model; undefined if none was asked for. */
export function askedMaxTokens({ model, options }: RequestInput, diagnostics: Diagnostics): number | undefined {
  const { maxTokens } = options;
  if (maxTokens === undefined || model.maxTokens === undefined || maxTokens <= model.maxTokens) return maxTokens;
  diagnostics.changed("maxTokens", `it was lowered to ${model.maxTokens}, the most that ${model.id} gives`);
  return model.maxTokens;
}

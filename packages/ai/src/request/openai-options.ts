// Options that OpenAI's two APIs take in the same way.
import type { RequestInput } from "../protocol.ts";
import type { ConvertedTools, ToolDeclaration } from "../tools/schema-dialect.ts";
import type { Diagnostics } from "./diagnostics.ts";
import { sendableChoice } from "./tool-choice.ts";

/** The most that the APIs take (API reference, 2025). */
const TEMPERATURE_MAX = 2;

/** How one API writes a tool and the choice of one. */
export interface ToolShape {
  tool(declaration: ToolDeclaration): object;
  choice(wireName: string): object;
}

export function addTemperature(
  body: Record<string, unknown>,
  { model, options }: RequestInput,
  diagnostics: Diagnostics,
): void {
  const { temperature } = options;
  if (temperature === undefined) return;
  if (model.quirks?.supportsTemperature === false) {
    diagnostics.ignored("temperature", model);
    return;
  }
  if (temperature > TEMPERATURE_MAX)
    diagnostics.changed("temperature", `it was lowered to ${TEMPERATURE_MAX}, the most`);
  body["temperature"] = Math.min(temperature, TEMPERATURE_MAX);
}

/** Adds the tools and what may be called. Without tools the APIs refuse the options about them. */
export function addTools(
  body: Record<string, unknown>,
  input: RequestInput,
  declared: ConvertedTools,
  shape: ToolShape,
  diagnostics: Diagnostics,
): void {
  const { model, options } = input;
  const choice = sendableChoice(input, declared, diagnostics);
  if (declared.tools.length === 0) return;
  body["tools"] = declared.tools.map((tool) => shape.tool(tool));
  if (choice !== undefined) body["tool_choice"] = typeof choice === "object" ? shape.choice(choice.name) : choice;
  const { parallelToolCalls: parallel } = options;
  if (parallel === undefined) return;
  if (model.quirks?.supportsParallelToolCalls !== false) body["parallel_tool_calls"] = parallel;
  else if (!parallel) diagnostics.ignored("parallelToolCalls", model);
}

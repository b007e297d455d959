// Tools → declarations in the dialect of an API. One bad tool never takes a request down: it is weakened or left out, and
// the diagnostics say so.
import type { Diagnostic, Tool } from "../types.ts";
import { anthropicDialect } from "./dialects/anthropic.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { googleDialect } from "./dialects/google.ts";
import { googleOpenapiDialect } from "./dialects/google-openapi.ts";
import { openaiDialect } from "./dialects/openai.ts";
import { openaiStrictDialect, strictExcess } from "./dialects/openai-strict.ts";
import { NotStrict, writeObjectSchema } from "./dialects/write-schema.ts";
import { isObject, type JsonObject } from "./json-values.ts";
import { canonicalise } from "./schema/canonicalise.ts";
import { cleanToolNames, type ToolNames } from "./tool-names.ts";

const DIALECTS = {
  anthropic: anthropicDialect,
  openai: openaiDialect,
  "openai-strict": openaiStrictDialect,
  google: googleDialect,
  "google-openapi": googleOpenapiDialect,
} satisfies Record<string, Dialect>;

/** The dialects of JSON Schema that APIs speak. */
export type SchemaDialect = keyof typeof DIALECTS;

/** Most weakened places that one diagnostic names. */
const WEAKENED_SHOWN_MAX = 8;

/** A schema of an object as an API wants it. */
export interface ConvertedSchema {
  schema: JsonObject;
  /** False where strict mode was wanted but cannot say this schema; it is then written without. */
  strict: boolean;
  /** What the written schema no longer says; it is in the descriptions. */
  weakened: string[];
}

/** A tool ready to be put into a request. */
export interface ToolDeclaration {
  /** The name on the wire. */
  name: string;
  description: string;
  parameters: JsonObject;
  /** Whether `parameters` follows the rules of strict mode. */
  strict: boolean;
}

/** The tools of a request. */
export interface ConvertedTools {
  tools: ToolDeclaration[];
  diagnostics: Diagnostic[];
  names: ToolNames;
}

/**
 * Any schema (TypeBox or JSON Schema, sound or not) as a plain JSON object schema in a dialect. Returns undefined if no
 * object can fit it, so that it cannot describe arguments.
 */
export function convertSchema(schema: unknown, dialect: SchemaDialect): ConvertedSchema | undefined {
  if (schema === false) return undefined;
  const document = canonicalise(schema);
  const { types } = document.root;
  if (types && !types.includes("object")) return undefined;
  if (dialect !== "openai-strict") {
    return { ...writeObjectSchema(document, DIALECTS[dialect]), strict: false };
  }
  try {
    const written = writeObjectSchema(document, openaiStrictDialect);
    const excess = strictExcess(written.schema);
    if (excess === undefined) return { ...written, strict: true };
    return withoutStrict(schema, excess);
  } catch (error) {
    if (error instanceof NotStrict) return withoutStrict(schema, error.message);
    throw error;
  }
}

function withoutStrict(schema: unknown, reason: string): ConvertedSchema | undefined {
  const converted = convertSchema(schema, "openai");
  return converted && { ...converted, weakened: [`it is sent without strict mode: ${reason}`, ...converted.weakened] };
}

/** All tools of a request in a dialect, with names that the API takes. Their order is kept. */
export function convertTools(tools: readonly Tool[], dialect: SchemaDialect): ConvertedTools {
  const usable = tools.filter((tool) => isObject(tool) && typeof tool.name === "string");
  const letterFirst = dialect === "google" || dialect === "google-openapi";
  const names = cleanToolNames(
    usable.map((tool) => tool.name),
    { letterFirst },
  );
  const diagnostics: Diagnostic[] = [];
  if (usable.length < tools.length) leftOut(diagnostics, "A tool", "it has no name");
  const seen = new Set<string>();
  const declarations = usable.flatMap((tool): ToolDeclaration[] => {
    const who = `The tool ${JSON.stringify(tool.name)}`;
    if (seen.has(tool.name)) return leftOut(diagnostics, who, "there is another of that name before it");
    seen.add(tool.name);
    const converted = convertSchema(tool.parameters, dialect);
    if (!converted) return leftOut(diagnostics, who, "its parameters are no object");
    if (converted.weakened.length > 0)
      diagnostics.push(weakenedDiagnostic(who, DIALECTS[dialect].name, converted.weakened));
    const description = typeof tool.description === "string" ? tool.description : "";
    return [{ name: names.toWire(tool.name), description, parameters: converted.schema, strict: converted.strict }];
  });
  return { tools: declarations, diagnostics, names };
}

function leftOut(diagnostics: Diagnostic[], who: string, why: string): ToolDeclaration[] {
  diagnostics.push({ code: "tool_left_out", message: `${who} was left out: ${why}.` });
  return [];
}

function weakenedDiagnostic(who: string, dialectName: string, weakened: string[]): Diagnostic {
  const shown = weakened.slice(0, WEAKENED_SHOWN_MAX).join(" | ");
  const more = weakened.length > WEAKENED_SHOWN_MAX ? ` | and ${weakened.length - WEAKENED_SHOWN_MAX} more` : "";
  return {
    code: "schema_weakened",
    message: `${who} has a schema that ${dialectName} cannot express whole: ${shown}${more}`,
  };
}
